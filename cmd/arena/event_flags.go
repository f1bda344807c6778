package main

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/opening"
	"versus2048/tournament/rating"
	"versus2048/tournament/recipe"
)

// eventFlag is a flag that sets a field of an event. A config file has a key for the same field.
type eventFlag struct {
	flag  cli.Flag
	field func(e *tournament.Event) any // a pointer to the field
}

// The groups of these flags in the help. The usual flags have no group.
const (
	clockGroup  = "clocks and absences"
	botGroup    = "the bots"
	formatGroup = "formats"
	gameGroup   = "how games begin and end"
	shownGroup  = "what is shown"
)

// eventSettings lists the flags that describe an event.
func eventSettings() []eventFlag {
	return slices.Concat(gameSettings(), planSettings(), conditionSettings())
}

// gameSettings are the flags for bots, games and times.
func gameSettings() []eventFlag {
	return []eventFlag{
		{
			&cli.StringSliceFlag{Name: "bot", Usage: "a participant: SPEC, NAME=SPEC, NAME=exec:COMMAND, or with --server a connected bot's name; repeat it for each bot"},
			func(e *tournament.Event) any { return &e.Bots },
		},
		{
			&cli.StringFlag{Name: "name", Category: shownGroup, Usage: "the event's name (default: its bots)"},
			func(e *tournament.Event) any { return &e.Name },
		},
		{
			&cli.IntFlag{Name: "matches", DefaultText: "10; swiss 2, knockout and double-elimination 3, placement 200, ladder and sprt 0, no limit", Usage: "matches of each pairing, two games each; in a knockout the maximum, in a ladder of each bot"},
			func(e *tournament.Event) any { return &e.Matches },
		},
		{cmdline.ConcurrencyFlag(), func(e *tournament.Event) any { return &e.Concurrency }},
		{
			&cli.DurationFlag{Name: "time-per-move", Value: 5 * time.Second, Usage: "maximum time for a move; 0 for no limit"},
			func(e *tournament.Event) any { return &e.Clock.PerMove },
		},
		{
			&cli.DurationFlag{Name: "time", Category: clockGroup, Usage: "each side's total time for a game; 0 for no limit"},
			func(e *tournament.Event) any { return &e.Clock.Base },
		},
		{
			&cli.DurationFlag{Name: "increment", Category: clockGroup, Usage: "added to the total time after each move"},
			func(e *tournament.Event) any { return &e.Clock.Increment },
		},
		{
			&cli.DurationFlag{Name: "absent", Category: clockGroup, DefaultText: "until no other games are left", Usage: "how long a bot may be away, at least --grace, before it loses the games that it has not begun"},
			func(e *tournament.Event) any { return &e.Settings.Absent },
		},
		{
			&cli.Uint64Flag{Name: "seed", Category: gameGroup, Value: 1, Usage: "seed of all random choices of the event, below 2^53"},
			func(e *tournament.Event) any { return &e.Seed },
		},
		{cmdline.RulesFlag(), func(e *tournament.Event) any { return &e.Rules }},
		{cmdline.SizeFlag(), func(e *tournament.Event) any { return &e.Size }},
		{
			&cli.BoolFlag{Name: "in-process", Category: botGroup, Usage: "play the bots inside this process, without sockets"},
			func(e *tournament.Event) any { return &e.InProcess },
		},
		{
			&cli.BoolFlag{Name: "search", Category: botGroup, Usage: "record what the bots report of their searches, for: arena replay --search (about 50 kB for each 1000 plies)"},
			func(e *tournament.Event) any { return &e.Search },
		},
		{
			&cli.BoolFlag{Name: "live-search", Category: botGroup, Usage: "show these reports on the pages of games in progress to everybody, not only to operators"},
			func(e *tournament.Event) any { return &e.Settings.LiveSearch },
		},
	}
}

// planSettings are the flags for the format.
func planSettings() []eventFlag {
	return []eventFlag{
		{
			&cli.StringFlag{Name: "format", Value: format.RoundRobin, Usage: strings.Join(format.Names(), ", ")},
			func(e *tournament.Event) any { return &e.Settings.Plan.Kind },
		},
		{
			&cli.IntFlag{Name: "seeds", Category: formatGroup, DefaultText: "1", Usage: "gauntlet: how many of the first bots meet all others"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Seeds },
		},
		{
			&cli.BoolFlag{Name: "seeds-attack", Category: formatGroup, Usage: "gauntlet: the seeds attack first in every match; with --early-decision, long games of strong seeds end early"},
			func(e *tournament.Event) any { return &e.Settings.Plan.SeedsAttack },
		},
		{
			&cli.IntFlag{Name: "rounds", Category: formatGroup, DefaultText: "enough to find a winner, plus one", Usage: "swiss: number of rounds"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Rounds },
		},
		{
			&cli.StringFlag{Name: "sprt", Category: formatGroup, Usage: "sprt: the hypotheses about the first bot, such as elo0=0,elo1=5; also alpha=0.05, beta=0.05 and model=normalized (or logistic)"},
			func(e *tournament.Event) any { return &e.Settings.Plan.SPRT },
		},
		{
			&cli.Float64Flag{Name: "within", Category: formatGroup, DefaultText: "50", Usage: "placement: stop when the 95% interval of the first bot's rating is at most this many Elo to each side"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Within },
		},
		{
			&cli.IntFlag{Name: "ahead", Category: formatGroup, DefaultText: "8, placement 2", Usage: "ladder, sprt, placement: how many matches may begin before one is decided"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Ahead },
		},
		{
			&cli.StringFlag{Name: "open", Category: formatGroup, Usage: "ladder: bots that connect join by themselves: all that the arena admits, or tokens for those with a token"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Open },
		},
		{
			&cli.IntFlag{Name: "most", Category: formatGroup, DefaultText: "200", Usage: "open ladder: how many bots it may ever have"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Most },
		},
	}
}

