package hosting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/disk"
	"versus2048/internal/server"
	"versus2048/internal/server/lobby"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/recipe"
)

// eveningPlan is an evening as its file has it: the keys of an event, and the table [evening].
type eveningPlan struct {
	event tournament.Event
	keptPlan
	known map[string]any // all keys of the file, by table
}

// keptPlan is the table [evening].
type keptPlan struct {
	Bots         int      `toml:"bots"`
	Hours        float64  `toml:"hours"`
	Names        []string `toml:"names"` // of expected bots
	StartWhenAll bool     `toml:"start_when_all"`
	Code         string   `toml:"code"` // of its invitation
	Addr         string   `toml:"addr"`
}

// planPath returns the path of an evening's plan. db is the path of the evening's database.
func planPath(db string) string { return strings.TrimSuffix(db, filepath.Ext(db)) + "-plan.toml" }

// readPlan reads a plan from a file. Settings that are not in the file get their usual values. Numbers that depend on
// the format are missing until complete is called.
func readPlan(path string, parse ParseEvent) (p eveningPlan, err error) {
	text, err := cmdline.ReadConfig(path)
	if err != nil {
		return p, fmt.Errorf("the file of the evening: %w", err)
	}
	if err := p.setUsual(); err != nil {
		return p, err
	}
	if err := parse(path, text, &p.event, &p.keptPlan); err != nil {
		return p, err
	}
	err = toml.Unmarshal(text, &p.known)
	return p, err
}

// setUsual gives the event the usual settings.
func (p *eveningPlan) setUsual() error {
	for _, s := range tournament.AllSettings() {
		if err := s.SetUsual(&p.event); err != nil {
			return fmt.Errorf("the usual %s: %w", s.Name, err)
		}
	}
	recipe.Prepare(&p.event)
	return nil
}

// complete sets the numbers that depend on the format.
func (p *eveningPlan) complete() error { return recipe.Complete(&p.event, recipe.LoadOpenings) }

// has reports whether the file has a key, such as evening.bots, in capitals or not.
func (p *eveningPlan) has(key string) bool { return hasKey(p.known, key) }

func hasKey(table map[string]any, key string) bool {
	first, rest, nested := strings.Cut(key, ".")
	for name, value := range table {
		if strings.EqualFold(name, first) {
			inner, _ := value.(map[string]any)
			return !nested || hasKey(inner, rest)
		}
	}
	return false
}

// identify gives a new plan a random seed unless seeded is set, and a code unless the plan has one. The name and the
// seed identify the event in the database. identify returns an error for an invalid plan.
func (p *eveningPlan) identify(seeded bool) error {
	if !seeded {
		p.event.Seed = server.RandomSeed()
	}
	if p.Code == "" {
		p.Code = protocol.NewCode()
	}
	return p.lobby().Validate()
}

// lobby returns the plan for the lobby.
func (p *eveningPlan) lobby() lobby.Plan {
	return lobby.Plan{Event: p.event, Expected: p.Bots, Names: p.Names, Code: p.Code}
}

// write writes the file of the plan.
func (p *eveningPlan) write(path string) error {
	table, err := toml.Marshal(struct {
		Evening keptPlan `toml:"evening"`
	}{p.keptPlan})
	if err != nil {
		return err
	}
	err = disk.Write(path, true, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "# A club evening: arena host continues it until its event is over.\n%s\n%s", recipe.TOML(p.event), table)
		return err
	})
	if err != nil {
		return fmt.Errorf("the file of the evening: %w", err)
	}
	return nil
}

// unfinishedEvening returns the plan of the evening in a database. ok is false if the command host has written no plan,
// or if the evening is over.
func unfinishedEvening(ctx context.Context, db string, parse ParseEvent) (p eveningPlan, ok bool, err error) {
	p, err = readPlan(planPath(db), parse)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, false, nil
	case err != nil:
		return p, false, err
	}
	if err := p.complete(); err != nil {
		return p, false, fmt.Errorf("%s: %w", planPath(db), err)
	}
	if p.Code == "" {
		return p, false, nil // a file that a host has written, for --config
	}
	_, over, err := recordedEvening(ctx, db, p.event)
	return p, !over, err
}

// recordedEvening returns the number of the event of an evening in a database, 0 if the event has not begun. over
// reports whether the event was played to its end.
func recordedEvening(ctx context.Context, db string, planned tournament.Event) (id int64, over bool, err error) {
	if _, err := os.Stat(db); errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	store, err := results.OpenReader(ctx, db)
	if err != nil {
		return 0, false, err
	}
	defer store.Close()
	events, err := store.EventsNamed(ctx, planned.Name)
	if err != nil {
		return 0, false, err
	}
	i := slices.IndexFunc(events, func(e tournament.Event) bool { return e.Seed == planned.Seed })
	if i < 0 {
		return 0, false, nil
	}
	progress, err := store.Progress(ctx, events[i].ID)
	return events[i].ID, progress.Over, err
}

// describe returns the plan in lines for people.
func (p *eveningPlan) describe(forecast string) string {
	e := &p.event
	var text strings.Builder
	line := func(title, format string, args ...any) {
		fmt.Fprintf(&text, "  %-9s %s\n", title, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&text, "%s\n", plain.Line(e.Name))
	line("format", "%s", roundsText(e))
	line("games", "%v on %v, at most %d at once", e.Rules, e.Size, e.Concurrency)
	line("clock", "%s", clockText(e))
	line("bots", "%d expected", p.Bots)
	line("time", "%s", forecast)
	return text.String()
}

// roundsText describes the format of an event, such as “swiss, 4 rounds; a pairing has 2 matches of two games”.
func roundsText(e *tournament.Event) string {
	matches := "1 match"
	if e.Matches != 1 {
		matches = fmt.Sprintf("%d matches", e.Matches)
	}
	kind := e.Settings.Plan.Kind
	switch kind {
	case "":
		kind = tournament.RoundRobin
	case tournament.Swiss:
		return fmt.Sprintf("swiss, %s; a pairing has %s of two games", terminal.Count(e.Settings.Plan.Rounds, "round", "rounds"), matches)
	}
	return fmt.Sprintf("%s; a pairing has %s of two games", kind, matches)
}

// clockText describes the limits of games.
func clockText(e *tournament.Event) string {
	var limits []string
	for _, name := range []string{"time-per-move", "time", "increment", "max-turns", "max-tile"} {
		if s, ok := tournament.SettingNamed(name); ok && !s.IsZero(e) {
			limits = append(limits, s.Noun()+" "+s.InWords(e))
		}
	}
	return strings.Join(limits, ", ")
}

// checkNames returns an error for a name that no bot can have.
func checkNames(names []string) error {
	for _, name := range names {
		if err := server.CheckName(name); err != nil {
			return err
		}
	}
	return nil
}
