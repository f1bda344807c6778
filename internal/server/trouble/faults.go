package trouble

import (
	"math/bits"
	"slices"
	"sync"
)

// faults finds bots that lose game after game by a fault.
type faults struct {
	most, games int // Bounds.Faults and Bounds.Games

	mu   sync.Mutex
	last map[int64]map[string]*lastGames // by event and bot
}

// lastGames are the last games of a bot in an event.
type lastGames struct {
	faults uint64 // a bit for each game, set if the bot has lost the game by a fault; the lowest bit is the latest game
	played int    // the number of all games
}

func (g *lastGames) add(lost bool) {
	g.played++
	if g.faults <<= 1; lost {
		g.faults |= 1
	}
}

// lost returns the number of faults in the last n games.
func (g *lastGames) lost(n int) int { return bits.OnesCount64(g.faults & (1<<n - 1)) }

func (f *faults) add(event int64, attacker, defender, faulty string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	bots := f.last[event]
	if bots == nil {
		bots = map[string]*lastGames{}
		f.last[event] = bots
	}
	for _, bot := range []string{attacker, defender} {
		if bots[bot] == nil {
			bots[bot] = new(lastGames)
		}
		bots[bot].add(bot == faulty)
	}
}

// symptoms returns the symptoms of bots. They last until a bot has fewer than half of the faults that raise a trouble.
// A bot that has left its event or is excluded from it has no symptom, since it plays no more. symptoms forgets the
// games of events that are over or have failed.
func (f *faults) symptoms(arena Snapshot) (all []Symptom) {
	f.mu.Lock()
	defer f.mu.Unlock()
	played := map[int64]map[string]*lastGames{}
	for _, e := range arena.Events {
		if e.Failure != "" || f.last[e.ID] == nil {
			continue
		}
		played[e.ID] = f.last[e.ID]
		for bot, games := range played[e.ID] {
			lost := games.lost(f.games)
			if 2*lost < f.most || dealtWith(e, bot) {
				continue
			}
			all = append(all, e.symptomOf(bot, BotFaults, lost >= f.most, "bot %q has lost %d of its last %d games of event %d %q by a fault: tell its author (arena event status %d says why), or revoke its token", bot, lost, min(games.played, f.games), e.ID, e.Name, e.ID))
		}
	}
	f.last = played
	return all
}

// dealtWith reports whether a bot has left an event, or was excluded from it.
func dealtWith(e Event, bot string) bool {
	return slices.ContainsFunc(e.Gone, func(g Gone) bool { return g.Bot == bot && g.Why != Away })
}
