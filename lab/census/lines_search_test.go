package census_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"versus2048/lab/census"
	"versus2048/rules"
	"versus2048/rules/record"
)

func parse(t *testing.T, r rules.Ruleset, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(r, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newSearch(t *testing.T, start rules.Position) *census.LineSearch {
	t.Helper()
	s, err := census.NewLineSearch(start)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func playTurn(t *testing.T, s *census.LineSearch) census.Turn {
	t.Helper()
	turn, err := s.Turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

func TestSearchAgreesWithNaive(t *testing.T) {
	for text, plies := range map[string]int{
		"0,0/0,0 A":                         99, // to the end of all games
		"2,0/0,2 D":                         99,
		"4,0/0,2 A":                         99,
		"0,0,0/0,0,0 A":                     45,
		"0,0/0,0/2,4 D":                     30,
		"0,0,0/0,2,0/0,0,0 A":               17,
		"2,4,2/4,2,4/2,2,8 D":               10,
		"0,0,8,2/8,4,2,0 A":                 17,
		"0,0,0,0/0,0,0,0/0,2,4,0/0,0,2,2 A": 7,
	} {
		for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
			compareNaively(t, parse(t, r, text), plies>>r)
		}
	}
}

// compareNaively compares a search with the naive one.
func compareNaively(t *testing.T, start rules.Position, plies int) {
	t.Helper()
	search := newSearch(t, start)
	naive := naiveSearch{scoreless(start): big.NewInt(1)}
	if start.SideToMove() == rules.Defender {
		naive = naive.ply()
	}
	for search.Plies() < plies {
		positions := len(naive.orbits(false))
		turn, err := search.Turn(t.Context())
		if errors.Is(err, census.ErrOver) {
			if positions > 0 {
				t.Errorf("%v: over after %d plies, not in %d positions", start, search.Plies(), positions)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		naive = naive.ply()
		mated := naive.orbits(true)
		ended := new(big.Int)
		for _, m := range turn.Mated {
			if want := mated[m.Board]; want == nil || m.Lines.Cmp(want) != 0 {
				t.Errorf("%v, ply %d: %v lines to %#x, want %v", start, turn.Plies, m.Lines, m.Board, want)
			}
			ended.Add(ended, m.Lines)
		}
		if turn.Positions != positions || len(turn.Mated) != len(mated) || turn.Ended.Cmp(ended) != 0 || turn.Lines.Cmp(naive.total()) != 0 {
			t.Errorf("%v: %+v, want %d positions, %d mated, %v of %v lines ended", start, turn, positions, len(mated), ended, naive.total())
		}
		naive = naive.ply()
	}
}

func TestLinesArePerft(t *testing.T) {
	for text, turns := range map[string]int{
		"0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A": 3,
		"2,0,0,2/0,4,4,0/0,2,2,2/8,8,4,4 D": 3,
		"2,4,0/2,8,2/0,0,4 A":               3,
	} {
		for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
			start := parse(t, r, text)
			search := newSearch(t, start)
			for range turns - int(r) {
				turn := playTurn(t, search)
				if want := rules.Perft(start, turn.Plies); turn.Lines.Cmp(new(big.Int).SetUint64(want)) != 0 {
					t.Errorf("%v: %v lines of %d plies, want %d", start, turn.Lines, turn.Plies, want)
				}
			}
		}
	}
}

func TestInterruptedTurn(t *testing.T) {
	search := newSearch(t, rules.NewPosition(rules.GPCC2015, rules.Full))
	playTurn(t, search)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := search.Turn(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the interrupted turn: %v", err)
	}
	if turn := playTurn(t, search); turn.Plies != 3 || turn.Lines.Int64() != 720 {
		t.Errorf("the turn after the interruption: %+v", turn)
	}
}

func TestNewSearchRejects(t *testing.T) {
	for _, text := range []string{"2,4/4,2 D", "32768,32768/0,0 A", "65536,0/0,0 A"} {
		if _, err := census.NewLineSearch(parse(t, rules.GPCC2015, text)); err == nil {
			t.Errorf("a search from %s", text)
		}
	}
}

func TestTurnStopsBeforeOverflow(t *testing.T) {
	for text, plies := range map[string]int{
		"32768,16384,8192,4096/2048,1024,512,256/128,64,32,16/8,4,0,0 A": 0, // 65532 in all
		"32768,16384,8192,4096/2048,1024,512,256/128,64,32,16/8,0,0,0 A": 2,
		"0,0,0,0/0,0,0,0 A": 184, // 2^249 lines
	} {
		search := newSearch(t, parse(t, rules.GPCC2015, text))
		var err error
		for err == nil {
			_, err = search.Turn(t.Context())
		}
		if errors.Is(err, census.ErrOver) || search.Plies() != plies {
			t.Errorf("%s: %v after %d plies, want another error after %d", text, err, search.Plies(), plies)
		}
	}
}

// checkRecord fails the test unless the search returns a game that ends in m after the turn's plies, and that can be
// written and read back.
func checkRecord(t *testing.T, s *census.LineSearch, turn census.Turn, m census.Mated) {
	t.Helper()
	r, err := s.Record(m)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	back, err := record.Parse(text.String())
	if err != nil {
		t.Fatal(err)
	}
	last, err := back.Replay()
	if err != nil || back.Ending != record.Mate || len(back.Moves) != turn.Plies || last.Board().Canonical(last.Size()) != m.Board {
		t.Errorf("a line to %#x after %d plies: %v, %v\n%s", m.Board, turn.Plies, last, err, text.String())
	}
}

func TestRecords(t *testing.T) {
	for text, r := range map[string]rules.Ruleset{
		"0,0/0,0 A":            rules.GPCC2015,
		"0,2,0/0,4,0 A":        rules.GPCC2015,
		"0,4/2,0/0,0/4,8 D":    rules.GPCC2015,
		"2,8,2/4,16,2/0,0,4 A": rules.GPCC2016,
		"2,4,2/4,0,4 D":        rules.GPCC2016,
	} {
		search := newSearch(t, parse(t, r, text))
		records := 0
		for range 8 {
			turn, err := search.Turn(t.Context())
			if errors.Is(err, census.ErrOver) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range turn.Mated[:min(len(turn.Mated), 20)] {
				checkRecord(t, search, turn, m)
				records++
			}
		}
		if records == 0 {
			t.Errorf("%s: no game ends", text)
		}
	}
}

func TestRecordOfAnotherSearch(t *testing.T) {
	search := newSearch(t, parse(t, rules.GPCC2015, "0,0/0,0 A"))
	turn := playTurn(t, search)
	for len(turn.Mated) == 0 {
		turn = playTurn(t, search)
	}
	other := newSearch(t, parse(t, rules.GPCC2015, "0,2/0,0 A"))
	for range 6 {
		playTurn(t, other)
	}
	if r, err := other.Record(turn.Mated[0]); err == nil {
		t.Errorf("a game to a position of another search: %v", r.Moves)
	}
	// Two other searches: one has not come as far, and one has layers with fewer positions.
	for _, start := range []string{"0,2/0,0 A", "2,4/8,0 A"} {
		other := newSearch(t, parse(t, rules.GPCC2015, start))
		for range 6 {
			if r, err := other.Record(turn.Mated[0]); err == nil {
				t.Errorf("a game to a position of another search: %v", r.Moves)
			}
			_, err := other.Turn(t.Context())
			if errors.Is(err, census.ErrOver) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
