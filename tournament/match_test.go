package tournament_test

import (
	"testing"
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

func TestFaultsDecideAMatch(t *testing.T) {
	const attacker, defender = rules.Attacker, rules.Defender
	type leg struct {
		tile    int
		ending  record.Ending
		failing rules.Side
	}
	for name, tc := range map[string]struct {
		legs    [2]leg
		outcome tournament.Outcome
		by      tournament.Decision
	}{
		"first scores more":        {[2]leg{{64, record.Mate, 0}, {32, record.Mate, 0}}, tournament.FirstWins, tournament.ByScore},
		"second scores more":       {[2]leg{{32, record.Mate, 0}, {64, record.Mate, 0}}, tournament.SecondWins, tournament.ByScore},
		"equal scores":             {[2]leg{{32, record.Mate, 0}, {32, record.Mate, 0}}, tournament.Drawn, tournament.ByScore},
		"a failed defender leads":  {[2]leg{{64, record.Time, defender}, {32, record.Mate, 0}}, tournament.FirstWins, tournament.ByScore},
		"a failed defender trails": {[2]leg{{32, record.Disconnect, defender}, {64, record.Mate, 0}}, tournament.SecondWins, tournament.ByScore},
		"both fail as defenders":   {[2]leg{{32, record.Time, defender}, {64, record.IllegalMove, defender}}, tournament.SecondWins, tournament.ByScore},
		// In leg 1 the second bot attacks, in leg 2 the first.
		"second forfeits though ahead":            {[2]leg{{8, record.IllegalMove, attacker}, {64, record.Mate, 0}}, tournament.FirstWins, tournament.ByForfeit},
		"first forfeits though ahead":             {[2]leg{{64, record.Mate, 0}, {8, record.Time, attacker}}, tournament.SecondWins, tournament.ByForfeit},
		"second fails as attacker and defender":   {[2]leg{{8, record.Time, attacker}, {64, record.Time, defender}}, tournament.FirstWins, tournament.ByForfeit},
		"second fails attacking, first defending": {[2]leg{{8, record.Time, defender}, {64, record.Time, attacker}}, tournament.SecondWins, tournament.ByForfeit},
		"both forfeit":                            {[2]leg{{64, record.Time, attacker}, {8, record.Disconnect, attacker}}, tournament.Drawn, tournament.ByDoubleForfeit},
	} {
		t.Run(name, func(t *testing.T) {
			p := tournament.Pairing{Match: 1, First: "a", Second: "b"}
			var games []tournament.Game
			for i, l := range tc.legs {
				games = append(games, endedGame(p, i+1, l.tile, l.ending, l.failing))
			}
			matches := tournament.Matches(games)
			if len(matches) != 1 {
				t.Fatalf("%d matches, want 1", len(matches))
			}
			m := matches[0]
			if m.Outcome != tc.outcome || m.By != tc.by {
				t.Errorf("%s by %s, want %s by %s", m.Outcome, m.By, tc.outcome, tc.by)
			}
			for i, l := range tc.legs {
				want := tournament.Summary{
					Score:       worth(l.tile),
					LargestTile: max(l.tile, 8),
					Turns:       len(games[i].Record.Moves),
					Ending:      l.ending,
					Line:        tournament.LineOf(record.PackTurns(games[i].Record.Moves)),
					Forfeited:   l.ending.Fault() && l.failing == attacker,
				}
				if m.Legs[i] != want {
					t.Errorf("leg %d: %+v, want %+v", i+1, m.Legs[i], want)
				}
			}
		})
	}
}

func TestMatchesWaitForBothGames(t *testing.T) {
	one, two, three := tournament.Pairing{Match: 1, First: "a", Second: "b"}, tournament.Pairing{Match: 2, First: "b", Second: "a"}, tournament.Pairing{Match: 3, First: "a", Second: "b"}
	unfinished := mated(one, 2, 64)
	unfinished.Record.Ending = record.Unfinished
	games := []tournament.Game{
		mated(three, 2, 64), mated(two, 2, 32), mated(one, 1, 64), unfinished, mated(two, 1, 64), mated(three, 1, 32),
	}
	matches := tournament.Matches(games)
	if len(matches) != 2 || matches[0].Match != 2 || matches[1].Match != 3 {
		t.Fatalf("matches %+v, want 2 and 3", matches)
	}
	if matches[0].Outcome != tournament.FirstWins || matches[1].Outcome != tournament.SecondWins {
		t.Errorf("outcomes %s and %s, want first and second", matches[0].Outcome, matches[1].Outcome)
	}
}
