package roster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
	"versus2048/tournament/format"
	"versus2048/tournament/recipe"
)

// Resolve turns a user's description of an event into an event that can be recorded and played: its Bots become
// Entries, followed by the Entries that it already has. An entry that has only a name or only a spec is treated like
// a bot in Bots. connected reports whether a bot of that name is connected to an arena, or is a program that the
// command line names. grace is the longest time that a bot may be disconnected during the event. Resolve returns an
// error if the event cannot be played.
func Resolve(e tournament.Event, connected func(name string) bool, grace time.Duration) (tournament.Event, error) {
	return Resolver{Connected: connected, local: true}.Resolve(e, grace)
}

// Resolver turns the bots that a user named into entries.
type Resolver struct {
	Connected func(name string) bool // reports whether a bot of that name is connected, or is a program
	Folder    string                 // of files with relative paths in specs, "" for the folder of the process
	Others    func() []string        // returns the names of the connected bots and the programs; nil if these are secret
	local     bool                   // the arena is one command's own: no other bots connect to it
}

// Resolve does the same as the function Resolve, with the bots and the folder of r.
func (r Resolver) Resolve(e tournament.Event, grace time.Duration) (tournament.Event, error) {
	e.Created, e.Grace, e.Memberships = time.Now().UTC(), grace, nil
	if err := checkMillis(e.Clock); err != nil {
		return e, err
	}
	var entries []tournament.Entry
	for _, bot := range e.Bots {
		entry, err := r.NewEntry(bot, e)
		if err != nil {
			return e, err
		}
		entries = append(entries, entry)
	}
	for _, asked := range e.Entries {
		entry, err := r.resolveEntry(asked, e)
		if err != nil {
			return e, err
		}
		entries = append(entries, entry)
	}
	if e.Name == "" {
		e.Name = describe(e)
	}
	e.Bots, e.Entries = nil, entries
	return e, cmp.Or(format.Validate(e), checkLooks(entries))
}

// Repeated returns the nth event of a series. e is any event of the series, and first is the seed of the first event.
func Repeated(e tournament.Event, nth int, first uint64) tournament.Event {
	e.ID, e.Created, e.Memberships = 0, time.Now().UTC(), nil
	e.Name, e.Seed = agenda.Name(e.Name, nth), agenda.Seed(first, nth)
	return e
}

// checkLooks returns an error if people would take one of the bots for another.
func checkLooks(entries []tournament.Entry) error {
	keys := make([]protocol.NameKey, len(entries))
	for i, entry := range entries {
		keys[i] = protocol.NewNameKey(entry.Name)
		if j := slices.IndexFunc(keys[:i], keys[i].Alike); j >= 0 {
			return fmt.Errorf("the bots %q and %q have names that look alike: give one another name (NAME=SPEC)", entries[j].Name, entry.Name)
		}
	}
	return nil
}

// describe returns a name for an event: its bots as the user gave them, separated by commas.
func describe(e tournament.Event) string {
	names := slices.Clone(e.Bots)
	for _, entry := range e.Entries {
		names = append(names, entry.String())
	}
	if len(names) == 0 {
		return "open ladder"
	}
	return strings.Join(names, ", ")
}

// checkMillis returns an error for times that the protocol cannot express: it has whole milliseconds.
func checkMillis(c tournament.Clock) error {
	for _, t := range []time.Duration{c.PerMove, c.Base, c.Increment} {
		if t%time.Millisecond != 0 {
			return fmt.Errorf("a time of %v: want whole milliseconds", t)
		}
	}
	return nil
}

// resolveEntry returns the entry to record for an entry that a user gave with a name, a spec or both.
func (r Resolver) resolveEntry(asked tournament.Entry, e tournament.Event) (tournament.Entry, error) {
	if asked.Name == "" || asked.Spec == "" {
		return r.NewEntry(asked.String(), e)
	}
	spec, err := r.parse(asked.Spec)
	if err != nil {
		return asked, fmt.Errorf("bot %q: %w", asked.Name, err)
	}
	return startedEntry(asked.Name, spec, e)
}

