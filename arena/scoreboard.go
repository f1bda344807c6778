package arena

import (
	"sync"
	"time"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

// scoreboard is what an event's finished games come to, while it is played.
type scoreboard struct {
	mu      sync.Mutex
	event   tournament.Event
	halves  map[int]tournament.Game // of matches of which one game is finished
	decided []tournament.MatchResult
	latest  tournament.Standings
	counted int       // matches in the latest standings, -1 before the first
	made    time.Time // when they were
}

func newScoreboard(e tournament.Event, done []tournament.Game) *scoreboard {
	b := &scoreboard{event: e, halves: map[int]tournament.Game{}, decided: tournament.Matches(done), counted: -1}
	for _, g := range done {
		if _, both := b.halves[g.Match]; both {
			delete(b.halves, g.Match)
		} else {
			b.halves[g.Match] = g
		}
	}
	return b
}

// total is how many matches there are, as far as is known.
func (b *scoreboard) total() tournament.Total {
	return format.New(b.event).Total(b.decided)
}

// add counts a finished game, and returns the match that it decides.
func (b *scoreboard) add(g tournament.Game) (m tournament.MatchResult, decides bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	other, decides := b.halves[g.Match]
	if !decides {
		b.halves[g.Match] = g
		return m, false
	}
	delete(b.halves, g.Match)
	m = tournament.Matches([]tournament.Game{other, g})[0]
	b.decided = append(b.decided, m)
	return m, true
}

// change is what bots that join and leave make of the event.
func (b *scoreboard) change(e tournament.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.event, b.counted = e, -1
}

// standings are those of now, or, since they take their time, those of less than
// age ago, and of how many matches they are.
func (b *scoreboard) standings(age time.Duration) (s *tournament.Standings, matches int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.counted < 0 || b.counted < len(b.decided) && time.Since(b.made) >= age {
		b.latest = format.New(b.event).Standings(b.decided)
		b.counted, b.made = len(b.decided), time.Now()
	}
	latest := b.latest
	return &latest, b.counted
}
