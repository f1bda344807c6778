package main

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/opening"
	"versus2048/tournament/rating"
)

// eventFlag is a flag that sets a field of an event. A config file has a key for the same field.
type eventFlag struct {
	flag  cli.Flag
	field func(e *tournament.Event) any // a pointer to the field
}

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
			&cli.StringFlag{Name: "name", Usage: "the event's name (default: its bots)"},
			func(e *tournament.Event) any { return &e.Name },
		},
		{
			&cli.IntFlag{Name: "matches", DefaultText: "10; swiss 2, knockout and double-elimination 3, placement 200, ladder and sprt 0, no limit", Usage: "matches of each pairing, two games each; in a knockout the maximum, in a ladder of each bot"},
			func(e *tournament.Event) any { return &e.Matches },
		},
		{concurrencyFlag(), func(e *tournament.Event) any { return &e.Concurrency }},
		{
			&cli.DurationFlag{Name: "time-per-move", Value: 5 * time.Second, Usage: "maximum time for a move; 0 for no limit"},
			func(e *tournament.Event) any { return &e.Clock.PerMove },
		},
		{
			&cli.DurationFlag{Name: "time", Usage: "each side's total time for a game; 0 for no limit"},
			func(e *tournament.Event) any { return &e.Clock.Base },
		},
		{
			&cli.DurationFlag{Name: "increment", Usage: "added to the total time after each move"},
			func(e *tournament.Event) any { return &e.Clock.Increment },
		},
		{
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of all random choices of the event, below 2^53"},
			func(e *tournament.Event) any { return &e.Seed },
		},
		{cmdline.RulesFlag(), func(e *tournament.Event) any { return &e.Rules }},
		{cmdline.SizeFlag(), func(e *tournament.Event) any { return &e.Size }},
		{
			&cli.BoolFlag{Name: "in-process", Usage: "play the bots inside this process, without sockets"},
			func(e *tournament.Event) any { return &e.InProcess },
		},
		{
			&cli.BoolFlag{Name: "search", Usage: "record what the bots report of their searches, for: arena replay --search (about 50 kB for each 1000 plies)"},
			func(e *tournament.Event) any { return &e.Search },
		},
		{
			&cli.BoolFlag{Name: "live-search", Usage: "show these reports on the pages of games in progress to everybody, not only to operators"},
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
			&cli.IntFlag{Name: "seeds", DefaultText: "1", Usage: "gauntlet: how many of the first bots meet all others"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Seeds },
		},
		{
			&cli.BoolFlag{Name: "seeds-attack", Usage: "gauntlet: the seeds attack first in every match; with --early-decision, long games of strong seeds end early"},
			func(e *tournament.Event) any { return &e.Settings.Plan.SeedsAttack },
		},
		{
			&cli.IntFlag{Name: "rounds", DefaultText: "enough to find a winner, plus one", Usage: "swiss: number of rounds"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Rounds },
		},
		{
			&cli.StringFlag{Name: "sprt", Usage: "sprt: the hypotheses about the first bot, such as elo0=0,elo1=5; also alpha=0.05, beta=0.05 and model=normalized (or logistic)"},
			func(e *tournament.Event) any { return &e.Settings.Plan.SPRT },
		},
		{
			&cli.Float64Flag{Name: "within", DefaultText: "50", Usage: "placement: stop when the 95% interval of the first bot's rating is at most this many Elo to each side"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Within },
		},
		{
			&cli.IntFlag{Name: "ahead", DefaultText: "8, placement 2", Usage: "ladder, sprt, placement: how many matches may begin before one is decided"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Ahead },
		},
		{
			&cli.StringFlag{Name: "open", Usage: "ladder: bots that connect join by themselves: all that the arena admits, or tokens for those with a token"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Open },
		},
		{
			&cli.IntFlag{Name: "most", DefaultText: "200", Usage: "open ladder: how many bots it may ever have"},
			func(e *tournament.Event) any { return &e.Settings.Plan.Most },
		},
	}
}

