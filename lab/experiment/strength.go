package experiment

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"versus2048/internal/text/terminal"
	"versus2048/lab/picture"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Strength is the ladder of strength: the results of bots against each other at equal time per move.
type Strength struct {
	Event      int64   `json:"event"`      // its number, 0 if it is not on record
	Name       string  `json:"name"`       // the event's name
	Conditions string  `json:"conditions"` // see Conditions
	Matches    int     `json:"matches"`    // decided
	AllMatches int     `json:"of"`         // of the event
	Level      float64 `json:"level"`      // of all intervals
	// FirstGames reports that only the first games of matches count for scores: see Config.Complete.
	FirstGames bool   `json:"first_games"`
	Rungs      []Rung `json:"rungs"` // the best bot first
}

// Rung is one bot on the ladder.
type Rung struct {
	Name      string           `json:"name"`
	Spec      string           `json:"spec"`
	Elo       report.Interval  `json:"elo"` // joint ratings with the mean 0
	Matches   tournament.Tally `json:"matches"`
	Defending Performance      `json:"defending"`
	Attacking Performance      `json:"attacking"`
	// Against has the scores as defender against each bot, in the order of the rungs. In the bot's own place it
	// has no games.
	Against []Defence `json:"against"`
}

// Performance has the scores of a bot in one role. For an attacker they are the scores of its opponents.
type Performance struct {
	Defence
	Thought Thought `json:"thought"`
}

// StrengthEvent returns the round-robin of the contenders, named such as "strength gpcc2015 10 ms".
// The error says which setting is out of range.
func StrengthEvent(contenders []Contender, s Config) (tournament.Event, error) {
	return s.timedEvent("strength "+s.conditionsName(), contenders...)
}

// Best returns the contenders with the n highest ratings in a recorded StrengthEvent, the best first. It
// returns an error if the event has rated fewer of them.
func Best(contenders []Contender, played Played, n int) ([]Contender, error) {
	var best []Contender
	for _, rated := range ratings(played) {
		i := slices.IndexFunc(contenders, func(c Contender) bool { return c.Name == rated.Name })
		if i >= 0 && len(best) < n && !rated.Elo.Value.Absent() {
			best = append(best, contenders[i])
		}
	}
	if len(best) < n {
		return nil, fmt.Errorf("event %q rates %d of the bots: want at least %d (play it first)", played.Event.Name, len(best), n)
	}
	return best, nil
}

// ratings returns the bots of an event, the best first, and bots without a finished match last. Until every two bots
// have met there may be groups without matches between them. The ratings of different groups cannot be compared.
func ratings(played Played) (rated []report.Rated) {
	all, err := report.NewRatings(played.Event.Entries, tournament.Matches(played.Games), nil)
	if err != nil {
		return nil // without an anchor there is no error
	}
	for _, g := range all.Groups {
		rated = append(rated, g.Bots...)
	}
	for _, name := range all.Unrated {
		rated = append(rated, report.Rated{Name: name, Elo: NoInterval("needs 1 match")})
	}
	return rated
}

// NewStrength returns the ladder of the finished games of a StrengthEvent. thinking has the same
// games, with their reports on searches if there are any.
func NewStrength(played Played, thinking *Thinking) Strength {
	e := played.Event
	ladder := Strength{
		Event:      e.ID,
		Name:       e.Name,
		Conditions: Conditions(e),
		Matches:    len(tournament.Matches(played.Games)),
		AllMatches: len(e.Entries) * (len(e.Entries) - 1) / 2 * e.Matches,
		Level:      Level,
		FirstGames: e.Settings.Adjudication.EarlyDecision,
	}
	rated, scores := ratings(played), newScores(played)
	for _, bot := range rated {
		rung := Rung{Name: bot.Name, Spec: specOf(e, bot.Name), Elo: bot.Elo, Matches: bot.Total}
		rung.Defending = Performance{scores.defence(bot.Name, ""), thinking.Thought(e, bot.Name, rules.Defender)}
		rung.Attacking = Performance{scores.defence("", bot.Name), thinking.Thought(e, bot.Name, rules.Attacker)}
		for _, attacker := range rated {
			rung.Against = append(rung.Against, scores.defence(bot.Name, attacker.Name))
		}
		ladder.Rungs = append(ladder.Rungs, rung)
	}
	return ladder
}

