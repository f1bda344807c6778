package experiment

import (
	"bytes"
	"context"
	"image/png"
	"io"
	"strings"
	"testing"

	"versus2048/lab/picture"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// settings returns settings of small events.
func settings() Config {
	return Config{Matches: 4, Playouts: 10, Size: rules.Size{Width: 2, Height: 2}, Seed: 7, Concurrency: 1}
}

func table1Events(t *testing.T, s Config) []tournament.Event {
	t.Helper()
	events, err := Table1Events(s)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// mated returns a game of a match on the board {0 0 / tile 8}. The third placement mates the defender, with a
// score of 20 plus the worth of the tile. All moves but the last two placements have a choice. Matches start at
// different plies, so that none repeats another.
func mated(t *testing.T, e tournament.Event, match, leg, tile int) tournament.Game {
	t.Helper()
	start, err := rules.PositionFrom(rules.GPCC2015, [][]int{{0, 0}, {tile, 8}}, rules.Attacker, 16+worth(tile), 2*match)
	if err != nil {
		t.Fatal(err)
	}
	place := rules.Place(1, false)
	return tournament.Game{
		Pairing: tournament.Pairing{Match: match, First: e.Entries[0].Name, Second: e.Entries[1].Name},
		Leg:     leg,
		Record:  record.Record{Start: start, Moves: []rules.Move{place, rules.West, place, rules.West, place}, Ending: record.Mate},
	}
}

func worth(tile int) (score int) {
	for half := tile / 2; half >= 2; half /= 2 {
		score += tile
	}
	return score
}

// memory is a Store in memory.
type memory struct {
	events []tournament.Event
	games  map[int64][]tournament.Game
}

func (m memory) EventsNamed(_ context.Context, name string) (named []tournament.Event, err error) {
	for _, e := range m.events {
		if e.Name == name {
			named = append(named, e)
		}
	}
	return named, nil
}

func (m memory) FinishedGames(_ context.Context, event int64) ([]tournament.Game, error) {
	return m.games[event], nil
}

// checkPlot draws a plot as PNG and as SVG, and checks that the SVG contains the texts.
func checkPlot(t *testing.T, name string, table interface{ WritePlot(io.Writer, string) error }, texts ...string) {
	t.Helper()
	var bitmap, drawing bytes.Buffer
	if err := table.WritePlot(&bitmap, picture.PNG); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&bitmap); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if err := table.WritePlot(&drawing, picture.SVG); err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if !strings.Contains(drawing.String(), text) {
			t.Errorf("%s: no text %q in the drawing", name, text)
		}
	}
	if strings.Contains(drawing.String(), "NaN") || strings.Contains(drawing.String(), "Inf") {
		t.Errorf("%s: the drawing has invalid coordinates", name)
	}
}
