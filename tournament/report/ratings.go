package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"versus2048/internal/text/terminal"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// Ratings are the joint ratings of an event's bots, by all matches at once: see [rating.Rate].
type Ratings struct {
	Anchor *Anchor      `json:"anchor,omitempty"` // nil if the mean of each group is 0
	Groups []RatedGroup `json:"groups"`           // larger groups first
	// Unrated lists the bots that have not finished a match.
	Unrated []string `json:"unrated,omitempty"`
}

// Anchor is a bot with a fixed rating, in Elo.
type Anchor struct {
	Name string  `json:"name"`
	Elo  float64 `json:"elo"`
}

// RatedGroup is a group of bots that are connected by matches, best first. Ratings of different
// groups cannot be compared.
type RatedGroup struct {
	Bots         []Rated `json:"bots"`
	Prior        bool    `json:"prior"`         // see [rating.Group]
	DrawRate     float64 `json:"draw_rate"`     // the probability of a draw between two equal bots, 0 to 1
	DesignEffect float64 `json:"design_effect"` // see [rating.Group]
}

// Rated is one bot's row.
type Rated struct {
	Rank int    `json:"rank"` // from 1 in each group
	Name string `json:"name"`
	// Elo is the rating. An end of its interval is absent if the results do not limit it, as for a
	// bot that has won or lost all its matches.
	Elo   Interval         `json:"elo"`
	Total tournament.Tally `json:"total"`
	// Superiority holds the likelihoods, 0 to 1, that the bot is better than each bot of its group, by rank. The
	// likelihood for the bot itself is absent.
	Superiority []Figure `json:"los"`
}

// NewRatings rates an event's entries by its matches, in the order of their numbers. Matches that repeat earlier ones
// move by move count once. The anchor may be nil. NewRatings returns an error if the anchor is not among the entries.
func NewRatings(entries []tournament.Entry, matches []tournament.MatchResult, anchor *Anchor) (Ratings, error) {
	return gathered(tournament.Event{Entries: entries}, matches).ratings(anchor)
}

func (c *Collector) ratings(anchor *Anchor) (Ratings, error) {
	entries := c.event.Entries
	r := Ratings{Anchor: anchor, Groups: []RatedGroup{}}
	anchored := -1
	if anchor != nil {
		anchored = slices.IndexFunc(entries, func(e tournament.Entry) bool { return e.Name == anchor.Name })
		if anchored < 0 {
			return r, fmt.Errorf("no bot of the event is named %q: fix the rating of one of its bots", anchor.Name)
		}
	}
	for _, group := range rating.Rate(len(entries), c.results()) {
		if len(group.Members) == 1 {
			r.Unrated = append(r.Unrated, entries[group.Members[0]].Name)
			continue
		}
		if k := slices.Index(group.Members, anchored); k >= 0 {
			group = group.Anchored(k, anchor.Elo)
		}
		r.Groups = append(r.Groups, c.ratedGroup(group))
	}
	slices.SortStableFunc(r.Groups, func(a, b RatedGroup) int { return cmp.Compare(len(b.Bots), len(a.Bots)) })
	return r, nil
}

// results returns the results of every two entries that have met.
func (c *Collector) results() (results []rating.Result) {
	c.each(func(a, b int, e *encounter) {
		result, _ := e.trials.Result()
		result.A, result.B = a, b
		results = append(results, result)
	})
	return results
}

