package main

import (
	"slices"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/opening"
)

// rerunSetup is an event of the format inside the arena's process, of bots whose
// searches count playouts or slides, not time. From openings, the second games of
// its matches may be decided early.
func rerunSetup(t *testing.T, kind string, concurrency int, openings bool) tournament.Event {
	t.Helper()
	s := formatSetup(kind)
	s.Size, s.Seed, s.Concurrency = rules.Size{Width: 3, Height: 3}, 2048, concurrency
	s.Bots = []string{
		"a=mcts:playouts=20", "b=evminimax:depth=2", "c=mctsplus:playouts=20", "d=dag:playouts=20",
		"e=random", "f=mcts:playouts=9,reuse=true", "g=greedy",
	}
	if kind == format.SPRT {
		s.Bots = s.Bots[:2]
	}
	if openings {
		starts, err := opening.Load("random:plies=4,seed=1,count=6", opening.Variant{Size: s.Size})
		if err != nil {
			t.Fatal(err)
		}
		s.Settings.Openings = tournament.NewOpenings("random", starts)
		s.Settings.Adjudication.EarlyDecision = true
	}
	return s
}

// The seed alone gives every game of an event, however many are played at once.
func TestSeedGivesTheGames(t *testing.T) {
	h := newHost(t)
	h.serve(t)
	h.await(t, 0)
	for i, kind := range format.Names() {
		var games [2]map[gameName]record.Record
		for j, concurrency := range []int{1, 4} {
			event, err := h.client.Start(t.Context(), rerunSetup(t, kind, concurrency, i%2 == 0))
			if err != nil {
				t.Fatal(err)
			}
			h.standings(t, event)
			games[j] = h.games(t, event)
		}
		wantSameGames(t, kind, games[1], games[0])
	}
}

func wantSameGames(t *testing.T, what string, got, want map[gameName]record.Record) {
	t.Helper()
	if len(got) != len(want) || len(got) < 4 {
		t.Errorf("%s: %d games, want %d", what, len(got), len(want))
	}
	for name, a := range want {
		b := got[name]
		if a.Start != b.Start || !slices.Equal(a.Moves, b.Moves) || a.Ending != b.Ending || a.Attacker != b.Attacker || a.Defender != b.Defender {
			t.Errorf("%s: game %+v is\n%+v\nwant\n%+v", what, name, b, a)
		}
	}
}
