package server

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"versus2048/internal/server/program"
	"versus2048/players"
	"versus2048/protocol/names"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
	"versus2048/tournament/format"
	"versus2048/tournament/recipe"
)

// Millis is a duration, a whole number of milliseconds in JSON.
type Millis = tournament.Millis

// Resolve turns a user's description of an event into an event that can be recorded and played: its Bots become
// Entries, followed by the Entries that it already has. An entry that has only a name or only a spec is treated like
// one of Bots. connected reports whether a bot of that name is connected to an arena, or is a program of the command
// that plays the event itself. grace is how long a bot may be disconnected during the event. Resolve returns an error
// if the event cannot be played.
func Resolve(e tournament.Event, connected func(name string) bool, grace time.Duration) (tournament.Event, error) {
	return resolver{connected: connected, local: true}.resolve(e, grace)
}

// resolver turns the bots that a user named into entries.
type resolver struct {
	connected func(name string) bool // reports whether a bot of that name is connected
	folder    string                 // of files with relative paths in specs, "" for the folder of the process
	others    func() []string        // returns the names of the connected bots; nil if these are secret
	local     bool                   // the arena is one command's own: no other bots connect to it
}

// resolve does the work of Resolve.
func (r resolver) resolve(e tournament.Event, grace time.Duration) (tournament.Event, error) {
	e.Created, e.Grace, e.Memberships = time.Now().UTC(), grace, nil
	if err := checkMillis(e.Clock); err != nil {
		return e, err
	}
	var entries []tournament.Entry
	for _, bot := range e.Bots {
		entry, err := r.newEntry(bot, e)
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

// repeated returns the nth event of a series, given another one and the seed of the first one.
func repeated(e tournament.Event, nth int, first uint64) tournament.Event {
	e.ID, e.Created, e.Memberships = 0, time.Now().UTC(), nil
	e.Name, e.Seed = agenda.Name(e.Name, nth), agenda.Seed(first, nth)
	return e
}

// checkLooks returns an error if people would take one of the bots for another.
func checkLooks(entries []tournament.Entry) error {
	keys := make([]names.Key, len(entries))
	for i, entry := range entries {
		keys[i] = names.NewKey(entry.Name)
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

// checkMillis returns an error for times that the protocol cannot express: it has whole
// milliseconds.
func checkMillis(c tournament.Clock) error {
	for _, t := range []time.Duration{c.PerMove, c.Base, c.Increment} {
		if t%time.Millisecond != 0 {
			return fmt.Errorf("a time of %v: want whole milliseconds", t)
		}
	}
	return nil
}

// resolveEntry returns the entry to record for an entry that a user gave with a name, a spec or both.
func (r resolver) resolveEntry(asked tournament.Entry, e tournament.Event) (tournament.Entry, error) {
	if asked.Name == "" || asked.Spec == "" {
		return r.newEntry(asked.String(), e)
	}
	spec, err := r.parse(asked.Spec)
	if err != nil {
		return asked, fmt.Errorf("bot %q: %w", asked.Name, err)
	}
	return startedEntry(asked.Name, spec, e)
}

// kindOf returns the name of the kind in a bot that satisfies isSpec.
func kindOf(bot string) string {
	_, text := splitName(bot)
	kind, _, _ := strings.Cut(text, ":")
	return kind
}

// newEntry returns the entry to record for a bot that a user gave as SPEC, NAME=SPEC or the name of a connected bot.
func (r resolver) newEntry(bot string, e tournament.Event) (tournament.Entry, error) {
	if isSpec(bot) {
		name, text := splitName(bot)
		spec, err := r.parse(text)
		if err != nil {
			return tournament.Entry{}, err
		}
		return startedEntry(name, spec, e)
	}
	if r.connected(bot) {
		return tournament.Entry{Name: bot}, nil
	}
	return tournament.Entry{}, r.unknown(bot)
}

// unknown returns the error for a bot that is neither a spec nor connected. It suggests a similar name, or the way to
// run a program.
func (r resolver) unknown(bot string) error {
	var others []string
	if r.others != nil {
		others = r.others()
	}
	_, text := splitName(bot)
	_, err := players.Parse(text)
	err = fmt.Errorf("no bot named %q is connected, and it is not a spec either: %w", bot, err)
	near, command := players.Nearest(bot, others), r.meantCommand(bot)
	switch {
	case near != "":
		return fmt.Errorf("%w; did you mean %q, which is connected?", err, near)
	case command != "":
		return fmt.Errorf("bot %q is no spec and no connected bot; if it is a program: %s", bot, command)
	case r.others != nil:
		return fmt.Errorf("%w; %s", err, listed(others))
	}
	return err
}

// meantCommand returns the option or the command that runs a bot with a text like a program, "" for other texts.
func (r resolver) meantCommand(bot string) string {
	name, text := splitName(bot)
	command, found := program.Guess(text, r.local)
	if name == bot {
		name = "NAME"
	}
	switch {
	case !found:
		return ""
	case r.local:
		return "--bot " + recipe.Quote(name+"="+program.Prefix+command)
	}
	return "start it where it is, by bot exec --name " + recipe.Quote(name) + " -- " + command
}

// namesCommand reports whether a bot looks like NAME=COMMAND without the prefix exec:.
func namesCommand(bot string) bool {
	name, text := splitName(bot)
	_, found := program.Guess(text, false)
	return found && name != bot
}

// mostListed is how many connected bots an error lists.
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
func (r resolver) parse(spec string) (players.Spec, error) {
	return players.Parse(players.InFolder(spec, r.folder))
}

// isSpec reports whether a bot that a user gave is SPEC or NAME=SPEC, for the arena to start. A connected bot never
// satisfies it, and cannot have such a name.
func isSpec(bot string) bool {
	_, text := splitName(bot)
	return players.LooksLikeSpec(text)
}

// startedEntry returns the entry of a bot that the arena starts itself.
func startedEntry(name string, spec players.Spec, e tournament.Event) (tournament.Entry, error) {
	if err := spec.Suits(e.Rules, e.Size); err != nil {
		return tournament.Entry{}, fmt.Errorf("bot %q: %w", name, err)
	}
	if err := names.Check(name); err != nil {
		return tournament.Entry{}, fmt.Errorf("bot %q: %w; give it another one: NAME=SPEC", name, err)
	}
	return tournament.Entry{Name: name, Spec: spec.String()}, nil
}

// splitName splits NAME=SPEC. A SPEC alone is its own name; its first = comes after its colon.
func splitName(bot string) (name, spec string) {
	name, spec, named := strings.Cut(bot, "=")
	if !named || strings.Contains(name, ":") {
		return bot, bot
	}
	return name, spec
}
