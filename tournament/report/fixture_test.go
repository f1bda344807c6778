package report

import (
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// endedGame returns a game on the board {tile 0 / 4 8}. It scores 20 plus the points for
// making the tile (8: 16, 16: 48, 32: 128, 64: 320, 2048: 20480), whether it ends by a
// mate, with a 2 in the gap, or by a fault of a side.
func endedGame(p tournament.Pairing, leg, tile int, ending record.Ending, failing rules.Side) tournament.Game {
	side := failing
	if ending == record.Mate {
		side = rules.Attacker
	}
	start, err := rules.PositionFrom(rules.GPCC2015, [][]int{{tile, 0}, {4, 8}}, side, worth(tile), 0)
	if err != nil {
		panic(err)
	}
	g := tournament.Game{Pairing: p, Leg: leg, Record: record.Record{Start: start, Ending: ending}}
	if ending == record.Mate {
		g.Record.Moves = []rules.Move{rules.Place(1, false)}
		g.Record.Times = []time.Duration{10 * time.Millisecond}
		g.Record.Lags = []time.Duration{time.Millisecond}
	}
	return g
}

// worth returns the score of endedGame's board with the given tile.
func worth(tile int) int {
	scored := 0
	for half := tile / 2; half >= 2; half /= 2 {
		scored += tile
	}
	return 20 + scored
}

// mated returns a game of a match that ends by mate.
func mated(p tournament.Pairing, leg, tile int) tournament.Game {
	return endedGame(p, leg, tile, record.Mate, 0)
}
