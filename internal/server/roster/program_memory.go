package roster

import (
	"fmt"
	"slices"
	"sync"

	"versus2048/players"
	"versus2048/tournament"
)

// processMemory is the memory that a bot's process needs besides its players, in bytes.
const processMemory = 16 << 20

// MemoryOf returns the largest number of bytes that the started bots of an event need. It assumes that as many games
// are played at once as the event allows, each by the two bots that need most memory, or by one of them if chance
// attacks.
func MemoryOf(e tournament.Event, entries []tournament.Entry) (total uint64) {
	needs := []uint64{0, 0} // of the bots for a game
	for _, entry := range entries {
		spec, err := players.ParseClosed(entry.Spec)
		if entry.Spec == "" || err != nil {
			continue
		}
		if !e.InProcess {
			total += processMemory
		}
		needs = append(needs, spec.Within(e.Settings.Budget).Need().Memory)
	}
	slices.Sort(needs)
	game := needs[len(needs)-1]
	if !e.Rules.Chance() {
		game += needs[len(needs)-2]
	}
	return total + uint64(e.Concurrency)*game
}

// MemoryBudget has the estimated memory of the bots of all events being played, of visitors' games and of searches.
// An event is estimated when it starts, and when a bot joins it. The methods may be called from several goroutines.
type MemoryBudget struct {
	most     uint64 // bytes, 0 for no limit
	mu       sync.Mutex
	reserved map[any]uint64 // by the user of the memory: a lineup, a visitor's game or a search
}

// NewMemoryBudget returns a budget without reservations. most is the limit in bytes, 0 for no limit.
func NewMemoryBudget(most uint64) *MemoryBudget {
	return &MemoryBudget{most: most, reserved: map[any]uint64{}}
}

// Allows returns an error if that number of bytes is above the limit for the bots of all events together.
func (m *MemoryBudget) Allows(bytes uint64) error {
	if m.most > 0 && bytes > m.most {
		return fmt.Errorf("its bots may need %s of memory, more than the %s that this arena allows: "+
			"play fewer games at once, give the bots fewer nodes or playouts, or allow more with --memory", GiB(bytes), GiB(m.most))
	}
	return nil
}

// Reserve reserves memory for all bots of a user, such as a lineup. games is the number of games at once, for the
// text of the error. Reserve replaces the user's earlier reservation. If all reservations together would then be
// above the limit, it returns an error and changes nothing.
func (m *MemoryBudget) Reserve(user any, bytes uint64, games int) error {
	if others, ok := m.Take(user, bytes); !ok {
		return fmt.Errorf("its bots may need %s of memory for %d games at once and the bots of other events %s, together more than the %s that this arena allows: "+
			"play fewer games at once, give the bots fewer nodes or playouts, or allow more with --memory", GiB(bytes), games, GiB(others), GiB(m.most))
	}
	return nil
}

// Take reserves memory for a user, in place of its earlier reservation. If all reservations together are then above the
// limit, Take changes nothing and returns false. others is the memory that the other users have reserved.
func (m *MemoryBudget) Take(user any, bytes uint64) (others uint64, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for other, reserved := range m.reserved {
		if other != user {
			others += reserved
		}
	}
	if m.most > 0 && bytes+others > m.most {
		return others, false
	}
	m.reserved[user] = bytes
	return others, true
}

// Free ends the reservation of a user.
func (m *MemoryBudget) Free(user any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.reserved, user)
}

// GiB returns a number of bytes as a text, in GiB.
func GiB(bytes uint64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }
