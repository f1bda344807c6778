package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// Ratings are the joint ratings of an event's bots, by all matches at once:
// [rating.Rate].
type Ratings struct {
	Anchor *Anchor      `json:"anchor,omitempty"` // nil: the mean of each group is 0
	Groups []RatedGroup `json:"groups"`           // the larger first
	// Unrated are the bots that have not finished a match.
	Unrated []string `json:"unrated,omitempty"`
}

// Anchor is a bot whose rating is fixed, in Elo.
type Anchor struct {
	Name string  `json:"name"`
	Elo  float64 `json:"elo"`
}

// RatedGroup is bots that matches connect, best first. The ratings of two groups
// can't be compared.
type RatedGroup struct {
	Bots         []Rated `json:"bots"`
	Prior        bool    `json:"prior"`         // see [rating.Group]
	DrawRate     float64 `json:"draw_rate"`     // of two equal bots, 0 to 1
	DesignEffect float64 `json:"design_effect"` // see [rating.Group]
}

// Rated is one bot's row.
type Rated struct {
	Rank int    `json:"rank"` // from 1 in each group
	Name string `json:"name"`
	// Elo is the rating. An end of its interval is absent where the results set it no
	// limit, as for who has won all matches or lost all.
	Elo   Interval         `json:"elo"`
	Total tournament.Tally `json:"total"`
	// Superiority are the likelihoods of being better than each bot of the group, 0
	// to 1, by rank. The bot's own is absent.
	Superiority []Figure `json:"los"`
}

// NewRatings rates an event's entries by its matches, in the order of their
// numbers. The anchor may be nil; it returns an error if it is not among the
// entries.
func NewRatings(entries []tournament.Entry, matches []tournament.MatchResult, anchor *Anchor) (Ratings, error) {
	r := Ratings{Anchor: anchor, Groups: []RatedGroup{}}
	anchored := -1
	if anchor != nil {
		anchored = slices.IndexFunc(entries, func(e tournament.Entry) bool { return e.Name == anchor.Name })
		if anchored < 0 {
			return r, fmt.Errorf("no bot of the event is named %q: name one of its bots to fix its rating", anchor.Name)
		}
	}
	for _, group := range rating.Rate(len(entries), resultsOf(entries, matches)) {
		if len(group.Members) == 1 {
			r.Unrated = append(r.Unrated, entries[group.Members[0]].Name)
			continue
		}
		if k := slices.Index(group.Members, anchored); k >= 0 {
			group = group.Anchored(k, anchor.Elo)
		}
		r.Groups = append(r.Groups, newRatedGroup(entries, matches, group))
	}
	slices.SortStableFunc(r.Groups, func(a, b RatedGroup) int { return cmp.Compare(len(b.Bots), len(a.Bots)) })
	return r, nil
}

// resultsOf counts the matches of every two entries.
func resultsOf(entries []tournament.Entry, matches []tournament.MatchResult) []rating.Result {
	numbers := make(map[string]int, len(entries))
	for i, e := range entries {
		numbers[e.Name] = i
	}
	met := map[[2]int][]tournament.MatchResult{}
	for _, m := range matches {
		a, isA := numbers[m.First]
		b, isB := numbers[m.Second]
		if isA && isB {
			pair := [2]int{min(a, b), max(a, b)}
			met[pair] = append(met[pair], m)
		}
	}
	var results []rating.Result
	for a := range entries {
		for b := a + 1; b < len(entries); b++ {
			if theirs := met[[2]int{a, b}]; theirs != nil {
				result := resultOf(entries[a].Name, theirs)
				result.A, result.B = a, b
				results = append(results, result)
			}
		}
	}
	return results
}

func newRatedGroup(entries []tournament.Entry, matches []tournament.MatchResult, group rating.Group) RatedGroup {
	g := RatedGroup{Prior: group.Prior, DrawRate: group.DrawRate, DesignEffect: group.DesignEffect}
	order := make([]int, len(group.Members)) // places in the group, best first
	for k := range order {
		order[k] = k
	}
	// Bots that are level stay in the order of the entries, whatever rounding does.
	rounded := func(k int) float64 { return math.Round(1e6 * group.Elo(k).Value) }
	slices.SortStableFunc(order, func(k, l int) int { return cmp.Compare(rounded(l), rounded(k)) })
	for i, k := range order {
		name := entries[group.Members[k]].Name
		bot := Rated{Rank: i + 1, Name: name, Elo: newInterval(group.Elo(k), true, ""), Total: totalOf(name, matches)}
		for _, l := range order {
			if k == l {
				bot.Superiority = append(bot.Superiority, Figure{Needs: "needs another bot"})
				continue
			}
			bot.Superiority = append(bot.Superiority, Figure{Value: group.Superiority(k, l)})
		}
		g.Bots = append(g.Bots, bot)
	}
	return g
}

// totalOf counts a bot's matches.
func totalOf(name string, matches []tournament.MatchResult) tournament.Tally {
	var total tournament.Tally
	for _, m := range matches {
		if m.First == name || m.Second == name {
			total.Add(m, name)
		}
	}
	return total
}