// conditionSettings are the flags for the start of games, the limits of a move and the end of games.
func conditionSettings() []eventFlag {
	return []eventFlag{
		{
			&cli.StringFlag{Name: "openings", Category: gameGroup, DefaultText: "none; for an sprt random:plies=8 with the event's seed", Usage: "where games start: a file (see: arena openings), random:plies=8,seed=1, or none for the empty board; two matches play each opening, with the roles swapped"},
			func(e *tournament.Event) any { return &e.Settings.Openings.Source },
		},
		{
			&cli.Uint64Flag{Name: "playouts", Category: botGroup, Usage: "playouts for each move, overriding the specs of bots that count them; 0 for those of the specs"},
			func(e *tournament.Event) any { return &e.Settings.Budget.Playouts },
		},
		{
			&cli.Uint64Flag{Name: "nodes", Category: botGroup, Usage: "maximum number of positions that a search keeps, for bots that count them; 0 for those of the specs"},
			func(e *tournament.Event) any { return &e.Settings.Budget.Nodes },
		},
		{
			&cli.DurationFlag{Name: "margin", Category: clockGroup, Usage: "how much later than its limit a move still counts"},
			func(e *tournament.Event) any { return &e.Settings.Lenience.Margin },
		},
		{
			&cli.DurationFlag{Name: "lag", Category: clockGroup, Usage: "maximum time given back for the network delay of each move, as measured by the arena"},
			func(e *tournament.Event) any { return &e.Settings.Lenience.Lag },
		},
		{
			&cli.IntFlag{Name: "max-turns", Category: gameGroup, Usage: "end games after this many turns; 0 for no limit"},
			func(e *tournament.Event) any { return &e.Settings.Adjudication.MaxTurns },
		},
		{
			&cli.IntFlag{Name: "max-tile", Category: gameGroup, Usage: "end games when this tile is made; 0 for no limit"},
			func(e *tournament.Event) any { return &e.Settings.Adjudication.MaxTile },
		},
		{
			&cli.BoolFlag{Name: "early-decision", Category: gameGroup, Usage: "end a match's second game once its score has passed the first one's"},
			func(e *tournament.Event) any { return &e.Settings.Adjudication.EarlyDecision },
		},
		{
			&cli.BoolFlag{Name: "resign", Category: gameGroup, Usage: "let bots resign: a defender keeps its score, an attacker forfeits the match"},
			func(e *tournament.Event) any { return &e.Settings.Adjudication.Resign },
		},
		{
			&cli.IntFlag{Name: "strikes", Category: gameGroup, Usage: "set a bot aside after this many faults; 0 for never"},
			func(e *tournament.Event) any { return &e.Settings.Strikes.Faults },
		},
		{
			&cli.StringFlag{Name: "struck-games", Category: gameGroup, Usage: "the games of a bot that is set aside: count (its opponents win the remaining ones) or void"},
			func(e *tournament.Event) any { return &e.Settings.Strikes.Games },
		},
	}
}

// eventFlags returns the flags of eventSettings.
func eventFlags() (flags []cli.Flag) {
	for _, f := range eventSettings() {
		flags = append(flags, f.flag)
	}
	return flags
}

// readEvent returns the event that the flags and the file of --config describe: first the defaults of the flags, then
// the values of the file, then the flags on the command line.
func readEvent(c *cli.Context) (e tournament.Event, err error) {
	if err := setFields(c, &e, false); err != nil {
		return e, err
	}
	recipe.Prepare(&e)
	if err := readConfig(c, &e); err != nil {
		return e, err
	}
	if c.IsSet("bot") {
		e.Entries = nil // the bots on the command line replace all bots of the file
	}
	if err := setFields(c, &e, true); err != nil {
		return e, err
	}
	if n := len(e.Bots) + len(e.Entries); n < 2 && e.Settings.Plan.Open == tournament.Closed {
		return e, fmt.Errorf("too few bots (%d): give at least two with --bot, or in the file of --config", n)
	}
	return e, recipe.Complete(&e, opening.Load)
}

// setFields sets fields of the event from their flags: with given the fields of the flags on the command line,
// otherwise the fields of the other flags, to their defaults.
func setFields(c *cli.Context, e *tournament.Event, given bool) error {
	for _, f := range eventSettings() {
		if name := f.flag.Names()[0]; c.IsSet(name) == given {
			if err := setField(c, name, f.field(e)); err != nil {
				return err
			}
		}
	}
	return nil
}

// setField sets the field to the value of the flag.
func setField(c *cli.Context, name string, field any) error {
	switch field := field.(type) {
	case *[]string:
		*field = c.StringSlice(name)
	case *string:
		*field = c.String(name)
	case *tournament.Entrance:
		*field = tournament.Entrance(c.String(name))
	case *tournament.StruckGames:
		*field = tournament.StruckGames(c.String(name))
	case *bool:
		*field = c.Bool(name)
	case *int:
		*field = c.Int(name)
	case *uint64:
		*field = c.Uint64(name)
	case *float64:
		*field = c.Float64(name)
	case *time.Duration, *tournament.Millis:
		if err := setText(reflect.ValueOf(field).Elem(), c.Duration(name).String()); err != nil {
			return fmt.Errorf("--%s %w", name, err)
		}
	case *rating.SPRT:
		var err error
		if *field, err = rating.ParseSPRT(c.String(name)); err != nil {
			return fmt.Errorf("--%w", err)
		}
	case encoding.TextUnmarshaler:
		return field.UnmarshalText([]byte(c.String(name)))
	}
	return nil
}
