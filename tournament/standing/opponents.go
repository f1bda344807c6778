package standing

import (
	"cmp"
	"slices"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// Opponent is a bot that a newcomer may meet, with its rating as far as known.
type Opponent struct {
	Bot   string // the bot in an event: a spec, or the name of a connected bot
	Known rating.Known
}

// references are fast bots of the registry, from the weakest to strong ones. Their ratings,
// measured in docs/RATINGS.md, are on the scale that gives greedy 1000.
var references = []Opponent{
	{"random", rating.Known{Elo: 678, Deviation: 65}},
	{"greedy", rating.Known{Elo: 1000, Deviation: 51}},
	{"mcts:playouts=2", rating.Known{Elo: 1278, Deviation: 45}},
	{"mcts:playouts=5", rating.Known{Elo: 1613, Deviation: 28}},
	{"mcts:playouts=10", rating.Known{Elo: 1775, Deviation: 28}},
	{"alphabeta:depth=1", rating.Known{Elo: 1839, Deviation: 28}},
	{"mcts:playouts=20", rating.Known{Elo: 1907, Deviation: 28}},
	{"alphabeta:depth=2", rating.Known{Elo: 2084, Deviation: 29}},
	{"mcts:playouts=50", rating.Known{Elo: 2135, Deviation: 29}},
	{"evminimax:depth=2", rating.Known{Elo: 2225, Deviation: 30}},
	{"mcts:playouts=100", rating.Known{Elo: 2234, Deviation: 30}},
	{"alphabeta:depth=4", rating.Known{Elo: 2416, Deviation: 36}},
}

// The rules and the board of these measurements.
const measuredRules = rules.GPCC2015

var measuredSize = rules.Full

// foreignDeviation is the standard error of a reference's measured rating under conditions that differ in more than the
// clock, unless the list rates the reference. The rating is then only a first guess.
const foreignDeviation = 100

// mostOpponents is the greatest number of opponents that are offered.
const mostOpponents = 40

// Connected is a bot that is connected to an arena and free.
type Connected struct {
	Name string // the name that it plays under
	Bot  Bot
}

// Opponents returns at most 40 bots that a newcomer can meet in an event: first the references, then the connected bots
// and the bots that the arena can start, as far as the list knows their ratings. References that the list does not know
// well have measured ratings. The list may be nil. rated reports whether the list knows the rating of any of these
// bots.
func Opponents(l *List, connected []Connected, newcomer string, e *tournament.Event) (all []Opponent, rated bool) {
	taken := map[string]bool{newcomer: true, shortOf(newcomer): true}
	add := func(o Opponent, known bool) {
		if !taken[o.Bot] {
			taken[o.Bot] = true
			all = append(all, o)
			rated = rated || known
		}
	}
	foreign := ConditionsOf(e) != Conditions{Size: measuredSize, Rules: measuredRules, Clock: e.Clock}
	for _, o := range references {
		if foreign {
			o.Known.Deviation = foreignDeviation
		}
		known, ok := l.known(HostedBot(complete(o.Bot)))
		if ok {
			o.Known = known
		}
		add(o, ok)
	}
	for _, c := range connected {
		if known, ok := l.known(c.Bot); ok {
			add(Opponent{c.Name, known}, true)
		}
	}
	for _, bot := range l.hosted() {
		spec, err := players.Parse(bot.Spec)
		known, ok := l.known(bot)
		if ok && err == nil && spec.Suits(e.Rules, e.Size) == nil {
			add(Opponent{bot.Name, known}, true)
		}
	}
	return all[:min(len(all), mostOpponents)], rated
}

// known returns a bot's rating, if both ends of its interval are known and it is not provisional.
func (l *List) known(b Bot) (rating.Known, bool) {
	if l == nil {
		return rating.Known{}, false
	}
	row, found := l.Find(b)
	if !found || row.Provisional || row.Elo.Low.Absent() || row.Elo.High.Absent() {
		return rating.Known{}, false
	}
	return rating.Known{Elo: row.Elo.Value.Value, Deviation: rating.Deviation(row.Elo.High.Value - row.Elo.Low.Value)}, true
}

// hosted returns the bots of the first group that the arena can start, the bots with the most matches first.
func (l *List) hosted() (bots []Bot) {
	if l == nil || len(l.Groups) == 0 {
		return nil
	}
	rows := slices.Clone(l.Groups[0].Rows)
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Total.Played(), a.Total.Played()) })
	for _, r := range rows {
		if r.Hosted() {
			bots = append(bots, r.Bot)
		}
	}
	return bots
}

// complete returns a spec with every option, or "" for a text that is not a spec.
func complete(spec string) string {
	s, err := players.Parse(spec)
	if err != nil {
		return ""
	}
	return s.String()
}

// shortOf returns the name of a spec in a list, or the text itself.
func shortOf(text string) string {
	if spec := complete(text); spec != "" {
		return players.Short(spec)
	}
	return text
}
