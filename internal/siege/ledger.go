package main

import (
	"crypto/sha256"
	"fmt"

	"versus2048/results"
)

// gameKey identifies a game. A database must have each game once.
type gameKey struct {
	event      int64
	match, leg int
}

// ledger has the finished games of a database: a digest of each.
type ledger struct {
	games  map[gameKey][sha256.Size]byte
	ids    map[string]bool // the games' numbers
	faults map[string]int  // for each bot the number of games that it lost by a fault
	newest int64           // the number of the last event
}

// readLedger reads the finished games of a database.
func (f *testArena) readLedger(db string) (l ledger, err error) {
	l = ledger{games: map[gameKey][sha256.Size]byte{}, ids: map[string]bool{}, faults: map[string]int{}}
	store, err := results.OpenReader(f.ctx, db)
	if err != nil {
		return l, err
	}
	defer store.Close()
	events, err := store.Events(f.ctx)
	if err != nil || len(events) == 0 {
		return l, err
	}
	l.newest = events[len(events)-1].ID
	return l, store.Games(f.ctx, results.Filter{Finished: true}, func(g results.Stored) error {
		key := gameKey{g.Event, g.Match, g.Leg}
		if _, twice := l.games[key]; twice {
			return fmt.Errorf("game %d is on record twice: match %d, game %d of event %d", g.ID, g.Match, g.Leg, g.Event)
		}
		r := &g.Record
		l.games[key] = sha256.Sum256(fmt.Appendln(nil, g.ID, g.Started, g.Finished, r.Attacker, r.Defender, r.Ending, r.Detail, r.Moves, r.Times, r.Lags))
		l.ids[r.Game] = true
		if r.Ending.Fault() {
			loser := r.Attacker // the attacker is to move after an even number of plies
			if len(r.Moves)%2 == 1 {
				loser = r.Defender
			}
			l.faults[loser]++
		}
		return nil
	})
}

// lost describes the games of this ledger that are missing from a later ledger, or differ there.
func (l ledger) lost(later ledger) (lost []string) {
	for key, digest := range l.games {
		switch now, found := later.games[key]; {
		case !found:
			lost = append(lost, fmt.Sprintf("match %d, game %d of event %d is lost", key.match, key.leg, key.event))
		case now != digest:
			lost = append(lost, fmt.Sprintf("match %d, game %d of event %d has changed", key.match, key.leg, key.event))
		}
	}
	return lost
}

// gamesOf returns the number of games of an event.
func (l ledger) gamesOf(event int64) (n int) {
	for key := range l.games {
		if key.event == event {
			n++
		}
	}
	return n
}
