package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/disk"
	"versus2048/internal/text/terminal"
	"versus2048/results"
)

func pruneCommand() *cli.Command {
	return &cli.Command{
		Name:  "prune",
		Usage: "remove old events, or only their search reports or logs",
		Description: "It lists the data that it would remove, and removes them only with --yes, while no arena has the database\n" +
			"open. Events are exported before they are removed; arena import reads them again. Events that wait\n" +
			"to be played are kept.",
		Flags: []cli.Flag{
			hosting.DatabaseFlag(),
			&cli.StringFlag{Name: "before", Usage: "prune events that ended before this date, such as 2026-10-31, or longer ago than 90d or 12h"},
			&cli.IntFlag{Name: "keep-events", DefaultText: "no limit by number", Action: cmdline.AtLeast("keep-events", 0), Usage: "prune all but the N newest events"},
			&cli.BoolFlag{Name: "searches-only", Usage: "remove only the search reports of their games"},
			&cli.BoolFlag{Name: "logs-only", Usage: "remove only the programs' logs (their standard error)"},
			&cli.BoolFlag{Name: "unfinished", Usage: "prune also events with games in progress, which then cannot be resumed"},
			&cli.StringFlag{Name: "export", Usage: "export each event into this folder before its removal, as event-NUMBER.jsonl.gz"},
			&cli.BoolFlag{Name: "no-export", Usage: "remove events without exporting them"},
			&cli.BoolFlag{Name: "yes", Usage: "remove the data that the command lists"},
			&cli.BoolFlag{Name: "json", Usage: "print the removed data, or the data to remove, as JSON"},
		},
		Action: cmdline.WithArguments(prune),
	}
}

// pruned is the result of the command: the events, search reports and logs that it has removed or, without --yes, would
// remove.
type pruned struct {
	Removed  bool                `json:"removed"` // false without --yes
	Events   []results.EventSize `json:"events"`
	Kept     []results.EventSize `json:"kept"`               // old enough, but kept
	Searches *results.Extras     `json:"searches,omitempty"` // with --searches-only
	Logs     *results.Extras     `json:"logs,omitempty"`     // with --logs-only
	Before   int64               `json:"bytes_before"`       // of the database
	After    int64               `json:"bytes_after,omitempty"`
}

func prune(c *cli.Context) (err error) {
	before, err := checkPrune(c, time.Now())
	if err != nil {
		return err
	}
	path := c.String("db")
	reader, store, err := openToPrune(c, path)
	if err != nil {
		return err
	}
	if store == nil {
		defer func() { err = errors.Join(err, reader.Close()) }()
	} else {
		defer func() { err = errors.Join(err, store.Close()) }()
	}
	p := pruned{Removed: c.Bool("yes"), Before: fileSize(path), Events: []results.EventSize{}, Kept: []results.EventSize{}}
	if c.Bool("searches-only") || c.Bool("logs-only") {
		err = p.extras(c, reader, store, before)
	} else {
		err = p.events(c, reader, store, before)
	}
	if err != nil && (!p.Removed || p.empty()) {
		return err
	}
	if p.Removed {
		p.shrink(c, store, path)
	}
	return errors.Join(p.print(c), err) // the removed data are printed even if a later removal has failed
}

// empty reports whether no data are removed or, without --yes, would be.
func (p *pruned) empty() bool {
	return len(p.Events) == 0 && (p.Searches == nil || p.Searches.Games == 0) && (p.Logs == nil || p.Logs.Games == 0)
}

// openToPrune opens the database for reading, and with --yes also for writing.
func openToPrune(c *cli.Context, path string) (*results.Reader, *results.Store, error) {
	if !c.Bool("yes") {
		reader, err := results.OpenReader(c.Context, path)
		return reader, nil, err
	}
	if err := results.Find(path); err != nil {
		return nil, nil, err
	}
	store, err := results.Open(c.Context, path)
	if err != nil {
		return nil, nil, err
	}
	return store.Reader, store, nil
}

