package server

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os/exec"
	"slices"
	"time"

	"versus2048/internal/server/budget"
	"versus2048/internal/server/roster"
	"versus2048/internal/server/trouble"
	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/protocol"
	"versus2048/tournament"
)

// entrants are the bots that can play in the events of an arena: bots on its roster, programs of its host, bots that
// the arena starts in its own process or in other processes, and bots that the workers of its farm start.
type entrants struct {
	roster       *roster.Roster
	programs     roster.Commands
	startTimeout time.Duration // of a program
	allowed      roster.Allowance
	memory       *roster.MemoryBudget
	launch       func(roster.Own) *exec.Cmd
	botURL       string
	farm         Farm // or nil
	version      string
	stalls       *clock.Stalls
	budget       *budget.Budget // of the processors, for strangers
	log          *slog.Logger
}

// programsOf returns the names of the entries that are programs of the host.
func (en *entrants) programsOf(e tournament.Event) (names []string) {
	for _, entry := range e.Entries {
		if entry.Spec == "" && en.programs[entry.Name] != nil {
			names = append(names, entry.Name)
		}
	}
	return names
}

// resolver returns a resolver for the bots of an event that starts now.
func (en *entrants) resolver() roster.Resolver {
	return roster.Resolver{Connected: en.knows, Folder: en.allowed.RelativeTo(), Others: en.names}
}

// names returns the names of the bots that can be asked to play.
func (en *entrants) names() []string {
	all := slices.Collect(maps.Keys(en.programs))
	for _, b := range en.roster.List() {
		all = append(all, b.Name)
	}
	slices.Sort(all)
	return all
}

// knows reports whether a bot of that name can be asked to play: it is connected, or a program of the host.
func (en *entrants) knows(name string) bool {
	return en.programs[name] != nil || en.roster.Connected(name)
}

// expecting returns a resolver for an event that waits in the queue: its bots need not be connected yet.
func (en *entrants) expecting() roster.Resolver {
	return roster.Resolver{Connected: func(bot string) bool { return CheckName(bot) == nil && !roster.NamesCommand(bot) }, Folder: en.allowed.RelativeTo()}
}

// onRoster returns the bots of an event that need a slot on the roster before the event begins. Bots that connect to an
// open ladder need no slot by then.
func (en *entrants) onRoster(r *run) (entries []tournament.Entry) {
	for _, entry := range r.entries {
		if entry.Spec == "" && r.event.Settings.Plan.Open != tournament.Closed {
			continue
		}
		if en.needsSlot(&r.event, entry) {
			entries = append(entries, entry)
		}
	}
	return entries
}

// needsSlot reports whether a bot of an event needs a slot on the roster. Connected bots need a slot, and so do bots
// that the arena starts as processes. Bots in the arena's own process, bots on workers and programs of the host need
// none.
func (en *entrants) needsSlot(e *tournament.Event, entry tournament.Entry) bool {
	if entry.Spec == "" {
		return en.programs[entry.Name] == nil
	}
	return !e.InProcess && (en.farm == nil || e.Settings.Unrecorded || !en.farm.Takes(entry))
}

// CheckName returns an error unless a bot that connects by itself can have the name.
func CheckName(name string) error {
	if roster.IsSpec(name) || roster.IsCommand(name) {
		return fmt.Errorf("name %.80q: it stands for a bot that the arena starts", name)
	}
	return protocol.CheckName(name)
}

// Workers returns the workers of the arena's farm, by name.
func (en *entrants) Workers() []Worker {
	if en.farm == nil {
		return []Worker{}
	}
	return append([]Worker{}, en.farm.Workers()...)
}

// checkRound returns an error if a round cannot be done. It changes the paths of the round's bot to paths on this
// machine.
func (en *entrants) checkRound(r *Round) error {
	if en.farm == nil {
		return errors.New("this arena has no workers: start it with arena serve --farm")
	}
	r.Bot = players.InFolder(r.Bot, en.allowed.RelativeTo())
	if err := cmp.Or(r.Validate(), en.allowed.Check(r.Bot)); err != nil {
		return err
	}
	return en.farm.Validate(*r)
}

// Farm plays matches on other machines, and does other work there.
type Farm interface {
	// Executor returns a new executor, for one event.
	Executor() Executor
	// Takes reports whether workers can play these bots.
	Takes(...tournament.Entry) bool
	RoundFarm
	// Workers returns, by name, the workers that have sent a message lately, and the workers that are set aside.
	Workers() []Worker
}

// Worker is a process that plays games for an arena's farm.
type Worker struct {
	Name    string  `json:"name"`
	Host    string  `json:"host,omitempty"`    // its machine
	Version string  `json:"version,omitempty"` // of its program
	Cores   int     `json:"cores,omitempty"`   // processors that it may use
	Games   int     `json:"games,omitempty"`   // matches that it plays at once
	Busy    int     `json:"busy,omitempty"`    // matches that it plays now
	Played  int     `json:"played,omitempty"`  // games that it has played since it began
	Faults  int     `json:"faults,omitempty"`  // matches that it could not play
	Speed   float64 `json:"speed,omitempty"`   // playouts a second of one core
	Late    Millis  `json:"late_ms,omitempty"` // the mean delay of its timers over half a minute
	// Overloaded reports that its timers are so late that it plays fewer games at once.
	Overloaded bool   `json:"overloaded,omitempty"`
	Exec       bool   `json:"exec,omitempty"`    // it also runs programs
	Aside      string `json:"aside,omitempty"`   // why it gets no more games
	Trouble    string `json:"trouble,omitempty"` // why it cannot have the files of bots now
}

// Executor is the part of a Farm that plays the matches of one event.
type Executor interface {
	tournament.Elsewhere
	// Met notes workers that have played games of the event for an earlier executor. It returns a
	// *tournament.DistrustError if some of them are set aside.
	Met(workers ...string) error
	// Unchecked returns the reason why matches with a bot of an event cannot be checked, "" if they can.
	Unchecked(e tournament.Event, entry tournament.Entry) string
	// Close ends the executor: it plays no more matches.
	Close()
}

// workers returns the state of the farm's workers, none without a farm.
func (en *entrants) workers() (all []trouble.Worker) {
	if en.farm == nil {
		return nil
	}
	for _, w := range en.farm.Workers() {
		all = append(all, trouble.Worker{Name: w.Name, Aside: w.Aside, Late: time.Duration(w.Late), Busy: w.Overloaded})
	}
	return all
}
