package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

func statsCommand() *cli.Command {
	return &cli.Command{
		Name:      "stats",
		Usage:     "compute the standings, crosstable, ratings and head-to-head statistics of an event",
		ArgsUsage: "[EVENT]",
		Description: "The result has these sections, which --section selects: " + strings.Join(sectionNames(), ", ") + ".\n" +
			"A table of more than " + strconv.Itoa(mostShown) + " bots leaves out the results of each pair of bots: --pairs shows them.\n" +
			"On a terminal, tables fit the width, and sections without room are left out unless --section or --pairs names them;\n" +
			"elsewhere the same holds if the variables COLUMNS and LINES are set.",
		Flags: slices.Concat([]cli.Flag{hosting.DatabaseFlag()}, hosting.ReaderFlags(), []cli.Flag{
			eventNumberFlag("the same as EVENT", "the last one with a finished game"),
			&cli.StringFlag{Name: "section", Usage: "only these sections, separated by commas, such as standings,ratings (default: all)"},
			&cli.BoolFlag{Name: "pairs", Usage: "show every two bots against each other, however many there are"},
			&cli.StringFlag{Name: "anchor", Usage: "fix a bot's rating: NAME=ELO (default: the mean is 0)"},
			&cli.StringFlag{Name: "plot", Usage: "draw ratings, scores and tiles into this file, .svg or .png"},
			cmdline.ForceFlag(),
		}, cmdline.OutputFlags()),
		Action: onRecord(cmdline.Printing(stats)),
	}
}

// mostShown is the largest number of bots for which stats shows the table of pairs without --pairs or --section.
const mostShown = 6

// section is a part of an event's statistics. Its name is the title of its table.
type section struct {
	name  string
	key   string // of the statistics' JSON
	write func(w io.Writer, s report.Statistics, width int) error
}

// sections lists the sections of statistics in the order of the output.
func sections() []section {
	return []section{
		{"standings", "standings", func(w io.Writer, s report.Statistics, width int) error {
			return report.WriteStandings(w, s.Standings, width)
		}},
		{"crosstable", "crosstable", func(w io.Writer, s report.Statistics, width int) error {
			return s.Crosstable.WriteText(w, width)
		}},
		{"ratings", "ratings", func(w io.Writer, s report.Statistics, width int) error {
			return s.Ratings.WriteText(w, width)
		}},
		{"roles", "roles", func(w io.Writer, s report.Statistics, width int) error {
			return report.WriteRoles(w, s.Roles, width)
		}},
		{"faults", "roles", func(w io.Writer, s report.Statistics, width int) error {
			return report.WriteFaults(w, s.Roles, width)
		}},
		{"pairs", "head_to_heads", func(w io.Writer, s report.Statistics, width int) error {
			return report.WriteHeadToHeads(w, s.HeadToHeads, width)
		}},
	}
}

func sectionNames() (names []string) {
	for _, s := range sections() {
		names = append(names, s.name)
	}
	return names
}

func stats(c *cli.Context, out cmdline.Output) error {
	id, err := statsEvent(c)
	if err != nil {
		return err
	}
	chosen, err := readSections(c)
	if err != nil {
		return err
	}
	anchor, err := readAnchor(c.String("anchor"))
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if err := checkPlot(c.String("plot")); err != nil {
		return err
	}
	if err := cmdline.CheckFile(c.String("plot"), c.Bool("force")); err != nil {
		return fmt.Errorf("the file of --plot: %w", err)
	}
	found, err := readStatistics(c, id, anchor)
	if err != nil {
		return err
	}
	if path := c.String("plot"); path != "" {
		draw := func(w io.Writer) error {
			return report.WriteChart(w, pictureFormat(path), found.statistics, found.collected)
		}
		if err := cmdline.WriteFile(path, c.Bool("force"), draw); err != nil {
			return err
		}
		warnOfLetters(c.App.ErrWriter, path, found.event.Entries)
	}
	return chosen.print(out, found.event, found.statistics)
}

// eventStatistics has an event with its statistics.
type eventStatistics struct {
	event      tournament.Event
	statistics report.Statistics
	collected  *report.Collector // the source of the statistics, nil if a running arena has computed them
}