func (p *pruned) print(c *cli.Context) error {
	if c.Bool("json") {
		return cmdline.WriteJSON(c.App.Writer, p)
	}
	_, err := io.WriteString(c.App.Writer, strings.Join(p.lines(c), "\n")+"\n")
	return err
}

// checkPrune returns the date of --before, or a usage error. Events that ended before that date are old; zero means no
// limit by date.
func checkPrune(c *cli.Context, now time.Time) (before time.Time, err error) {
	extras := onlyExtras(c)
	switch {
	case !c.IsSet("before") && !c.IsSet("keep-events"):
		return before, cmdline.Usagef("name the old events: --before DATE, or --keep-events N")
	case extras && c.Bool("no-export"):
		return before, cmdline.Usagef("--no-export: with --searches-only and --logs-only no event is removed")
	case c.Bool("yes") && needsExport(c):
		return before, cmdline.Usagef("whole events would be removed: name a folder for their files with --export FOLDER, or give --no-export")
	case c.IsSet("export") && (extras || c.Bool("no-export")):
		return before, cmdline.Usagef("--export: it does not go with --no-export, --searches-only or --logs-only")
	}
	if c.IsSet("before") {
		before, err = parseAge(c.String("before"), now)
	}
	return before, err
}

// needsExport reports whether whole events would be removed, although the flags neither name a folder for an export nor
// forbid an export. With --yes, such flags are refused.
func needsExport(c *cli.Context) bool {
	return !onlyExtras(c) && c.String("export") == "" && !c.Bool("no-export")
}

// onlyExtras reports whether only search reports or logs of events are removed.
func onlyExtras(c *cli.Context) bool { return c.Bool("searches-only") || c.Bool("logs-only") }

// parseAge parses a date, a date with a time, or an age.
func parseAge(text string, now time.Time) (time.Time, error) {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	if days, err := strconv.ParseUint(strings.TrimSuffix(text, "d"), 10, 16); err == nil && strings.HasSuffix(text, "d") {
		return now.AddDate(0, 0, -int(days)), nil
	}
	age, err := time.ParseDuration(text)
	if err != nil || age < 0 || !strings.HasSuffix(text, "h") { // 1m may mean a minute or a month
		return now, cmdline.Usagef("--before %s: want a date such as 2026-10-31, or an age such as 90d or 12h", text)
	}
	return now.Add(-age), nil
}

// old returns the events that had their last game, or were created without games, before a date, or all events if the
// date is zero. It leaves out the newest events that --keep-events keeps.
func old(c *cli.Context, sizes []results.EventSize, before time.Time) []results.EventSize {
	if c.IsSet("keep-events") {
		sizes = sizes[:max(0, len(sizes)-c.Int("keep-events"))]
	}
	var found []results.EventSize
	for _, e := range sizes {
		if before.IsZero() || e.Last.Before(before) {
			found = append(found, e)
		}
	}
	return found
}

// events exports and removes whole events. Without --yes it only lists them.
func (p *pruned) events(c *cli.Context, reader *results.Reader, store *results.Store, before time.Time) error {
	sizes, err := reader.EventSizes(c.Context)
	if err != nil {
		return err
	}
	var going []results.EventSize
	for _, e := range old(c, sizes, before) {
		if e.Needed || e.Unfinished > 0 && !c.Bool("unfinished") {
			p.Kept = append(p.Kept, e)
		} else {
			going = append(going, e)
		}
	}
	if !p.Removed {
		p.Events = append(p.Events, going...)
		return nil
	}
	if err := prepareExports(c, going); err != nil {
		return err
	}
	for _, e := range going {
		if err := exportPruned(c, reader, e.Event); err != nil {
			return err
		}
		if err := store.RemoveEvent(c.Context, e.Event); err != nil {
			return err
		}
		p.Events = append(p.Events, e)
	}
	return nil
}

// prepareExports makes the folder of --export. It returns an error if the file of an event exists already.
func prepareExports(c *cli.Context, events []results.EventSize) error {
	folder := c.String("export")
	if folder == "" {
		return nil
	}
	// #nosec G301 -- results, for anybody
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("the folder of --export: %w", err)
	}
	for _, e := range events {
		if err := disk.Check(exportName(folder, e.Event), false); err != nil {
			return fmt.Errorf("%w: nothing is removed; name another folder with --export", err)
		}
	}
	return nil
}