// KindOf returns the name of the kind in a bot that satisfies IsSpec.
func KindOf(bot string) string {
	_, text := SplitName(bot)
	kind, _, _ := strings.Cut(text, ":")
	return kind
}

// NewEntry returns the entry to record for a bot that a user gave as SPEC, NAME=SPEC or the name of a connected bot.
func (r Resolver) NewEntry(bot string, e tournament.Event) (tournament.Entry, error) {
	if IsSpec(bot) {
		name, text := SplitName(bot)
		spec, err := r.parse(text)
		if err != nil {
			return tournament.Entry{}, err
		}
		return startedEntry(name, spec, e)
	}
	if r.Connected(bot) {
		return tournament.Entry{Name: bot}, nil
	}
	return tournament.Entry{}, r.unknown(bot)
}

// unknown returns the error for a bot that is neither a spec nor connected. It suggests a similar name, the way to run
// the bot as a program, or the names of all connected bots.
func (r Resolver) unknown(bot string) error {
	var others []string
	if r.Others != nil {
		others = r.Others()
	}
	_, text := SplitName(bot)
	_, err := players.Parse(text)
	err = fmt.Errorf("no bot named %q is connected, and it is not a spec either: %w", bot, err)
	near, command := players.Nearest(bot, others), r.meantCommand(bot)
	switch {
	case near != "":
		return fmt.Errorf("%w; did you mean %q, which is connected?", err, near)
	case command != "":
		return fmt.Errorf("bot %q is no spec and no connected bot; if it is a program: %s", bot, command)
	case r.Others != nil:
		return fmt.Errorf("%w; %s", err, listed(others))
	}
	return err
}

// meantCommand returns the option, or the command, that runs a bot as a program, if its text looks like one, else "".
func (r Resolver) meantCommand(bot string) string {
	name, text := SplitName(bot)
	command, found := GuessCommand(text, r.local)
	if name == bot {
		name = "NAME"
	}
	switch {
	case !found:
		return ""
	case r.local:
		return "--bot " + recipe.Quote(name+"="+commandPrefix+command)
	}
	return "start it where it is, by bot exec --name " + recipe.Quote(name) + " -- " + command
}

// NamesCommand reports whether a bot looks like NAME=COMMAND without the prefix exec:.
func NamesCommand(bot string) bool {
	name, text := SplitName(bot)
	_, found := GuessCommand(text, false)
	return found && name != bot
}

// mostListed is the largest number of connected bots that an error lists.
const mostListed = 10

// listed lists the bots that are connected.
func listed(bots []string) string {
	switch n := len(bots); {
	case n == 0:
		return "no bot is connected"
	case n > mostListed:
		return fmt.Sprintf("connected are %q and %d more (arena bots lists them)", bots[:mostListed], n-mostListed)
	}
	return fmt.Sprintf("connected are %q", bots)
}

// parse reads a spec and opens its files.
func (r Resolver) parse(spec string) (players.Spec, error) {
	return players.Parse(players.InFolder(spec, r.Folder))
}

// IsSpec reports whether a bot that a user gave is SPEC or NAME=SPEC, for the arena to start. A bot cannot connect
// under a name of this form, unless an event of an earlier version awaits it: see Roster.Awaits.
func IsSpec(bot string) bool {
	_, text := SplitName(bot)
	return players.LooksLikeSpec(text)
}

// startedEntry returns the entry of a bot that the arena starts itself.
func startedEntry(name string, spec players.Spec, e tournament.Event) (tournament.Entry, error) {
	if err := spec.Suits(e.Rules, e.Size); err != nil {
		return tournament.Entry{}, fmt.Errorf("bot %q: %w", name, err)
	}
	if err := protocol.CheckName(name); err != nil {
		return tournament.Entry{}, fmt.Errorf("bot %q: %w; give it another one: NAME=SPEC", name, err)
	}
	return tournament.Entry{Name: name, Spec: spec.String()}, nil
}

// SplitName splits NAME=SPEC. A SPEC alone is its own name; its first = comes after its colon.
func SplitName(bot string) (name, spec string) {
	name, spec, named := strings.Cut(bot, "=")
	if !named || strings.Contains(name, ":") {
		return bot, bot
	}
	return name, spec
}
