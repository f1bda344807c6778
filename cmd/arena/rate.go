package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/internal/web/archive"
	"versus2048/protocol"
	"versus2048/tournament"
	"versus2048/tournament/rating"
	"versus2048/tournament/standing"
)

func rateCommand() *cli.Command {
	return &cli.Command{
		Name:      "rate",
		Usage:     "find out how strong a new bot is, in as few matches as possible",
		ArgsUsage: "BOT",
		Description: "The bot is NAME=exec:COMMAND for a program of yours, a spec, or with --server the name of a connected bot.\n" +
			"It plays rated bots, one after the other; each next match is the one that says the most about its rating. Its\n" +
			"opponents are bots of the list (see: arena rating) that the arena can start, connected ones, and quick bots of the registry.\n" +
			"A placement that was interrupted is resumed like any other event. docs/RATINGS.md explains placements.",
		Flags: slices.Concat([]cli.Flag{
			cmdline.SettingFlagFor("within", "50", "stop when the 95% interval of the rating is at most this many Elo to each side"),
			cmdline.SettingFlagFor("matches", "200", "stop after this many matches; 0 for no limit"),
			&cli.StringSliceFlag{Name: "against", Usage: "meet only this bot, SPEC or with --server a connected bot's name; repeat it for each (default: all that are rated)"},
		}, rateFlags(), playFlags()),
		Action: cmdline.WithArguments(rate),
	}
}

// rateSettings returns the names of the settings that placements share with other events.
func rateSettings() []string {
	return []string{"rules", "size", "time-per-move", "time", "increment", "seed", "concurrency"}
}

func rateFlags() (flags []cli.Flag) {
	for _, name := range rateSettings() {
		flags = append(flags, cmdline.SettingFlag(name))
	}
	return flags
}