// exportPruned exports an event before its removal.
func exportPruned(c *cli.Context, reader *results.Reader, id int64) error {
	folder := c.String("export")
	if folder == "" {
		return nil
	}
	return createFile(exportName(folder, id), false, func(w io.Writer) error {
		_, err := reader.Export(c.Context, w, id)
		return err
	})
}

func exportName(folder string, id int64) string {
	return filepath.Join(folder, fmt.Sprintf("event-%d.jsonl.gz", id))
}

func (p *pruned) extras(c *cli.Context, reader *results.Reader, store *results.Store, before time.Time) error {
	a := results.Aged{Before: before}
	if c.IsSet("keep-events") {
		sizes, err := reader.EventSizes(c.Context)
		if err != nil {
			return err
		}
		a.Events = []int64{}
		for _, e := range old(c, sizes, time.Time{}) {
			a.Events = append(a.Events, e.Event)
		}
	}
	remove := reader.Extras
	if p.Removed {
		remove = store.RemoveExtras
	}
	for _, x := range []struct {
		flag string
		what results.Extra
		to   **results.Extras
	}{{"searches-only", results.Searches, &p.Searches}, {"logs-only", results.Logs, &p.Logs}} {
		if !c.Bool(x.flag) {
			continue
		}
		gone, err := remove(c.Context, x.what, a)
		if err != nil {
			return err
		}
		*x.to = &gone
	}
	return nil
}

// shrink makes the database's file smaller if data were removed. If it fails, the data remain removed.
func (p *pruned) shrink(c *cli.Context, store *results.Store, path string) {
	if !p.empty() {
		if err := store.Shrink(c.Context); err != nil {
			fmt.Fprintf(c.App.ErrWriter, "the data are removed, but the database's file is as large as before: %v\n", err)
		}
	}
	p.After = fileSize(path)
}

// fileSize returns the length of a file, 0 if there is none.
func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// lines lists the events, search reports and logs that are removed, or would be, and the old events that are kept.
func (p *pruned) lines(c *cli.Context) (lines []string) {
	for _, e := range p.Events {
		line := fmt.Sprintf("event %d, %q: %s, %s", e.Event, e.Name, terminal.Count(e.Games, "game", "games"), cmdline.FormatBytes(e.Records+e.Searches+e.Logs))
		if p.Removed && c.String("export") != "" {
			line += ", exported to " + exportName(c.String("export"), e.Event)
		}
		lines = append(lines, line)
	}
	for _, e := range p.Kept {
		why := "it has games in progress (--unfinished)"
		if e.Needed {
			why = "it is on the agenda"
		}
		lines = append(lines, fmt.Sprintf("event %d, %q stays: %s", e.Event, e.Name, why))
	}
	for i, x := range []*results.Extras{p.Searches, p.Logs} {
		if x == nil {
			continue
		}
		what := []string{"search reports", "logs"}[i]
		lines = append(lines, fmt.Sprintf("the %s of %s, %s", what, terminal.Count(x.Games, "game", "games"), cmdline.FormatBytes(x.Bytes)))
		if x.Bad > 0 {
			lines = append(lines, fmt.Sprintf("%s: see arena verify", terminal.Count(x.Bad, "game differs from its checksum, and stays as it is", "games differ from their checksums, and stay as they are")))
		}
	}
	return append(lines, p.summary(c))
}

func (p *pruned) summary(c *cli.Context) string {
	switch {
	case p.Removed && p.empty():
		return "nothing was removed"
	case p.Removed:
		return fmt.Sprintf("removed; the database had %s, and now has %s", cmdline.FormatBytes(p.Before), cmdline.FormatBytes(p.After))
	case p.empty():
		return "nothing would be removed"
	case needsExport(c):
		return "nothing is removed yet: repeat the command with --yes and --export FOLDER (or --no-export) while no arena runs"
	}
	return "nothing is removed yet: repeat the command with --yes while no arena runs"
}
