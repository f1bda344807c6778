package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"versus2048/lab/picture"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
)

// Contest reports on a fixed number of matches between two bots at equal time per move, and on claims about the
// first bot.
type Contest struct {
	Level   float64          `json:"level"` // of all intervals
	First   string           `json:"first"`
	Second  string           `json:"second"`
	Matches tournament.Tally `json:"matches"` // of the first bot
	Goals   []Goal           `json:"goals"`
	Scores  []Pairing        `json:"scores"`
	Bots    []ContestBot     `json:"bots"`
	Events  []PlayedEvent    `json:"events"`
}

// Goal is a claim about a figure, with the figure that the games gave.
type Goal struct {
	Claim   string          `json:"claim"`
	Least   bool            `json:"least"` // true: the figure is to be at least Bound; false: at most
	Bound   float64         `json:"bound"`
	Reached report.Interval `json:"reached"`
	Percent bool            `json:"percent"` // whether the figure is written in percent
}

// Pairing has the scores of one bot as defender against another one as attacker.
type Pairing struct {
	Defender string `json:"defender"`
	Attacker string `json:"attacker"`
	Defence
	// Early has the second games if no game counts for the mean. Else Early is nil.
	Early *EarlyGames `json:"early,omitempty"`
}

// EarlyGames are second games that may have ended early. Played to their end, they would have had at least this
// mean score.
type EarlyGames struct {
	Games   int     `json:"games"`
	AtLeast float64 `json:"at_least"`
}

// ContestBot has the mean time and the mean search of a bot's moves, by role.
type ContestBot struct {
	Name      string  `json:"name"`
	Defending Thought `json:"defending"`
	Attacking Thought `json:"attacking"`
}

// PlayedEvent is an event of a contest.
type PlayedEvent struct {
	Event      int64  `json:"event"` // its number, 0 if it is not on record
	Name       string `json:"name"`
	Conditions string `json:"conditions"` // see Conditions
	Matches    int    `json:"matches"`    // decided
	AllMatches int    `json:"of"`         // of the event
}

// Claims are the claims of a contest about its first bot.
type Claims struct {
	Share float64 // the least share of the matches that it wins, 0 to 1
	// Scores adds two claims on mean scores, relative to the mean of the second bot against itself. Against the second
	// bot, the first one makes at least twice that mean. Against the first bot, the second one makes at most half of
	// that mean.
	Scores bool
	// Short lets the first bot attack in the first game of every match. It defends in the second game, which ends once
	// the match is decided. Short saves time if the first bot is much the better defender, but it leaves out the first
	// claim of Scores.
	Short bool
}

// ContestEvents returns the event of two bots, with a name such as "contest gpcc2015 10 ms a/b". With Claims.Scores it
// adds an event of the second bot against itself, with half as many matches and complete games. The error says which
// setting is out of range, or that a short contest cannot have complete games.
func ContestEvents(first, second Contender, c Claims, s Config) ([]tournament.Event, error) {
	if c.Short && s.Complete {
		return nil, errors.New("a short contest cannot have complete games: its second games end once the match is decided")
	}
	e, err := s.timedEvent(fmt.Sprintf("contest %s %s/%s", s.conditionsName(), first.Name, second.Name), first, second)
	if err == nil && c.Short {
		e.Name += " short"
		e.Settings.Plan = tournament.Plan{Kind: tournament.Gauntlet, SeedsAttack: true}
		err = format.Validate(e)
	}
	if err != nil || !c.Scores {
		return []tournament.Event{e}, err
	}
	s.Complete, s.Matches = true, (s.Matches+1)/2
	itself, err := s.timedEvent(fmt.Sprintf("contest %s %s/itself", s.conditionsName(), second.Name), second, second.Again())
	return []tournament.Event{e, itself}, err
}

// NewContest returns the report on the ContestEvents. played has their finished games, in the same order. thinking has
// the games of the first event, with their reports on searches if there are any.
func NewContest(played []Played, thinking *Thinking, c Claims) Contest {
	e := played[0].Event
	first, second := e.Entries[0].Name, e.Entries[1].Name
	contest := Contest{Level: Level, First: first, Second: second}
	matches := tournament.Matches(played[0].Games)
	for _, m := range matches {
		contest.Matches.Add(m, first)
	}
	contest.Goals = append(contest.Goals, Goal{
		Claim: fmt.Sprintf("matches won by %s, a draw as half a match", first), Least: true, Bound: c.Share, Percent: true,
		Reached: matchShare(first, matches),
	})
	scores := newScores(played[0])
	for _, names := range [][2]string{{first, second}, {second, first}} {
		p := Pairing{Defender: names[0], Attacker: names[1], Defence: scores.defence(names[0], names[1])}
		if p.Games == 0 {
			p.Early = earlyGames(matches, names[0])
		}
		contest.Scores = append(contest.Scores, p)
	}
	if c.Scores {
		itself := newScores(played[1])
		contest.Scores = append(contest.Scores, Pairing{Defender: second, Attacker: second, Defence: itself.defence("", "")})
		if !c.Short { // else games end early while the first bot defends
			contest.Goals = append(contest.Goals, Goal{
				Claim: fmt.Sprintf("mean of %s against %s, in means of %[2]s against itself", first, second), Least: true, Bound: 2,
				Reached: ratioOfMeans(scores.of(first, second), itself),
			})
		}
		contest.Goals = append(contest.Goals, Goal{
			Claim: fmt.Sprintf("mean of %s against %s, in means of %[1]s against itself", second, first), Bound: 0.5,
			Reached: ratioOfMeans(scores.of(second, first), itself),
		})
	}
	for _, name := range []string{first, second} {
		contest.Bots = append(contest.Bots, ContestBot{name, thinking.Thought(e, name, rules.Defender), thinking.Thought(e, name, rules.Attacker)})
	}
	for _, p := range played {
		contest.Events = append(contest.Events, PlayedEvent{p.Event.ID, p.Event.Name, Conditions(p.Event), len(tournament.Matches(p.Games)), p.Event.Matches})
	}
	return contest
}