func (c *Collector) ratedGroup(group rating.Group) RatedGroup {
	entries := c.event.Entries
	g := RatedGroup{Prior: group.Prior, DrawRate: group.DrawRate, DesignEffect: group.DesignEffect}
	order := group.Order()
	for i, k := range order {
		name := entries[group.Members[k]].Name
		bot := Rated{Rank: i + 1, Name: name, Elo: IntervalOf(group.Elo(k)), Total: c.total(name)}
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

// WriteText writes the ratings for a terminal of that width, a table for each group,
// with notes on how they were computed. It returns w's error.
func (r Ratings) WriteText(w io.Writer, width int) error {
	var text strings.Builder
	for i, g := range r.Groups {
		if i > 0 {
			text.WriteString("\nNo match connects the bots above with these:\n\n")
		}
		text.WriteString(g.table().Text(width))
		g.writeBars(&text, width)
		g.writeNotes(&text)
	}
	if len(r.Unrated) > 0 {
		fmt.Fprintf(&text, "Not rated, without a finished match: %s.\n", printable(strings.Join(r.Unrated, ", ")))
	}
	if len(r.Groups) > 0 {
		fmt.Fprintf(&text, "\nElo by all matches at once: maximum likelihood, Bradley and Terry's model with Davidson's draws;\n"+
			"low and high are the ends of %.0f%% intervals.\n%s\n", 100*rating.Level, r.zero())
		text.WriteString("A column's number is the rank of the opponent. A cell has the likelihood of superiority in percent.\n")
	}
	_, err := io.WriteString(w, terminal.Wrap(text.String(), width, ""))
	return err
}

// zero says which rating is fixed.
func (r Ratings) zero() string {
	switch {
	case r.Anchor == nil || slices.Contains(r.Unrated, r.Anchor.Name):
		return "The mean of each table is 0."
	case len(r.Groups) > 1:
		return fmt.Sprintf("In its table %s is fixed at %v and the intervals are relative to it; the mean of any other table is 0.", printable(r.Anchor.Name), r.Anchor.Elo)
	}
	return fmt.Sprintf("%s is fixed at %v and the intervals are relative to it.", printable(r.Anchor.Name), r.Anchor.Elo)
}

func (g RatedGroup) table() terminal.Table {
	table := terminal.Table{Indent: "  ", Columns: ranked("rank", "Elo", "low", "high", "played", "points")}
	for _, b := range g.Bots {
		table.Columns = append(table.Columns, terminal.Numbers(fmt.Sprint(b.Rank))...)
		row := []any{b.Rank, b.Name, b.Elo.Value.Text(1), b.Elo.Low.Text(1), b.Elo.High.Text(1), b.Total.Played(), fmt.Sprintf("%.1f", b.Total.Points())}
		for _, likelihood := range b.Superiority {
			likelihood.Value *= 100
			row = append(row, likelihood.Text(1))
		}
		table.Add(row...)
	}
	return table
}

// writeNotes writes the group's notes: on the prior, on ratings without a limit, and on wider intervals.
func (g RatedGroup) writeNotes(text *strings.Builder) {
	if g.Prior {
		text.WriteString("The results alone do not limit some differences. Each bot is therefore given half a win and half a loss\n" +
			"against the same imaginary opponent.\n")
	}
	for _, b := range g.Bots {
		switch {
		case b.Total.Points() == 0:
			fmt.Fprintf(text, "%s has lost every match, so its rating has no lower limit.\n", printable(b.Name))
		case b.Total.Won == b.Total.Played():
			fmt.Fprintf(text, "%s has won every match, so its rating has no upper limit.\n", printable(b.Name))
		}
	}
	if g.DesignEffect > 1 {
		fmt.Fprintf(text, "Pairs of matches on one opening vary %.2f times as much as independent ones; the intervals allow for that.\n", g.DesignEffect)
	}
}

// barWidth is the width of the scale for bars, in characters.
const barWidth = 49

// writeBars draws each bot's interval on one scale, for example
//
//	ann        |-----o-----|
//	bob  <--o--|
//
// An end without a limit is an arrow at the edge.
func (g RatedGroup) writeBars(text *strings.Builder, width int) {
	low, high := g.span()
	if low >= high {
		return
	}
	names, room := make([]string, len(g.Bots)), terminal.Width("bot")
	for i, b := range g.Bots {
		names[i] = shortened(b.Name)
		room = max(room, terminal.Width(names[i]))
	}
	if width > 0 {
		room = max(leastNameWidth, min(room, width-barWidth-7))
	}
	text.WriteByte('\n')
	for i, b := range g.Bots {
		name := terminal.Pad(terminal.Shorten(names[i], room), room, false)
		fmt.Fprintf(text, "%3d  %s  %s\n", b.Rank, name, strings.TrimRight(b.Elo.bar(low, high), " "))
	}
	left, right := fmt.Sprintf("%.0f", low), fmt.Sprintf("%.0f Elo", high)
	fmt.Fprintf(text, "     %s  %s%*s\n\n", strings.Repeat(" ", room), left, barWidth-len(left), right)
}

// span returns the lowest and the highest number of the group's intervals, with room for an arrow
// at an end without a limit.
func (g RatedGroup) span() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	var below, above float64 // room for arrows, as a fraction of the span
	for _, b := range g.Bots {
		low, high = b.Elo.widen(low, high)
		if b.Elo.Low.Absent() {
			below = 0.1
		}
		if b.Elo.High.Absent() {
			above = 0.1
		}
	}
	width := high - low
	return low - below*width, high + above*width
}

func (i Interval) bar(low, high float64) string {
	bar := []byte(strings.Repeat(" ", barWidth))
	at := func(x float64) int { return int(math.Round((x - low) / (high - low) * (barWidth - 1))) }
	from, to := 0, barWidth-1
	left, right := byte('<'), byte('>')
	if !i.Low.Absent() {
		from, left = at(i.Low.Value), '|'
	}
	if !i.High.Absent() {
		to, right = at(i.High.Value), '|'
	}
	copy(bar[from:to+1], strings.Repeat("-", to-from+1))
	bar[from], bar[to] = left, right
	if !i.Value.Absent() {
		bar[at(i.Value.Value)] = 'o'
	}
	return string(bar)
}