// readStatistics returns the statistics of an event of a database or of a running arena.
func readStatistics(c *cli.Context, id int64, anchor *report.Anchor) (eventStatistics, error) {
	return read(c, func(*server.Client) (eventStatistics, error) { return remoteStatistics(c, id, anchor) },
		func(store *results.Reader) (eventStatistics, error) {
			e, err := chosenEvent(c, store, id)
			if err != nil {
				return eventStatistics{}, err
			}
			return statistics(c.Context, store, e, anchor)
		})
}

// selection is the choice of sections by --section and --pairs. The empty selection is everything, but its text leaves
// out the standings of a round-robin and the pairs of many bots.
type selection struct {
	names []string
	pairs bool
}

func readSections(c *cli.Context) (selection, error) {
	chosen := selection{pairs: c.Bool("pairs")}
	if !c.IsSet("section") {
		return chosen, nil
	}
	for name := range strings.SplitSeq(c.String("section"), ",") {
		if name = strings.TrimSpace(name); !slices.Contains(sectionNames(), name) {
			return chosen, cmdline.Usagef("--section %q: want some of %s", name, strings.Join(sectionNames(), ", "))
		}
		chosen.names = append(chosen.names, name)
	}
	return chosen, nil
}

func (chosen selection) has(name string) bool {
	return chosen.names == nil || slices.Contains(chosen.names, name) || name == "pairs" && chosen.pairs
}

func (chosen selection) print(out cmdline.Output, e tournament.Event, s report.Statistics) error {
	value, err := chosen.value(s)
	if err != nil {
		return err
	}
	return out.Print(cmdline.Tabular(value, s.Tables(chosen.has), func(w io.Writer) error { return chosen.write(w, e, s, out) }))
}

