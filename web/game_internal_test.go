package web

import (
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// How a game ended is said with the name of whose fault it was.
func TestEndingText(t *testing.T) {
	start := rules.NewPosition(rules.GPCC2015, rules.Full)
	for _, e := range record.Endings() {
		r := record.Record{Attacker: "ann", Defender: "bob", Start: start, Moves: []rules.Move{rules.Place(0, false)}, Ending: e}
		text := endingText(&r)
		if named := strings.HasPrefix(text, "bob, the defender, "); named != (e.Fault() || e == record.Resigned) {
			t.Errorf("%s: %q", e, text)
		}
		if e != record.Unfinished && text == string(e) {
			t.Errorf("%s has no words", e)
		}
	}
}

// A pause is told at the ply of its move; one of a move that was never made after the last ply.
func TestPauseText(t *testing.T) {
	r := record.Record{Moves: make([]rules.Move, 3), Pauses: []record.Pause{{Ply: 1, Away: 1500 * time.Millisecond}, {Ply: 0, Stall: time.Microsecond}, {Ply: 3, Stall: time.Second, Away: time.Minute}}}
	for ply, want := range []string{
		"", "", "The clock stood still for 1.5s because the bot was disconnected.",
		"The clock stood still for 1m0s because the bot was disconnected, and for 1s because the arena itself stood still.",
	} {
		if got := pauseText(&r, ply); got != want {
			t.Errorf("ply %d: %q, want %q", ply, got, want)
		}
	}
}

// The turns around a ply are numbered from the first of the game, whichever side begins.
func TestTurnsAround(t *testing.T) {
	for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
		start, err := rules.PositionFrom(rules.GPCC2015, [][]int{{2, 0}, {0, 0}}, side, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		r := record.Record{Start: start, Moves: make([]rules.Move, 1001)}
		for ply := range len(r.Moves) + 1 {
			first, turns := turnsAround(&r, ply)
			listed := map[int]int{}
			for i, turn := range turns {
				for _, link := range turn.Plies {
					listed[link.Ply] = first + i
				}
			}
			want := record.Turns(start, ply)
			if ply > 0 && listed[ply] != want || len(turns) > shownTurns {
				t.Fatalf("%v begins, ply %d is listed in turn %d, want %d", side, ply, listed[ply], want)
			}
		}
	}
}
