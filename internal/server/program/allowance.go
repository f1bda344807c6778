package server

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"versus2048/internal/server/program"
	"versus2048/internal/server/rounds"
	"versus2048/players"
	"versus2048/tournament"
)

// Allowance limits the use of the machine by the bots that an arena starts, for operators and visitors alike. The zero
// Allowance lets the bots open no file and limits nothing else.
type Allowance struct {
	// AnyFile lets specs name any file: for an arena that has only one operator, the user that started it.
	AnyFile bool
	// Folder is the absolute path of a folder. Otherwise specs may name only files in it, by absolute paths or relative
	// to it; "" for none. Links in it may not lead out of it.
	Folder string
	// Memory is the number of bytes that the bots of all events and visitors together may need, 0 for no limit.
	Memory uint64
	// Threads is the number of threads that a bot may search with in one game, 0 for no limit.
	Threads int
}

// checkEvent returns an error if one of the bots of an event may not be started. The event may be an operator's request
// or on record.
func (a Allowance) checkEvent(e tournament.Event) error {
	if n := len(e.Bots) + len(e.Entries); n > tournament.MaxBots {
		return fmt.Errorf("%d bots: want at most %d", n, tournament.MaxBots)
	}
	for _, bot := range e.Bots {
		if err := a.check(bot); err != nil {
			return err
		}
	}
	for _, entry := range e.Entries {
		if err := cmp.Or(a.check(entry.Name), a.check(entry.Spec)); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error if a bot, given as SPEC or NAME=SPEC, names a file that it may not open, or has too many
// threads. For a command the error is program.ErrRefused, also if an operator has sent it. check looks at no file
// outside of the folder: otherwise specs would reveal which files exist. It accepts a text that is neither a spec nor a
// command.
func (a Allowance) check(bot string) error {
	if program.IsCommand(bot) {
		return fmt.Errorf("bot %.100q: %w", bot, program.ErrRefused)
	}
	_, text := splitName(bot)
	spec, err := players.ParseClosed(players.InFolder(text, a.relativeTo()))
	if err != nil {
		return nil // resolving the event will tell the error
	}
	if threads := spec.Need().Threads; a.Threads > 0 && threads > a.Threads {
		return fmt.Errorf("bot %.100q: %d threads: this arena allows %d", bot, threads, a.Threads)
	}
	for _, path := range spec.Files() {
		switch {
		case a.AnyFile:
		case a.Folder == "":
			return fmt.Errorf("bot %.100q: this arena opens no files for its bots: its host has to name their folder, arena serve --tables FOLDER", bot)
		case !a.holds(path):
			return fmt.Errorf("bot %.100q: this arena opens only files in the folder of arena serve --tables", bot)
		}
	}
	return nil
}

// checkRound returns why a round cannot be done, nil if it can. The paths of its bot become paths on this machine.
func (h *host) checkRound(r *rounds.Round) error {
	if h.farm == nil {
		return errors.New("this arena has no workers: start it with arena serve --farm")
	}
	r.Bot = players.InFolder(r.Bot, h.allowed.relativeTo())
	if err := cmp.Or(r.Validate(), h.allowed.check(r.Bot)); err != nil {
		return err
	}
	return h.farm.Validate(*r)
}

// relativeTo returns the folder that relative paths in specs are in, "" for the folder of the process.
func (a Allowance) relativeTo() string {
	if a.AnyFile {
		return ""
	}
	return a.Folder
}

// holds reports whether an absolute path is in the folder, and does not lead out of it by a link. A file that does not
// exist is in the folder: opening it will tell the error.
func (a Allowance) holds(path string) bool {
	if !within(a.Folder, path) {
		return false
	}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	folder, noFolder := filepath.EvalSymlinks(a.Folder)
	return err == nil && noFolder == nil && within(folder, target)
}

// within reports whether a path is in a folder. It compares the texts and looks at no file.
func within(folder, path string) bool {
	inside, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(inside)
}

// processMemory is the memory that a bot's process needs besides its players, in bytes.
const processMemory = 16 << 20

// memoryOf returns how many bytes the started bots of an event need at most. It assumes that as many games are played
// at once as the event allows, each by the two bots that need most, or against chance by the one that does.
func memoryOf(e tournament.Event, entries []tournament.Entry) (total uint64) {
	var most [2]uint64 // the needs of the two greediest bots for a game, the greediest first
	for _, entry := range entries {
		spec, err := players.ParseClosed(entry.Spec)
		if entry.Spec == "" || err != nil {
			continue
		}
		if !e.InProcess {
			total += processMemory
		}
		most = greatest(most, spec.Within(e.Settings.Budget).Need().Memory)
	}
	if e.Rules.Chance() {
		most[1] = 0
	}
	return total + uint64(e.Concurrency)*(most[0]+most[1])
}

// greatest returns the two greatest of three numbers, the greater one first.
func greatest(two [2]uint64, n uint64) [2]uint64 {
	all := []uint64{two[0], two[1], n}
	slices.Sort(all)
	return [2]uint64{all[2], all[1]}
}

// memory has the estimated memory of the bots of all events being played. Each event is estimated when it starts.
type memory struct {
	most     uint64 // bytes, 0 for no limit
	mu       sync.Mutex
	reserved map[any]uint64 // by the user of the memory: a lineup, a visitor's game or a search
}

func newMemory(most uint64) *memory { return &memory{most: most, reserved: map[any]uint64{}} }

// allows returns an error if that number of bytes is above the limit for the bots of all events together.
func (m *memory) allows(bytes uint64) error {
	if m.most > 0 && bytes > m.most {
		return fmt.Errorf("its bots may need %s of memory, more than the %s that this arena allows: "+
			"play fewer games at once, give the bots fewer nodes or playouts, or allow more with --memory", gib(bytes), gib(m.most))
	}
	return nil
}

// reserve reserves memory for all bots of a user, such as a lineup, for that number of games at once. It replaces the
// user's earlier reservation. If the bots of all events would then need more than the limit, reserve returns an error
// and changes nothing.
func (m *memory) reserve(user any, bytes uint64, games int) error {
	if others, ok := m.take(user, bytes); !ok {
		return fmt.Errorf("its bots may need %s of memory for %d games at once and the bots of other events %s, more than the %s that this arena allows: "+
			"play fewer games at once, give the bots fewer nodes or playouts, or allow more with --memory", gib(bytes), games, gib(others), gib(m.most))
	}
	return nil
}

// take reserves memory for a user, in place of its earlier reservation. If all reservations together are then above the
// limit, take changes nothing and returns false. others is the memory that the other users have reserved.
func (m *memory) take(user any, bytes uint64) (others uint64, ok bool) {
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

// Reserve reserves memory for a search that a visitor asks for, until free is called. This memory has the same limit as
// the memory of the bots of events and of visitors' games. Reserve returns ErrTooMany if the arena allows no more now.
func (s *Server) Reserve(bytes uint64) (free func(), err error) {
	key := new(int)
	if _, ok := s.host.memory.take(key, bytes); !ok {
		return nil, fmt.Errorf("%w: the bots that play here may need all the memory that this arena allows", ErrTooMany)
	}
	return func() { s.host.memory.free(key) }, nil
}

// free ends the reservation of a user.
func (m *memory) free(user any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.reserved, user)
}

// gib formats bytes.
func gib(bytes uint64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }
