package standing

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"versus2048/players"
	"versus2048/tournament"
	"versus2048/tournament/rating"
	"versus2048/tournament/report"
)

// Options are the settings of a list.
type Options struct {
	// Anchor is the bot with a fixed rating: its name, its name and version, or the complete spec of a bot that the
	// arena starts. "" stands for all reference bots (docs/RATINGS.md), which then have their measured ratings on
	// average. If no reference bot has played, the first bot of the first match of the list has the rating 1000.
	Anchor string
	Elo    float64 // the anchor's rating, if Anchor is set
	// Provisional is the number of matches below which a rating is marked as provisional.
	Provisional int
}

// Defaults returns the default options.
func Defaults() Options { return Options{Provisional: 30} }

// firstElo is the rating of the first bot of a list without a reference bot.
const firstElo = 1000

// List has the ratings of all bots that have played under the same conditions.
type List struct {
	Conditions string `json:"conditions"`
	Matches    int    `json:"matches"`
	// Repeated counts the matches, or pairs of matches, that are left out because they repeat
	// earlier ones move by move.
	Repeated int64 `json:"repeated,omitempty"`
	// Split counts the matches that are left out because a bot changed its version between their games.
	Split int `json:"split,omitempty"`
	// Anchors are the bots that set the scale, with the ratings that they have on average.
	Anchors []report.Anchor `json:"anchors"`
	// Groups are the groups of bots that are connected by matches: first the groups with anchors, then
	// the others; larger groups before smaller ones. Nothing is known about the difference between
	// groups, except that anchors set the scale of each group with anchors. In the others the mean is 0.
	Groups []Group `json:"groups"`
	// Provisional is the number of matches below which a rating is provisional.
	Provisional int `json:"provisional"`
}

// Group is a group of bots that are connected by matches, best first.
type Group struct {
	Rows         []Row   `json:"bots"`
	Anchored     bool    `json:"anchored"`      // an anchor sets the group's scale
	DrawRate     float64 `json:"draw_rate"`     // the probability of a draw between two equal bots, 0 to 1
	DesignEffect float64 `json:"design_effect"` // see [rating.Group]
}

// Row is one bot of a list.
type Row struct {
	Rank int `json:"rank"` // from 1 in each group
	Bot
	// Elo is the rating. Anchors set the scale. The interval is for the difference from the mean of
	// the group, so that anchors with few opponents do not widen all intervals. An end of the interval is
	// absent if the results do not limit it, as for a bot that has won or lost all its matches.
	Elo         report.Interval  `json:"elo"`
	Total       tournament.Tally `json:"total"` // of the matches that count
	Share       report.Figure    `json:"share"` // of the points, 0 to 1
	Superiority report.Figure    `json:"los"`   // the likelihood that the bot is better than the next one, 0 to 1
	Last        string           `json:"last_played"`
	Provisional bool             `json:"provisional,omitempty"`
}

// List rates the bots under some conditions, given by their description. It returns an error if
// there are no such conditions, or no such anchor.
func (c *Collector) List(conditions string, o Options) (List, error) {
	for known, s := range c.lists {
		if known.String() == conditions && s.matches > 0 {
			return s.list(conditions, o)
		}
	}
	return List{}, fmt.Errorf("no match has been played under the conditions %q; arena rating --conditions lists the conditions", conditions)
}

func (s *sums) list(conditions string, o Options) (List, error) {
	anchors, err := s.anchors(o)
	if err != nil {
		return List{}, err
	}
	l := List{Conditions: conditions, Matches: s.matches, Split: s.split, Provisional: o.Provisional}
	for n, b := range s.bots {
		if known, is := anchors[n]; is {
			l.Anchors = append(l.Anchors, report.Anchor{Name: b.String(), Elo: known.Elo})
		}
	}
	results, repeated := s.results()
	l.Repeated = repeated
	tallies := tally(len(s.bots), results)
	for _, group := range rating.RateWithPrior(len(s.bots), results) {
		zero, anchored := zeroOf(group, anchors)
		rated := s.group(group, zero, tallies, o.Provisional)
		rated.Anchored = anchored
		l.Groups = append(l.Groups, rated)
	}
	slices.SortStableFunc(l.Groups, func(a, b Group) int {
		if a.Anchored != b.Anchored {
			return map[bool]int{true: -1, false: 1}[a.Anchored]
		}
		return cmp.Compare(len(b.Rows), len(a.Rows))
	})
	return l, nil
}

// zeroOf returns the number to add to the ratings of a group, so that its anchors have their known
// ratings on average. The anchors are weighted by the precision of their known ratings and of their
// ratings in the group. anchored is false without anchors.
func zeroOf(group rating.Group, anchors map[int]rating.Known) (zero float64, anchored bool) {
	total := 0.0
	for k, n := range group.Members {
		if known, is := anchors[n]; is {
			elo := group.Elo(k)
			deviation := rating.Deviation(elo.High - elo.Low)
			if math.IsInf(deviation, 0) {
				deviation = unlimitedDeviation
			}
			weight := 1 / (1 + deviation*deviation + known.Deviation*known.Deviation)
			zero += weight * (known.Elo - elo.Value)
			total += weight
		}
	}
	if total == 0 {
		return 0, false
	}
	return zero / total, true
}

