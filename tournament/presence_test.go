package tournament_test

import (
	"context"
	"errors"
	"testing"

	"versus2048/tournament"
)

// missing is a bot that has been away for too long.
type missing struct{ tournament.Bot }

func (missing) Presence() tournament.Presence { return tournament.Gone }

// A bot that was in the middle of a match when its open ladder was interrupted cannot avoid the rest of the match by
// staying away. It begins no other match.
func TestInterruptedMatchOfOpenLadder(t *testing.T) {
	e := smallEvent(2, 3, 1)
	e.Settings.Plan = tournament.Plan{Kind: tournament.Ladder, Open: tournament.OpenAll}
	for _, entry := range e.Entries {
		e.Memberships = append(e.Memberships, tournament.Membership{Name: entry.Name, From: 1, To: tournament.NotLeft})
	}
	journal := newMemory()
	ctx, stop := context.WithCancel(t.Context())
	r := newRunner(e, journal, 1)
	r.Watcher = &stopper{n: 3, stop: stop}
	if err := r.Run(ctx); !errors.Is(err, tournament.ErrInterrupted) || len(journal.open) != 1 {
		t.Fatalf("the ladder ends with %v and %d games in progress", err, len(journal.open))
	}
	r = newRunner(e, journal, 1)
	r.Bots[1] = missing{r.Bots[1]}
	games, err := play(t.Context(), r)
	if err != nil || len(games) != 2 || games[0].Match != 1 || games[1].Match != 1 {
		t.Errorf("%d games are played, error %v: want those of the first match", len(games), err)
	}
}