// Met returns "met" if the whole interval meets the goal, "not met" if the whole interval misses it, else
// "open".
func (g Goal) Met() string {
	met, missed := g.Reached.Low, g.Reached.High // the end that decides each of the two verdicts
	if !g.Least {
		met, missed = missed, met
	}
	switch {
	case !met.Absent() && g.holds(met.Value):
		return "met"
	case !missed.Absent() && !g.holds(missed.Value):
		return "not met"
	}
	return "open"
}

// holds reports whether a figure is on the right side of the bound.
func (g Goal) holds(x float64) bool { return g.Least && x >= g.Bound || !g.Least && x <= g.Bound }

// MarshalJSON adds the result of Met.
func (g Goal) MarshalJSON() ([]byte, error) {
	type fields Goal
	return json.Marshal(struct {
		fields
		Result string `json:"result"`
	}{fields(g), g.Met()})
}

// WriteMarkdown writes the goals, the scores, the times, and the conditions. It returns w's error.
func (c Contest) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s against %s: %s (won-drawn-lost)\n\n", c.First, c.Second, wonDrawnLost(c.Matches))
	goals := NewTable([]string{"goal"}, "wanted", "reached", "")
	goals.Columns[3].Right = false
	for _, g := range c.Goals {
		goals.Add(g.Claim, g.wanted(), g.Reached.Text(g.text), g.Met())
	}
	scores := NewTable([]string{"defender", "attacker"}, "complete games", "mean score")
	for _, p := range c.Scores {
		scores.Add(p.Defender, p.Attacker, p.Games, p.mean())
	}
	moves := NewTable([]string{"a move with a choice, as defender / attacker"}, "ms", "processor ms", "depth", "nodes")
	for _, b := range c.Bots {
		d, a := b.Defending, b.Attacking
		moves.Add(b.Name, bothRoles(d.MS, a.MS, 3), bothRoles(d.CPU, a.CPU, 3), bothRoles(d.Depth, a.Depth, 1), bothRoles(d.Nodes, a.Nodes, 0))
	}
	text.WriteString(goals.Markdown() + "\n" + scores.Markdown() + "\n" + moves.Markdown())
	c.writeNotes(&text)
	for _, e := range c.Events {
		fmt.Fprintf(&text, "- %s: %d of %d matches; %s\n", e.Name, e.Matches, e.AllMatches, e.Conditions)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// mean returns the mean with its interval, or a lower bound of the mean if the games may have ended early.
func (p Pairing) mean() string {
	if p.Early != nil {
		return fmt.Sprintf("at least %.0f (%d games that may have ended early)", p.Early.AtLeast, p.Early.Games)
	}
	return p.Mean.Rounded(0)
}

// writeNotes says how the intervals are made, and why one is missing.
func (c Contest) writeNotes(text *strings.Builder) {
	fmt.Fprintf(text, "\nIntervals: %.0f%%: Wilson's of a share, Student's of a mean, the delta method's of a ratio.\n", 100*c.Level)
	text.WriteString("Games from one opening may depend on each other: consecutive matches then count for less in the share,\n" +
		"and means and ratios take the openings as independent, not the games.\n")
	if slices.ContainsFunc(c.Scores, func(p Pairing) bool { return p.Games > 0 && p.Mean.Low.Absent() }) {
		text.WriteString("Games from a single opening give no interval of a mean or a ratio.\n")
	}
	text.WriteString("Where second games end once the match is decided, means count first games only.\n\n")
}

func (g Goal) text(f report.Figure) string {
	if g.Percent {
		return f.Percent()
	}
	return f.Text(2)
}

// wanted returns the bound, such as "at least 90.0%".
func (g Goal) wanted() string {
	bound := g.text(report.Figure{Value: g.Bound})
	if g.Least {
		return "at least " + bound
	}
	return "at most " + bound
}

// WritePlot draws the mean scores with their intervals, in a format such as picture.SVG. It returns w's
// error, or one for an unknown format.
func (c Contest) WritePlot(w io.Writer, format string) error {
	p := picture.New(fmt.Sprintf("%s against %s", c.First, c.Second), fmt.Sprintf("mean score, with its %.0f%% interval", 100*c.Level), "")
	var labels []string
	var means []report.Interval
	for _, s := range c.Scores {
		labels = append(labels, fmt.Sprintf("%s, attacked by %s", s.Defender, s.Attacker))
		means = append(means, s.Mean)
	}
	if err := AddRows(p, labels, means); err != nil {
		return err
	}
	p.X.Min = 0
	return picture.Write(w, format, 20*vg.Centimeter, RowsHeight(len(labels)), [][]*plot.Plot{{p}})
}