// value returns the statistics without the keys of sections that are not chosen.
func (chosen selection) value(s report.Statistics) (any, error) {
	if chosen.names == nil {
		return s, nil
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var all, some map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	some = map[string]json.RawMessage{"event": all["event"], "name": all["name"], "matches": all["matches"]}
	for _, section := range sections() {
		if chosen.has(section.name) {
			some[section.key] = all[section.key]
		}
	}
	return some, nil
}

// write writes the sections for a terminal.
func (chosen selection) write(w io.Writer, e tournament.Event, s report.Statistics, out cmdline.Output) error {
	heading := fmt.Sprintf("event %d: %s, %v %v, %s", e.ID, plain.Line(e.Name), e.Rules, e.Size, terminal.Count(s.Matches, "match", "matches"))
	heading = terminal.Wrap(heading, out.Width, "  ") + "\n"
	parts, err := chosen.parts(e, s, out.Width)
	if err != nil {
		return err
	}
	text := heading
	for _, p := range parts {
		text += p.text
	}
	if chosen.names == nil && !chosen.pairs && out.Height > 0 && strings.Count(text, "\n") >= out.Height {
		text = heading + fitting(parts, out, strings.Count(heading, "\n"))
	}
	_, err = io.WriteString(w, text)
	return err
}

type part struct{ name, text string }

func (chosen selection) parts(e tournament.Event, s report.Statistics, width int) (parts []part, err error) {
	for _, section := range sections() {
		var text strings.Builder
		text.WriteByte('\n')
		switch bots := len(e.Entries); {
		case !chosen.has(section.name):
			continue
		case section.name == "standings" && chosen.names == nil && s.Standings.Format == tournament.RoundRobin:
			continue // the crosstable has all figures
		case section.name == "pairs" && bots > mostShown && !chosen.pairs && chosen.names == nil:
			fmt.Fprintf(&text, "%d bots make %d pairs, which --pairs compares one by one.\n", bots, bots*(bots-1)/2)
		case section.name == "standings":
			text.WriteString(s.Standings.Format + ":\n")
			fallthrough
		default:
			if err := section.write(&text, s, width); err != nil {
				return nil, err
			}
		}
		parts = append(parts, part{section.name, text.String()})
	}
	return parts, nil
}

// fitting returns the parts of an event's statistics that fit on a terminal, one below the other, and names the others.
// It cuts the first part if that is too long.
func fitting(parts []part, out cmdline.Output, above int) (text string) {
	note := func(left []string) string {
		names := strings.Join(left, ",")
		return terminal.Wrap(fmt.Sprintf("\nNo room for %s: --section %s shows them.", strings.Join(left, ", "), names), out.Width, "  ") + "\n"
	}
	var all []string
	for _, p := range parts {
		all = append(all, p.name)
	}
	room := out.Height - 1 - above - strings.Count(note(all), "\n") // the last line is for the next prompt
	var left []string
	for i, p := range parts {
		switch lines := strings.SplitAfter(p.text, "\n"); {
		case len(lines)-1 <= room:
			text, room = text+p.text, room-(len(lines)-1)
		case i == 0:
			text, room = strings.Join(lines[:max(0, room)], ""), 0
			left = append(left, p.name)
		default:
			left = append(left, p.name)
		}
	}
	return text + note(left)
}

// readAnchor parses the value of --anchor. A name may contain equals signs.
func readAnchor(text string) (*report.Anchor, error) {
	if text == "" {
		return nil, nil
	}
	at := strings.LastIndexByte(text, '=')
	elo, err := strconv.ParseFloat(text[at+1:], 64)
	if at < 1 || err != nil || math.IsNaN(elo) || math.IsInf(elo, 0) {
		return nil, fmt.Errorf("--anchor %q: want NAME=ELO, such as greedy=1000", text)
	}
	return &report.Anchor{Name: text[:at], Elo: elo}, nil
}

// checkPlot returns a usage error for a file name without a picture format.
func checkPlot(path string) error {
	if format := pictureFormat(path); path != "" && format != report.SVG && format != report.PNG {
		return cmdline.Usagef("--plot %s: want a name that ends in .%s or .%s", path, report.SVG, report.PNG)
	}
	return nil
}

// pictureFormat returns the format in the name of a file.
func pictureFormat(path string) string { return strings.TrimPrefix(filepath.Ext(path), ".") }

// warnOfLetters lists the names that a PNG cannot show: its font has no wide letters, and unlike an SVG it cannot use
// the reader's fonts.
func warnOfLetters(w io.Writer, path string, entries []tournament.Entry) {
	for _, e := range entries {
		name := plain.Line(e.Name)
		if pictureFormat(path) == report.PNG && terminal.Width(name) > utf8.RuneCountInString(name) {
			fmt.Fprintf(w, "%s has no letters for the name %s: draw a .%s to see it\n", path, name, report.SVG)
		}
	}
}

// statsEvent reads the number of the event from the argument or --event, 0 for the last played event.
func statsEvent(c *cli.Context) (int64, error) {
	switch {
	case c.Args().Len() == 0:
		return c.Int64("event"), nil
	case c.IsSet("event"):
		return 0, cmdline.Usagef("EVENT and --event: give only one of them")
	}
	return parseNumber("EVENT", c.Args().First())
}

// chosenEvent returns the event with that number or, for 0, the last event with a finished game, or else the newest. If
// it passes over newer events, it prints the number of the newest.
func chosenEvent(c *cli.Context, store *results.Reader, id int64) (tournament.Event, error) {
	if id != 0 {
		return store.Event(c.Context, id)
	}
	event, err := store.LastEvent(c.Context)
	if missing := (*results.NotFoundError)(nil); errors.As(err, &missing) {
		return event, fmt.Errorf("no event has been played in %s yet", c.String("db"))
	}
	if err != nil {
		return event, err
	}
	newer, err := store.EventsAfter(c.Context, event.ID)
	if err == nil && len(newer) > 0 {
		tellNewer(c, newer[len(newer)-1], event.ID)
	}
	return event, err
}

// tellNewer prints that the newest event was passed over, unless it is the chosen one.
func tellNewer(c *cli.Context, newest, chosen int64) {
	if newest != chosen {
		fmt.Fprintf(c.App.ErrWriter, "event %d has no finished game: this is event %d, the last one with a finished game\n", newest, chosen)
	}
}

func statistics(ctx context.Context, store *results.Reader, e tournament.Event, anchor *report.Anchor) (eventStatistics, error) {
	collected, err := store.Collect(ctx, e, true)
	if err != nil {
		return eventStatistics{}, err
	}
	s, err := collected.Statistics(anchor)
	return eventStatistics{e, s, collected}, err
}
