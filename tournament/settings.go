package tournament

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"versus2048/rules"
)

// The names of the formats.
const (
	RoundRobin        = "round-robin"
	Gauntlet          = "gauntlet"
	Swiss             = "swiss"
	Knockout          = "knockout"
	DoubleElimination = "double-elimination"
	Ladder            = "ladder" // bots join and leave it while it is played
	SPRT              = "sprt"
	Placement         = "placement"
)

// Formats returns the names of the formats, the default first.
func Formats() []string {
	return []string{RoundRobin, Gauntlet, Swiss, Knockout, DoubleElimination, Ladder, SPRT, Placement}
}

// AllSettings lists the settings of events, group by group.
func AllSettings() []Setting {
	return slices.Concat(botSettings(), planSettings(), matchSettings(), startSettings(), endSettings(), clockSettings())
}

// SettingNamed returns the setting of that name. ok is false if there is none.
func SettingNamed(name string) (s Setting, ok bool) {
	all := AllSettings()
	i := slices.IndexFunc(all, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return s, false
	}
	return all[i], true
}

// hidden is the Fact of settings that the page of an event shows elsewhere.
func hidden(*Event) string { return "" }

func textIf(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

// botSettings are about the bots and where they play.
func botSettings() []Setting {
	return []Setting{
		{
			Name: "bot", Label: "Bots", Help: "the participants: each is SPEC (see: bot list), NAME=SPEC or the name of a connected bot",
			Group: BotGroup, Rank: First, Example: "evminimax\nmcts:playouts=1000", Fact: hidden,
			field: func(e *Event) any { return &e.Bots },
		},
		{
			Name: "name", Label: "Name of the event", Help: "the event's name", Otherwise: "its bots",
			Group: BotGroup, Rank: Usual, Fact: hidden, field: func(e *Event) any { return &e.Name },
		},
		{
			Name: "concurrency", Label: "Games at once", Help: "games played at once",
			Usual: strconv.Itoa(runtime.NumCPU()), Otherwise: "the number of cores", Least: 1, Most: MaxConcurrency,
			Group: BotGroup, Rank: First, Always: true, field: func(e *Event) any { return &e.Concurrency },
		},
		{
			Name: "in-process", Label: "Play inside the arena's process", Help: "play bots with a spec inside the arena's process, without sockets",
			Group: BotGroup, Rank: Usual, field: func(e *Event) any { return &e.InProcess },
		},
		{
			Name: "search", Label: "Record search reports",
			Help:  "record the bots' reports on their searches, for: arena replay --search (about 50 kB for each 1000 plies)",
			Group: BotGroup, Rank: Usual, field: func(e *Event) any { return &e.Search },
		},
		{
			Name: "live-search", Label: "Show search reports during games",
			Help:  "show search reports on the pages of games in progress to everybody, not only to operators; needs search",
			Group: BotGroup, Rank: Usual, field: func(e *Event) any { return &e.Settings.LiveSearch },
		},
		{
			Name: "playouts", Label: "Playouts for each move", Help: "playouts for each move, overriding the specs of bots that count them; 0 keeps the numbers of the specs",
			Group: BotGroup, field: func(e *Event) any { return &e.Settings.Budget.Playouts },
		},
		{
			Name: "nodes", Label: "Positions of a search at most", Help: "maximum number of positions that a search keeps, for bots that count them; 0 keeps the numbers of the specs",
			Group: BotGroup, field: func(e *Event) any { return &e.Settings.Budget.Nodes },
		},
		{
			Name: "unrecorded", Label: "Unrecorded", RequestOnly: true,
			Help:  "nothing of the event is recorded, as `arena check-bot` asks for; not in the queue. Its number is below 0; it is in no list, on no page and in no rating, and forgotten soon after its end",
			Group: BotGroup, field: func(e *Event) any { return &e.Settings.Unrecorded },
		},
	}
}

// planSettings are the format, the number of matches, and the settings of gauntlets, Swiss events and open ladders.
func planSettings() []Setting {
	formats := Formats()
	return []Setting{
		{
			Name: "format", Label: "Format", Help: "the format: " + strings.Join(formats, ", "), Usual: RoundRobin, Choices: formats,
			Group: FormatGroup, Rank: First, Fact: func(e *Event) string { return cmp.Or(e.Settings.Plan.Kind, RoundRobin) },
			field: func(e *Event) any { return &e.Settings.Plan.Kind },
		},
		{
			Name: "matches", Label: "Matches a pairing", Help: "matches of each pairing, two games each; the maximum in a knockout, an sprt or a placement; in a ladder the least number for each bot",
			Otherwise: "10; swiss 2, knockout and double-elimination 3, placement 200, ladder and sprt 0, no limit", Example: "10", Most: MaxMatches,
			Group: FormatGroup, Rank: First, Always: true, field: func(e *Event) any { return &e.Matches },
			Fact: func(e *Event) string {
				return textIf(e.Matches > 0, strconv.Itoa(e.Matches)+", two games each")
			},
		},
		{
			Name: "seeds", Label: "Seeds", Help: "number of first bots that meet all others", Formats: []string{Gauntlet},
			Otherwise: "1", Example: "1", NotZero: true,
			Group: FormatGroup, field: func(e *Event) any { return &e.Settings.Plan.Seeds },
		},
		{
			Name: "seeds-attack", Label: "Seeds attack first", Formats: []string{Gauntlet},
			Help:  "the seeds attack first in every match; with early-decision, the long second games of strong seeds end early",
			Group: FormatGroup, field: func(e *Event) any { return &e.Settings.Plan.SeedsAttack },
		},
		{
			Name: "rounds", Label: "Rounds", Help: "number of rounds", Formats: []string{Swiss},
			Otherwise: "enough to find a winner, plus one", Example: "3", NotZero: true,
			Group: FormatGroup, field: func(e *Event) any { return &e.Settings.Plan.Rounds },
		},
		{
			Name: "open", Label: "Open to", Formats: []string{Ladder},
			Help:    "bots that connect join by themselves: tokens for bots with a token, all for all bots that the arena admits",
			Choices: []string{string(OpenAll), string(OpenTokens)}, Example: string(OpenAll),
			Group: FormatGroup, field: func(e *Event) any { return &e.Settings.Plan.Open },
		},
		{
			Name: "most", Label: "Bots at most", Help: "maximum number of bots that an open ladder ever has", Formats: []string{Ladder},
			Otherwise: strconv.Itoa(DefaultMost), Example: strconv.Itoa(DefaultMost), NotZero: true, Most: MaxBots,
			Group: FormatGroup, field: func(e *Event) any { return &e.Settings.Plan.Most },
			Fact: func(e *Event) string {
				return textIf(e.Settings.Plan.Open != Closed, strconv.Itoa(e.Settings.Plan.MostBots()))
			},
		},
	}
}

// matchSettings are the settings of SPRTs and placements, and the number of matches ahead.
func matchSettings() []Setting {
	return []Setting{
		{
			Name: "sprt", Label: "Hypotheses", Formats: []string{SPRT},
			Help:  "the hypotheses about the first bot, such as elo0=0,elo1=5; also alpha=0.05, beta=0.05 and model=normalized (or logistic)",
			Group: FormatGroup, field: func(e *Event) any { return &e.Settings.Plan.SPRT },
			Fact: func(e *Event) string {
				t := e.Settings.Plan.SPRT
				if t.Text() == "" {
					return ""
				}
				return fmt.Sprintf("Elo %g against %g, %s model", t.Elo0, t.Elo1, cmp.Or(string(t.Model), "normalized"))
			},
		},
		{
			Name: "within", Label: "Half width of the interval", Formats: []string{Placement},
			Help:      "stop when the 95% interval of the first bot's rating is at most this many Elo to each side",
			Otherwise: "50", Example: "50", NotZero: true,
			Group: FormatGroup, field: func(e *Event) any { return &e.Settings.Plan.Within },
		},
		{
			Name: "known", Label: "Known ratings", Formats: []string{Placement}, RequestOnly: true,
			Help:  "the ratings of all bots but the first: `elo` and `deviation`, its standard error",
			Group: FormatGroup, field: func(e *Event) any { return &e.Settings.Plan.Known },
		},
		{
			Name: "ahead", Label: "Matches ahead", Help: "number of matches that may be played at once", Formats: []string{Ladder, SPRT, Placement},
			Otherwise: "8, placement 2", Example: "8", NotZero: true, Most: MaxAhead,
			Group: FormatGroup, field: func(e *Event) any { return &e.Settings.Plan.Ahead },
		},
	}
}

// startSettings are about how games begin.
func startSettings() []Setting {
	var sizes []string
	for _, size := range rules.Sizes() {
		sizes = append(sizes, size.String())
	}
	return []Setting{
		{
			Name: "rules", Label: "Rules", Help: "gpcc2015, gpcc2016 or solo", Usual: rules.GPCC2015.String(),
			Choices: []string{rules.GPCC2015.String(), rules.GPCC2016.String(), rules.Solo.String()},
			Group:   GameGroup, Rank: First, Always: true, field: func(e *Event) any { return &e.Rules },
		},
		{
			Name: "size", Label: "Board", Help: "the board, 2x2 to 4x4", Usual: rules.Full.String(), Choices: sizes,
			Group: GameGroup, Rank: First, Always: true, field: func(e *Event) any { return &e.Size },
		},
		{
			Name: "openings", Label: "Openings",
			Help:      "where games start: a file (see: arena openings), random:plies=8,seed=1, or none for the empty board; two matches play each opening, with the roles swapped",
			Otherwise: "none; for an sprt random:plies=8 with the event's seed",
			Group:     GameGroup, Rank: Usual, field: func(e *Event) any { return &e.Settings.Openings.Source },
			Fact: func(e *Event) string {
				o := &e.Settings.Openings
				return textIf(len(o.Starts) > 0, fmt.Sprintf("%d from %s", len(o.Starts), o.Source))
			},
		},
		{
			Name: "seed", Label: "Seed", Help: "seed of all random choices of the event, below 2^53", Usual: "1", Most: 1<<seedBits - 1,
			Group: GameGroup, Rank: Usual, Always: true, field: func(e *Event) any { return &e.Seed },
		},
	}
}

// endSettings are about how games end.
func endSettings() []Setting {
	return []Setting{
		{
			Name: "max-turns", Label: "Turns at most", Help: "end games after this many turns; 0 for no limit",
			Group: GameGroup, field: func(e *Event) any { return &e.Settings.Adjudication.MaxTurns },
		},
		{
			Name: "max-tile", Label: "Last tile", Help: "end games when this tile is made; 0 for no limit",
			Group: GameGroup, field: func(e *Event) any { return &e.Settings.Adjudication.MaxTile },
		},
		{
			Name: "early-decision", Label: "End decided matches early", Help: "end a match's second game once its score has passed the first one's",
			Group: GameGroup, field: func(e *Event) any { return &e.Settings.Adjudication.EarlyDecision },
		},
		{
			Name: "resign", Label: "Bots may resign", Help: "let bots resign: a defender keeps its score, an attacker forfeits the match",
			Group: GameGroup, field: func(e *Event) any { return &e.Settings.Adjudication.Resign },
		},
		{
			Name: "strikes", Label: "Faults that set a bot aside", Help: "set a bot aside after this many faults; 0 for never",
			Group: GameGroup, field: func(e *Event) any { return &e.Settings.Strikes.Faults },
		},
		{
			Name: "struck-games", Label: "Games of a bot that is set aside", Help: "the games of a bot that is set aside: count (its opponents win the remaining ones) or void",
			Choices: []string{string(CountGames), string(VoidGames)}, Otherwise: string(CountGames), Example: string(CountGames),
			Group: GameGroup, field: func(e *Event) any { return &e.Settings.Strikes.Games },
		},
	}
}

// clockSettings are about times.
func clockSettings() []Setting {
	return []Setting{
		{
			Name: "time-per-move", Label: "Time for a move", Help: "maximum time for a move; 0 for no limit", Usual: "5s", Most: int64(MaxTime),
			Group: ClockGroup, Rank: First, field: func(e *Event) any { return &e.Clock.PerMove },
			Fact: func(e *Event) string {
				if e.Clock.PerMove == 0 {
					return "no limit"
				}
				return ShortDuration(e.Clock.PerMove)
			},
		},
		{
			Name: "time", Label: "Time for a game", Help: "each side's total time for a game; 0 for no limit", Most: int64(MaxTime),
			Group: ClockGroup, Rank: Usual, field: func(e *Event) any { return &e.Clock.Base },
		},
		{
			Name: "increment", Label: "Increment", Help: "added to the total time after each move", Most: int64(MaxIncrement),
			Group: ClockGroup, Rank: Usual, field: func(e *Event) any { return &e.Clock.Increment },
		},
		{
			Name: "absent", Label: "Absent at most", Otherwise: "until no other games are left", Example: "10m",
			Help: "maximum time that a bot may be away, at least the grace of the arena; then it loses the games that it has not begun", Most: int64(MaxTime),
			Group: ClockGroup, field: func(e *Event) any { return &e.Settings.Absent },
		},
		{
			Name: "margin", Label: "Margin of late moves", Help: "maximum time by which a move may be late and still count",
			Group: ClockGroup, field: func(e *Event) any { return &e.Settings.Lenience.Margin },
		},
		{
			Name: "lag", Label: "Lag given back", Help: "maximum time given back for the network delay of each move, as measured by the arena",
			Group: ClockGroup, field: func(e *Event) any { return &e.Settings.Lenience.Lag },
		},
	}
}