func specOf(e tournament.Event, name string) string {
	entry, _ := e.Entry(name) // all rated bots are bots of the event
	return entry.Spec
}

// WriteMarkdown writes the ladder, then the scores of each bot against each other one, and the conditions. It
// returns w's error.
func (l Strength) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	table := NewTable([]string{"bot"}, "Elo", "won-drawn-lost", "mean as defender", "mean allowed as attacker", "ms a move", "processor ms", "depth")
	for _, r := range l.Rungs {
		d, a := r.Defending, r.Attacking
		table.Add(r.Name, r.Elo.Rounded(0), wonDrawnLost(r.Matches), d.Mean.Value.Text(0), a.Mean.Value.Text(0),
			bothRoles(d.Thought.MS, a.Thought.MS, 2), bothRoles(d.Thought.CPU, a.Thought.CPU, 2), bothRoles(d.Thought.Depth, a.Thought.Depth, 1))
	}
	text.WriteString(table.Markdown() + "\nTimes and depths: as defender / as attacker, where the bot had a choice. Depth: plies to the deepest position seen.\n")
	l.writeScores(&text)
	fmt.Fprintf(&text, "\nIntervals: %.0f%%.%s\n\n", 100*l.Level, l.note())
	fmt.Fprintf(&text, "- %s: %d of %d matches; %s\n", l.Name, l.Matches, l.AllMatches, l.Conditions)
	_, err := io.WriteString(w, text.String())
	return err
}

// bothRoles writes a figure as defender and as attacker.
func bothRoles(defending, attacking report.Figure, decimals int) string {
	return defending.Text(decimals) + " / " + attacking.Text(decimals)
}

// writeScores writes the cross table.
func (l Strength) writeScores(text *strings.Builder) {
	text.WriteString("\nMean score with its interval and games: the row defends against the column.\n\n")
	table := NewTable([]string{"defender"})
	for i, r := range l.Rungs {
		table.Columns = append(table.Columns, terminal.Numbers(r.Name)...)
		row := []any{r.Name}
		for _, d := range r.Against {
			row = append(row, d.text())
		}
		row[1+i] = ""
		table.Add(row...)
	}
	text.WriteString(table.Markdown())
}

// text returns the mean, its interval if it has one, and the games, such as "1812 [1502, 2122] (5)".
func (d Defence) text() string {
	mean := d.Mean.Value.Text(0)
	if !d.Mean.Low.Absent() {
		mean = d.Mean.Rounded(0)
	}
	return fmt.Sprintf("%s (%d)", mean, d.Games)
}

func (l Strength) note() string {
	note := " The intervals of means take the openings as independent, not the games."
	if l.FirstGames {
		note += " Second games end once the match is decided, so means count first games only."
	}
	return note
}

// WritePlot draws the ratings with their intervals, one row per bot, in a format such as
// picture.SVG. It returns w's error, or one for an unknown format.
func (l Strength) WritePlot(w io.Writer, format string) error {
	p := picture.New(l.Name, fmt.Sprintf("Elo, with its %.0f%% interval", 100*l.Level), "")
	var names []string
	var elo []report.Interval
	for _, r := range l.Rungs {
		names, elo = append(names, r.Name), append(elo, r.Elo)
	}
	if err := AddRows(p, names, elo); err != nil {
		return err
	}
	return picture.Write(w, format, 20*vg.Centimeter, RowsHeight(len(names)), [][]*plot.Plot{{p}})
}
