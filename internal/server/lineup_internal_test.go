package server

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/server/roster"
	"versus2048/players/clock"
	"versus2048/protocol"
	"versus2048/tournament"
)

// A bot that the arena starts has a minute until it is connected, however short the grace is. A late bot is a failure
// of the start; the error has the text that the process wrote.
func TestStartedBotMayStartSlowly(t *testing.T) {
	p, err := roster.StartOwn(exec.Command("sh", "-c", "printf 'loading 3 GB of weights' >&2"))
	if err != nil {
		t.Fatal(err)
	}
	<-p.Exited // it has written all
	for _, late := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			session := protocol.NewSession(protocol.Hello{Name: "slow"}, time.Hour)
			l := &lineup{
				entrants: &entrants{stalls: clock.NewStalls()},
				event:    tournament.Event{Grace: time.Second},
				entries:  []tournament.Entry{{Name: "slow", Spec: "random"}},
				slots:    map[string]*roster.Slot{"slow": {Session: session}}, processes: map[string]*roster.OwnProcess{"slow": p},
			}
			began := time.Now()
			if !late {
				delete(l.processes, "slow") // it was connected before
			}
			err := l.waitForBots(t.Context())
			want, wait := "not connected: slow", 10*time.Second
			if late {
				want, wait = `process has been running for 1m0s and wrote "loading 3 GB of weights"`, time.Minute
			}
			if err == nil || !strings.Contains(err.Error(), want) || time.Since(began) != wait {
				t.Errorf("after %v: %v, want %q after %v", time.Since(began), err, want, wait)
			}
			if away := l.away(); len(away) != 1 || away[0].Bot != "slow" {
				t.Errorf("away: %+v", away)
			}
		})
	}
}

// newLadderOfTwo returns the lineup of a ladder of two bots on an arena with 1 GiB for bots. A game of theirs needs
// half of it.
func newLadderOfTwo(t *testing.T) *lineup {
	t.Helper()
	e := tournament.Event{Concurrency: 1, InProcess: true, Entries: []tournament.Entry{{Name: "a", Spec: "mcts:nodes=2000000,time=1"}, {Name: "b", Spec: "random"}}}
	l := &lineup{entrants: &entrants{memory: roster.NewMemoryBudget(1 << 30)}, event: e, entries: e.Entries}
	if err := l.entrants.memory.Reserve(l, roster.MemoryOf(e, l.entries), e.Concurrency); err != nil {
		t.Fatal(err)
	}
	return l
}

// reserved returns the reserved memory of the arena that plays a lineup.
func reserved(l *lineup) uint64 {
	others, _ := l.entrants.memory.Take("a test", 0)
	l.entrants.memory.Free("a test")
	return others
}

// A bot that leaves a ladder and joins again needs its memory once.
func TestBotThatComesBackHasItsMemory(t *testing.T) {
	l := newLadderOfTwo(t)
	before := reserved(l)
	for range 2 {
		if err := l.reserve(l.entries[0]); err != nil {
			t.Fatal(err)
		}
		if now := reserved(l); now != before {
			t.Errorf("%s are reserved, want %s as before", roster.GiB(now), roster.GiB(before))
		}
	}
	if err := l.reserve(tournament.Entry{Name: "c", Spec: l.entries[0].Spec}); err != nil {
		t.Fatal(err)
	}
	if now := reserved(l); now <= before {
		t.Errorf("with a second such bot %s are reserved, as before", roster.GiB(now))
	}
}

// The event may end while a bot is joining. Then nothing is reserved for that bot: nobody would give it back.
func TestNoMemoryForBotsAfterTheEnd(t *testing.T) {
	l := newLadderOfTwo(t)
	l.releaseAll()
	for _, entry := range []tournament.Entry{l.entries[0], {Name: "c", Spec: "random"}, {Name: "d"}} {
		if err := l.reserve(entry); !errors.Is(err, errOver) {
			t.Errorf("%+v joins: %v, want %v", entry, err, errOver)
		}
	}
	if left := reserved(l); left > 0 {
		t.Errorf("%s are still reserved", roster.GiB(left))
	}
}