// conditionSettings are the flags for how games start, what a move may take and how games end.
func conditionSettings() []eventFlag {
	return []eventFlag{
		{
			&cli.StringFlag{Name: "openings", DefaultText: "none; for an sprt random:plies=8 with the event's seed", Usage: "where games start: a file (see: arena openings), random:plies=8,seed=1, or none for the empty board; two matches play each opening, with the roles swapped"},
			func(e *tournament.Event) any { return &e.Settings.Openings.Source },
		},
		{
			&cli.Uint64Flag{Name: "playouts", Usage: "playouts for each move, overriding the specs of bots that count them"},
			func(e *tournament.Event) any { return &e.Settings.Budget.Playouts },
		},
		{
			&cli.Uint64Flag{Name: "nodes", Usage: "maximum number of positions that a search keeps, for bots that count them"},
			func(e *tournament.Event) any { return &e.Settings.Budget.Nodes },
		},
		{
			&cli.DurationFlag{Name: "margin", Usage: "how much later than its limit a move still counts"},
			func(e *tournament.Event) any { return &e.Settings.Lenience.Margin },
		},
		{
			&cli.DurationFlag{Name: "lag", Usage: "maximum time given back for the network delay of each move, as measured by the arena"},
			func(e *tournament.Event) any { return &e.Settings.Lenience.Lag },
		},
		{
			&cli.IntFlag{Name: "max-turns", Usage: "end games after this many turns; 0 for no limit"},
			func(e *tournament.Event) any { return &e.Settings.Adjudication.MaxTurns },
		},
		{
			&cli.IntFlag{Name: "max-tile", Usage: "end games when this tile is made; 0 for no limit"},
			func(e *tournament.Event) any { return &e.Settings.Adjudication.MaxTile },
		},
		{
			&cli.BoolFlag{Name: "early-decision", Usage: "end a match's second game once its score has passed the first one's"},
			func(e *tournament.Event) any { return &e.Settings.Adjudication.EarlyDecision },
		},
		{
			&cli.BoolFlag{Name: "resign", Usage: "let bots resign: a defender keeps its score, an attacker forfeits the match"},
			func(e *tournament.Event) any { return &e.Settings.Adjudication.Resign },
		},
		{
			&cli.IntFlag{Name: "strikes", Usage: "set a bot aside after this many faults; 0 for never"},
			func(e *tournament.Event) any { return &e.Settings.Strikes.Faults },
		},
		{
			&cli.StringFlag{Name: "struck-games", Usage: "the games of a bot that is set aside: count (its opponents win the remaining ones) or void"},
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

func concurrencyFlag() cli.Flag {
	return &cli.IntFlag{Name: "concurrency", Value: runtime.NumCPU(), DefaultText: "the number of cores", Usage: "games played at once"}
}

// readEvent returns the event that the flags and the file of --config describe: the flags'
// defaults, then what is in the file, then the flags on the command line.
func readEvent(c *cli.Context) (e tournament.Event, err error) {
	if err := setFields(c, &e, false); err != nil {
		return e, err
	}
	p := &e.Settings.Plan
	e.Matches, p.Seeds, p.Rounds, p.Ahead = unset, unset, unset, unset
	if err := readConfig(c, &e); err != nil {
		return e, err
	}
	if c.IsSet("bot") {
		e.Entries = nil // the bots on the command line replace all of the file
	}
	if err := setFields(c, &e, true); err != nil {
		return e, err
	}
	if n := len(e.Bots) + len(e.Entries); n < 2 && e.Settings.Plan.Open == tournament.Closed {
		return e, fmt.Errorf("too few bots (%d): give at least two with --bot, or in the file of --config", n)
	}
	return e, completePlan(&e)
}

// unset marks numbers of an event that neither a flag nor the file has set.
const unset = math.MinInt

// setFields sets the fields of the event whose flags are on the command line (given), or those
// whose flags are not, to their default.
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
		return readHypotheses(c.String(name), field)
	case encoding.TextUnmarshaler:
		return field.UnmarshalText([]byte(c.String(name)))
	}
	return nil
}

// readHypotheses reads the value of --sprt.
func readHypotheses(text string, test *rating.SPRT) error {
	*test = rating.SPRT{}
	if text == "" {
		return nil
	}
	numbers := map[string]*float64{"elo0": &test.Elo0, "elo1": &test.Elo1, "alpha": &test.Alpha, "beta": &test.Beta}
	for part := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(part, "=")
		number, known := numbers[key]
		if key == "model" {
			test.Model = rating.Model(value)
			continue
		}
		if !known {
			return fmt.Errorf("--sprt %s: unknown %q: want elo0, elo1, alpha, beta, model", text, key)
		}
		var err error
		if *number, err = strconv.ParseFloat(value, 64); err != nil {
			return fmt.Errorf("--sprt %s: %s is %q: want a number", text, key, value)
		}
	}
	return nil
}

// completePlan sets what depends on other settings: the default of Matches, and the openings of
// their source.
func completePlan(e *tournament.Event) (err error) {
	p := &e.Settings.Plan
	for _, number := range []struct {
		flag  string
		value *int
	}{{"seeds", &p.Seeds}, {"rounds", &p.Rounds}, {"ahead", &p.Ahead}} {
		switch {
		case *number.value == unset:
			*number.value = 0
		case *number.value < 1:
			return fmt.Errorf("--%s %d: want at least 1", number.flag, *number.value)
		}
	}
	if p.Kind == format.RoundRobin {
		p.Kind = "" // as in events recorded before there were other formats
	}
	if e.Matches == unset {
		e.Matches = format.DefaultMatches(*p)
	}
	return completeOpenings(e)
}

// noOpenings is the source of an event whose games start from the empty board.
const noOpenings = "none"

// completeOpenings loads the openings from their source. A test of two bots needs games that
// differ, so an sprt draws openings unless it is told not to. (A small board may have none.)
func completeOpenings(e *tournament.Event) error {
	source, variant := e.Settings.Openings.Source, opening.Variant{Rules: e.Rules, Size: e.Size}
	e.Settings.Openings = tournament.Openings{}
	switch {
	case source == noOpenings:
		return nil
	case source == "" && e.Settings.Plan.Kind == format.SPRT:
		source = fmt.Sprintf("random:plies=8,seed=%d", e.Seed)
		if starts, err := opening.Load(source, variant); err == nil {
			e.Settings.Openings = tournament.NewOpenings(source, starts)
		}
		return nil
	case source == "":
		return nil
	}
	starts, err := opening.Load(source, variant)
	if err == nil {
		e.Settings.Openings = tournament.NewOpenings(source, starts)
	}
	return err
}
