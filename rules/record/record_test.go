package record_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
)

// mated is a shortest game on the smallest board.
func mated(t *testing.T) record.Record {
	t.Helper()
	r, err := record.Parse("[Size \"2x2\"]\n\n(1,1) S (1,1) N (2,1) S (1,1) N (2,2) N (2,2)")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReplay(t *testing.T) {
	r := mated(t)
	p, err := r.Replay()
	if err != nil || !p.Over() || p.Ply() != len(r.Moves) {
		t.Errorf("replayed to %v, %v, want a mate after %d plies", p, err, len(r.Moves))
	}
	if r.Ending != record.Mate || r.Turns() != 6 {
		t.Errorf("ending %q, %d turns, want mate and 6", r.Ending, r.Turns())
	}
}

// The mate of the shortest game, as it is published.
func TestShortestGame(t *testing.T) {
	r := readRecord(t, "testdata/shortest.txt")
	last, err := r.Replay()
	if err != nil || !last.Over() || last.Ply() != 51 {
		t.Fatalf("replayed to %v, %v, want a mate after 51 plies", last, err)
	}
	published := parse(t, rules.GPCC2015, "4,2,4,2/2,4,2,4/4,2,8,2/2,4,2,4 D 44 51")
	got := last.Canonical()
	want := published.Canonical()
	if got != want || !published.Over() {
		t.Errorf("mate %v, want %v up to symmetry, which is over: %v", last, published, published.Over())
	}
	roundTrip(t, r)
}

// readRecord reads a typed game of this package.
func readRecord(t testing.TB, name string) record.Record {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReplayRefuses(t *testing.T) {
	illegal := mated(t)
	illegal.Moves[3] = rules.Place(0, false)
	_, err := illegal.Replay()
	var move *rules.IllegalMoveError
	if !errors.As(err, &move) || move.Position.Ply() != 3 {
		t.Errorf("error %v, want an illegal move at ply 3", err)
	}
	late := mated(t)
	late.Moves = append(late.Moves, rules.South)
	if _, err := late.Replay(); !errors.As(err, &move) || move.Reason != rules.GameOver {
		t.Errorf("error %v, want that the game is over", err)
	}
	for _, ending := range []record.Ending{record.Time, record.Resigned, record.MaxTurns, record.MaxTile, record.Decided} {
		fault := mated(t)
		fault.Ending = ending
		if _, err := fault.Replay(); err == nil || !strings.Contains(err.Error(), "is mated") {
			t.Errorf("error %v, want that %s can't end a mate", err, ending)
		}
	}
	early := mated(t)
	early.Moves = early.Moves[:4]
	if _, err := early.Replay(); err == nil || !strings.Contains(err.Error(), "not mated") {
		t.Errorf("error %v, want that nobody is mated", err)
	}
}

// The side to move is the one that failed.
func TestWinner(t *testing.T) {
	defenderFirst := parse(t, rules.GPCC2015, "2,0/0,0 D")
	for _, test := range []struct {
		record record.Record
		want   string
	}{
		{record.Record{Start: rules.NewPosition(rules.GPCC2015, rules.Full), Ending: record.Time}, "defender"},
		{record.Record{Moves: []rules.Move{rules.Place(0, false)}, Ending: record.IllegalMove}, "attacker"},
		{record.Record{Start: defenderFirst, Ending: record.Disconnect}, "attacker"},
		{record.Record{Start: defenderFirst, Moves: []rules.Move{rules.East}, Ending: record.Disconnect}, "defender"},
		{record.Record{Start: defenderFirst, Ending: record.Resigned}, "attacker"},
		{record.Record{Start: defenderFirst, Moves: []rules.Move{rules.East}, Ending: record.Resigned}, "defender"},
		{record.Record{Start: defenderFirst, Moves: []rules.Move{rules.East}, Ending: record.Decided}, ""},
		{record.Record{Ending: record.Unfinished}, ""},
		{mated(t), ""},
	} {
		winner, ok := test.record.Winner()
		if ok != (test.want != "") || ok && winner.String() != test.want {
			t.Errorf("%v after %d plies: winner %v, %v, want %q", test.record.Ending, len(test.record.Moves), winner, ok, test.want)
		}
	}
}

func TestEndings(t *testing.T) {
	faults, adjudicated := 0, 0
	for _, e := range record.Endings() {
		if read, err := record.ParseEnding(string(e)); err != nil || read != e {
			t.Errorf("%q is read as %q, %v", e, read, err)
		}
		if e.Fault() {
			faults++
		}
		if e.Adjudicated() {
			adjudicated++
		}
		if e.Fault() && e.Adjudicated() {
			t.Errorf("%s is a fault and is adjudicated", e)
		}
	}
	if adjudicated != 3 {
		t.Errorf("%d endings are adjudicated, want 3", adjudicated)
	}
	if record.Mate.Fault() || record.Unfinished.Fault() || faults != 3 {
		t.Errorf("%d endings are faults, want the three where a side failed", faults)
	}
}

// Turns are the bytes that the moves are packed into.
func TestTurnsAreThePackedOnes(t *testing.T) {
	for _, start := range []string{"0,0/0,0 A", "2,0/0,0 D"} {
		r := record.Record{Start: parse(t, rules.GPCC2015, start)}
		for p := r.Start; !p.Over(); p = p.Next(r.Moves[len(r.Moves)-1]) {
			if got, want := r.Turns(), len(record.PackTurns(r.Moves)); got != want {
				t.Errorf("from %s: %d plies are %d turns, want %d", start, len(r.Moves), got, want)
			}
			r.Moves = append(r.Moves, p.AppendMoves(nil)[0])
		}
	}
}

func TestUnknownEndings(t *testing.T) {
	for _, text := range []string{"", "Mate", "bored"} {
		if e, err := record.ParseEnding(text); err == nil {
			t.Errorf("ending %q is read as %v", text, e)
		}
	}
}