func rate(c *cli.Context) (err error) {
	event, err := readPlacement(c)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	newcomer := event.Bots[0]
	programs, err := takePrograms(c, &event)
	if err != nil {
		return err
	}
	trial := event
	trial.Bots, trial.Settings.Plan = append(slices.Clone(event.Bots), opponentOf(newcomer)), tournament.Plan{}
	trial.Matches = cmp.Or(event.Matches, 1) // 0 means no limit, which a round-robin does not allow
	if err := checkBots(c, trial, programs); err != nil {
		return err
	}
	a, err := openArena(c, programs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := addOpponents(c, a, newcomer, &event); err != nil {
		return err
	}
	_, err = follow(c, a, starting(a, event), func(f *follower, ctx context.Context, last server.Progress) error {
		return f.printPlacement(ctx, last, &event)
	})
	return err
}

// opponentOf returns a bot with another name than the newcomer, for the event that checks the newcomer.
func opponentOf(newcomer string) string {
	if name, _ := roster.SplitName(newcomer); protocol.AlikeNames(name, "opponent") {
		return "another=random"
	}
	return "opponent=random"
}

// readPlacement reads the flags. The event's only bot is the newcomer.
func readPlacement(c *cli.Context) (e tournament.Event, err error) {
	e.Bots = []string{c.Args().First()}
	e.Name = "rate " + e.Bots[0]
	if roster.IsCommand(e.Bots[0]) {
		if programs, names, err := roster.SplitCommands(e.Bots); err == nil && len(programs) == 1 {
			e.Name = "rate " + names[0] // the name must not show the command to others
		}
	}
	for _, name := range append(rateSettings(), "within", "matches") {
		err = cmp.Or(err, cmdline.ReadSetting(c, name, &e))
	}
	e.Settings.Plan.Kind, e.Settings.Plan.Ahead = tournament.Placement, max(1, e.Concurrency)
	if err == nil && !(e.Settings.Plan.Within >= 1) {
		err = fmt.Errorf("--within %v: want 1 or more", e.Settings.Plan.Within)
	}
	return e, err
}

// addOpponents adds the newcomer's opponents to the event, with their ratings.
func addOpponents(c *cli.Context, a *hosting.Arena, newcomer string, e *tournament.Event) error {
	list, err := listFor(c.Context, a, e)
	if err != nil {
		return err
	}
	var connected []standing.Connected
	if !a.IsLocal() {
		bots, err := a.Client.Bots(c.Context)
		if err != nil {
			return err
		}
		for _, b := range bots {
			if b.Event == 0 && !b.Away && b.Name != e.Bots[0] {
				id := tournament.Identity{Name: b.Name, Version: b.Version, Author: b.Author, Spec: b.Spec}
				connected = append(connected, standing.Connected{Name: b.Name, Bot: standing.ConnectedBot(id)})
			}
		}
	}
	opponents, rated := standing.Opponents(list, connected, newcomer, e)
	if opponents, err = chosenOpponents(c.StringSlice("against"), opponents); err != nil {
		return err
	}
	for _, o := range opponents {
		e.Bots = append(e.Bots, o.Bot)
		e.Settings.Plan.Known = append(e.Settings.Plan.Known, o.Known)
	}
	if !rated && !c.Bool("quiet") {
		fmt.Fprintf(c.App.ErrWriter, "no bot has a rating yet under the conditions %q: the program's own ratings of the registry's bots are used\n", standing.ConditionsOf(e))
	}
	return nil
}

// listFor returns the standing list of an event's conditions, nil if there is none.
func listFor(ctx context.Context, a *hosting.Arena, e *tournament.Event) (*standing.List, error) {
	conditions := standing.ConditionsOf(e).String()
	has := func(all []standing.Summary) bool {
		return slices.ContainsFunc(all, func(s standing.Summary) bool { return s.Conditions == conditions })
	}
	if !a.IsLocal() {
		ratings, err := a.Client.Ratings(ctx, "")
		if err != nil || !has(ratings.All) {
			return nil, err
		}
		ratings, err = a.Client.Ratings(ctx, conditions)
		return ratings.List, err
	}
	collected, err := archive.CollectLists(ctx, a.Store.Reader)
	if err != nil || !has(collected.Summaries()) {
		return nil, err
	}
	list, err := collected.List(conditions, standing.Defaults())
	return &list, err
}

// chosenOpponents returns the opponents that --against names, or all.
func chosenOpponents(names []string, all []standing.Opponent) (chosen []standing.Opponent, err error) {
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, o := range all {
		known = append(known, o.Bot)
	}
	for _, name := range names {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, cmdline.Usagef("--against %s: its rating is not known: want some of %q", plain.Line(name), known)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

type placed struct {
	Event      int64   `json:"event"`
	Bot        string  `json:"bot"`
	Conditions string  `json:"conditions"`
	Matches    int     `json:"matches"`
	Points     float64 `json:"points"`
	// Margin is half the width of the 95 % interval. Elo and Margin are nil as long as the bot has won all its
	// matches, or has lost all: its distance from the other bots is unknown then.
	Elo    *float64 `json:"elo"`
	Margin *float64 `json:"margin"`
	Place  int      `json:"place"`
	Of     int      `json:"of"`
	// Above and Below are the bots on the places before and after this one, nil for none.
	Above *neighbour `json:"above,omitempty"`
	Below *neighbour `json:"below,omitempty"`

	standings tournament.Standings
}

type neighbour struct {
	Bot string  `json:"bot"`
	Elo float64 `json:"elo"`
}

func newPlaced(event int64, e *tournament.Event, s tournament.Standings) placed {
	at := slices.IndexFunc(s.Places, func(p tournament.Place) bool { return p.Name == s.Newcomer })
	p := s.Places[at]
	r := placed{
		Event: event, Bot: p.Name, Conditions: standing.ConditionsOf(e).String(), Matches: p.Played, Points: p.Values[2],
		Place: p.Place, Of: len(s.Places), standings: s,
	}
	if margin := rating.Margin(p.Values[1]); 0 < r.Points && r.Points < float64(r.Matches) {
		r.Elo, r.Margin = &p.Values[0], &margin
	}
	next := func(i int) *neighbour {
		if i < 0 || i >= len(s.Places) {
			return nil
		}
		return &neighbour{s.Places[i].Name, s.Places[i].Values[0]}
	}
	r.Above, r.Below = next(at-1), next(at+1)
	return r
}

func (f *follower) printPlacement(ctx context.Context, last server.Progress, e *tournament.Event) error {
	standings, err := f.arena.Client.Standings(ctx, last.Event)
	if err != nil {
		return err
	}
	r := newPlaced(last.Event, e, standings)
	if f.out.Format == cmdline.JSONFormat {
		return cmdline.WriteJSON(f.out.Writer, r)
	}
	var text strings.Builder
	r.write(&text, f.out.Width)
	fmt.Fprintf(&text, "\nThe list of all bots: %s rating %s %s --under %s\n",
		cmdline.ThisProgram(), f.arena.Flag, cmdline.Quote(f.arena.Value), cmdline.Quote(r.Conditions))
	f.printFaults(&text, last)
	_, err = io.WriteString(f.out.Writer, text.String())
	return err
}

// write writes the places and the rating.
func (r *placed) write(text *strings.Builder, width int) {
	table := terminal.Table{Indent: "  ", Columns: append([]terminal.Column{{Right: true}, {Title: "bot", Least: 12}}, terminal.Numbers("Elo", "+/-", "matches", "points")...)}
	for _, p := range r.standings.Places {
		name, margin := p.Name, rating.Margin(p.Values[1])
		elo, margins := whole(&p.Values[0]), whole(&margin)
		if p.Name == r.Bot {
			name, elo, margins = "> "+name, whole(r.Elo), whole(r.Margin)
		}
		table.Add(p.Place, name, elo, margins, p.Played, p.Values[2])
	}
	text.WriteString(table.Text(width) + "\n" + terminal.Wrap(r.sentence(), width, "  "))
}

// whole returns a number without decimals, or "-" for none.
func whole(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.0f", *x)
}

func (r *placed) sentence() string {
	name := plain.Line(r.Bot)
	switch {
	case r.Matches == 0:
		return fmt.Sprintf("%s has played no match.\n", name)
	case r.Points == float64(r.Matches):
		return fmt.Sprintf("%s has won all its matches (%d): they do not show yet how much stronger than these bots it is.\n", name, r.Matches)
	case r.Points == 0:
		return fmt.Sprintf("%s has lost all its matches (%d): they do not show yet how much weaker than these bots it is.\n", name, r.Matches)
	}
	return fmt.Sprintf("%s: Elo %s +/- %s after %s (95%% interval), place %d of %d.\n", name, whole(r.Elo), whole(r.Margin), terminal.Count(r.Matches, "match", "matches"), r.Place, r.Of)
}
