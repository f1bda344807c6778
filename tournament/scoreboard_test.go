package tournament_test

import (
	"context"
	"testing"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// unread is a Journal that must not be asked for the finished games.
type unread struct {
	forgetful
	t *testing.T
}

func (j *unread) Finished(context.Context, func(tournament.Result) error) error {
	j.t.Error("the finished games are read from the journal though the scoreboard has them")
	return nil
}

// tallier is a Watcher that compares the scoreboard with the games and matches that it is told of.
type tallier struct {
	stopper
	t              *testing.T
	board          *tournament.Scoreboard
	games, matches int
}

func (w *tallier) Ended(_ tournament.Game, r tournament.Result, decided *tournament.MatchResult) {
	w.games++
	if decided != nil {
		w.matches++
		if decided.Match != r.Match {
			w.t.Errorf("a game of match %d decides match %d", r.Match, decided.Match)
		}
	}
	_, counted := w.board.Standings(0)
	if done := w.board.Counts().Done; done != w.games || counted != w.matches {
		w.t.Errorf("after %d games and %d matches the scoreboard has %d and %d", w.games, w.matches, done, counted)
	}
}

// The runner and its watcher share one scoreboard: the runner goes on from the games in it, and adds each game and each
// match once, before the watcher is told.
func TestSharedScoreboard(t *testing.T) {
	e := planned(tournament.RoundRobin, 3, 2, 1)
	whole := tournament.NewScoreboard(e, format.New(e))
	play := func(board *tournament.Scoreboard, w *tallier) {
		t.Helper()
		r := &tournament.Runner{Event: e, Board: board, Journal: &unread{t: t}, Watcher: w}
		for _, entry := range e.Entries {
			r.Bots = append(r.Bots, &tournament.LocalBot{
				ID: tournament.Identity{Name: entry.Name}, Games: 1,
				New: func(g players.Game) players.Player { return drawing{g.Seed} },
			})
		}
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if whole.Over() {
		t.Error("the event is over before the first game")
	}
	w := &tallier{t: t, board: whole}
	play(whole, w)
	if w.games != 12 || w.matches != 6 || !whole.Over() || whole.Faults() != nil {
		t.Errorf("%d games, %d matches, over %t, faults %v", w.games, w.matches, whole.Over(), whole.Faults())
	}
	rest := tournament.NewScoreboard(e, format.New(e))
	p, _ := format.New(e).Next(tournament.Everyone{})
	for leg := 1; leg <= 2; leg++ {
		g := tournament.Game{Pairing: p, Leg: leg}
		g.Record.Start, g.Record.Ending = rules.NewPosition(e.Rules, e.Size), record.Time
		rest.Add(tournament.ResultOf(&g))
	}
	if rest.Over() {
		t.Error("the event is over after its first match")
	}
	w = &tallier{t: t, board: rest, games: 2, matches: 1}
	play(rest, w)
	if f := rest.Faults(); w.games != 12 || !rest.Over() || f == nil || f.Games != 2 || len(f.First) != 2 {
		t.Errorf("%d games, over %t, faults %+v", w.games, rest.Over(), f)
	}
}