// unlimitedDeviation stands for the standard error of a rating that the results do not limit.
const unlimitedDeviation = 1000

func (s *sums) anchors(o Options) (map[int]rating.Known, error) {
	if o.Anchor != "" {
		n, err := s.anchor(o.Anchor)
		return map[int]rating.Known{n: {Elo: o.Elo}}, err
	}
	all := map[int]rating.Known{}
	for _, r := range references {
		if n, played := s.numbers[HostedBot(complete(r.Bot))]; played {
			all[n] = r.Known
		}
	}
	if len(all) == 0 {
		all[0] = rating.Known{Elo: firstElo}
	}
	return all, nil
}

// anchor returns the number of the bot that Options.Anchor names. It returns an error if the list has no such bot, or
// several versions of it.
func (s *sums) anchor(name string) (int, error) {
	var found []int
	for i, b := range s.bots {
		if b.String() == name || b.Spec == name && b.Hosted() {
			return i, nil
		}
		if b.Name == name {
			found = append(found, i)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) == 0 {
		return 0, fmt.Errorf("no bot of the list is named %q: fix the rating of one of its bots", name)
	}
	var versions []string
	for _, i := range found {
		versions = append(versions, fmt.Sprintf("%q", s.bots[i].String()))
	}
	return 0, fmt.Errorf("%q has several versions: want one of %s", name, strings.Join(versions, ", "))
}

// results returns the results of every two bots that have met, and the number of repeated trials
// that are left out.
func (s *sums) results() (results []rating.Result, repeated int64) {
	order := slices.SortedFunc(maps.Keys(s.pairs), func(p, q [2]int) int { return slices.Compare(p[:], q[:]) })
	for _, key := range order {
		r, again := s.pairs[key].Result()
		r.A, r.B = key[0], key[1]
		results, repeated = append(results, r), repeated+again
	}
	return results, repeated
}

func tally(bots int, results []rating.Result) []tournament.Tally {
	all := make([]tournament.Tally, bots)
	of := func(t rating.Trinomial) tournament.Tally {
		return tournament.Tally{Won: int(t.Win), Drawn: int(t.Draw), Lost: int(t.Loss)}
	}
	for _, r := range results {
		all[r.A] = all[r.A].Plus(of(r.Matches))
		all[r.B] = all[r.B].Plus(of(r.Matches.Reversed()))
	}
	return all
}

// group returns a rated group. zero is the number to add to its ratings.
func (s *sums) group(group rating.Group, zero float64, tallies []tournament.Tally, provisional int) Group {
	g := Group{DrawRate: group.DrawRate, DesignEffect: group.DesignEffect}
	order := group.Order()
	for i, k := range order {
		n := group.Members[k]
		elo := group.Elo(k)
		elo.Value, elo.Low, elo.High = elo.Value+zero, elo.Low+zero, elo.High+zero
		row := Row{
			Rank: i + 1, Bot: s.bots[n], Elo: report.IntervalOf(elo), Total: tallies[n], Last: s.played[n],
			Provisional: tallies[n].Played() < provisional, Superiority: report.Figure{Needs: "needs a next bot"},
			Share: report.Figure{Value: tallies[n].Points() / float64(max(1, tallies[n].Played()))},
		}
		if i+1 < len(order) {
			row.Superiority = report.Figure{Value: group.Superiority(k, order[i+1])}
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// Find returns the row of a bot in the first group.
func (l *List) Find(b Bot) (row Row, found bool) {
	if len(l.Groups) == 0 {
		return row, false
	}
	i := slices.IndexFunc(l.Groups[0].Rows, func(r Row) bool { return r.Bot == b })
	if i < 0 {
		return row, false
	}
	return l.Groups[0].Rows[i], true
}

// Bot is an entry of a list: a version of a bot. A bot that connects by itself is identified by its name, and
// by the version, author and spec in its hello. A bot that the arena starts is identified by its complete spec,
// under any name and in any version of the arena, since the meaning of a complete spec does not change.
type Bot struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Author  string `json:"author,omitempty"`
	Spec    string `json:"spec,omitempty"`
	// Mixed reports that the bot stands for several versions of one name. The games were recorded
	// by a version of the arena that did not record which of them played.
	Mixed bool `json:"mixed,omitempty"`
}

// HostedBot returns the bot that the arena starts by a spec. Its name is the shortest equivalent spec.
func HostedBot(spec string) Bot { return Bot{Name: players.Short(spec), Spec: spec} }

// ConnectedBot returns the bot with this description of itself.
func ConnectedBot(id tournament.Identity) Bot {
	return Bot{Name: id.Name, Version: id.Version, Author: id.Author, Spec: id.Spec}
}

// String returns the name and, if there is one, the version.
func (b Bot) String() string {
	switch {
	case b.Mixed:
		return b.Name + " (several versions)"
	case b.Version != "":
		return b.Name + " " + b.Version
	}
	return b.Name
}

// Hosted reports whether the arena starts the bot.
func (b Bot) Hosted() bool { return b.Spec != "" && b == HostedBot(b.Spec) }

// key identifies the bot in matches.
func (b Bot) key() string {
	mixed := ""
	if b.Mixed {
		mixed = "mixed"
	}
	return strings.Join([]string{b.Name, b.Version, b.Author, b.Spec, mixed}, "\x00")
}
