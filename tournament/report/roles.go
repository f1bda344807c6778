package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"versus2048/internal/text/terminal"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Role describes one bot's play on one side against all opponents.
type Role struct {
	Name string `json:"name"`
	Side string `json:"role"` // "attacker" or "defender"
	Scores
	Conduct
}

// roles returns the roles of an event's entries by the collected matches: all as defender, then all
// as attacker unless chance attacks. An attacker's scores are the scores that it allowed.
func (c *Collector) roles() []Role {
	roles := []Role{}
	for _, side := range []rules.Side{rules.Defender, rules.Attacker} {
		if side == rules.Attacker && c.event.Rules.Chance() {
			break
		}
		for _, entry := range c.event.Entries {
			games := c.gamesOf(entry.Name, side)
			roles = append(roles, Role{
				Name:    entry.Name,
				Side:    side.String(),
				Scores:  games.scores(),
				Conduct: newConduct(c.faults(entry.Name, side), c.times.overall(entry.Name, side)),
			})
		}
	}
	return roles
}

// GoalTile is the tile that gives the game its name.
const GoalTile = 2048

// Scores are the results of the defenders of games. Games that were cut short are left out: see
// [tournament.Summary.Scored].
type Scores struct {
	Games    int `json:"games"`
	CutShort int `json:"games_cut_short"` // left out, not among Games

	MeanScore   Figure `json:"mean_score"`
	ScoreSD     Figure `json:"score_sd"` // of the sample
	MinScore    Figure `json:"min_score"`
	MaxScore    Figure `json:"max_score"`
	Reached     int    `json:"reached_2048"` // games that made the GoalTile
	ReachShare  Figure `json:"share_2048"`   // of Games, 0 to 1
	LargestTile int    `json:"largest_tile"` // in any of Games, 0 if there is none
	MeanTurns   Figure `json:"mean_turns"`
}

func (s *Scores) explain() {
	s.MeanScore.explain(needed(1, "game"))
	s.ScoreSD.explain(needed(2, "game"))
}

func share(count, games int) Figure { return ratio(float64(count), float64(games), "game") }

// ratio returns part divided by whole. The unit of whole is a noun such as "game", for the reason why a figure is
// absent.
func ratio(part, whole float64, unit string) Figure {
	if whole == 0 {
		return Figure{Needs: needed(1, unit)}
	}
	return Figure{Value: part / whole}
}

// scoreText returns the mean score with its standard deviation, or the number of games that they need.
func (s Scores) scoreText() string {
	switch {
	case s.MeanScore.Absent():
		return "- (" + s.MeanScore.Needs + ")"
	case s.ScoreSD.Absent():
		return s.MeanScore.Text(1) + " (" + s.ScoreSD.Needs + ")"
	}
	return fmt.Sprintf("%s (%s)", s.MeanScore.Text(1), s.ScoreSD.Text(1))
}

func (s Scores) largestText() string {
	if s.Games == 0 {
		return "-"
	}
	return fmt.Sprint(s.LargestTile)
}

// Conduct describes a bot's play in one role in all its games: its speed on the referee's clock,
// and its faults.
type Conduct struct {
	Moves    int                   `json:"timed_moves"`
	MeanMS   Figure                `json:"mean_ms"`
	MedianMS Figure                `json:"median_ms"`
	MaxMS    Figure                `json:"max_ms"`
	MeanLag  Figure                `json:"mean_lag_ms"` // the network's part of the time
	MaxLag   Figure                `json:"max_lag_ms"`
	Faults   map[record.Ending]int `json:"faults"` // games that the bot ended by a fault or resignation, by ending

	// The clock stood still during Pauses moves: for StallMS because the arena stalled, and for
	// AwayMS because the bot was disconnected. No other time includes this.
	Pauses  int     `json:"pauses,omitempty"`
	StallMS float64 `json:"stall_ms,omitempty"`
	AwayMS  float64 `json:"away_ms,omitempty"`
}

func newConduct(faults map[record.Ending]int, p *pace) Conduct {
	c := Conduct{
		Moves:  p.moves,
		MeanMS: p.mean(p.spent), MedianMS: p.median(), MaxMS: p.figure(p.longest),
		MeanLag: p.mean(p.lag), MaxLag: p.figure(p.mostLag),
		Faults: map[record.Ending]int{},
		Pauses: p.pauses, StallMS: milliseconds(p.stall), AwayMS: milliseconds(p.away),
	}
	maps.Copy(c.Faults, faults)
	return c
}

// loser returns the side that failed or resigned. ok is false if neither did.
func loser(s tournament.Summary) (side rules.Side, ok bool) {
	switch {
	case s.Forfeited:
		return rules.Attacker, true
	case s.Ending.Fault() || s.Ending == record.Resigned:
		return rules.Defender, true
	}
	return 0, false
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (c Conduct) timeText() string {
	return fmt.Sprintf("%s / %s / %s", c.MeanMS.Text(1), c.MedianMS.Text(1), c.MaxMS.Text(1))
}

func (c Conduct) lagText() string {
	return fmt.Sprintf("%s / %s", c.MeanLag.Text(1), c.MaxLag.Text(1))
}

// pauseText returns the seconds that the clock stood still, by reason, and the number of moves with a pause.
func (c Conduct) pauseText() string {
	if c.Pauses == 0 {
		return "none"
	}
	return fmt.Sprintf("%.1f / %.1f (%d)", c.StallMS/1000, c.AwayMS/1000, c.Pauses)
}

// faultText lists the faults by ending, or returns "none".
func (c Conduct) faultText() string {
	var faults []string
	for _, ending := range record.Endings() {
		if n := c.Faults[ending]; n > 0 {
			faults = append(faults, fmt.Sprintf("%d %s", n, ending))
		}
	}
	if faults == nil {
		return "none"
	}
	return strings.Join(faults, ", ")
}

// WriteRoles writes the bots' results in each role, for a terminal of that width. It returns w's error.
func WriteRoles(w io.Writer, roles []Role, width int) error {
	var text strings.Builder
	for _, side := range []rules.Side{rules.Defender, rules.Attacker} {
		writeRole(&text, side.String(), roles, width)
	}
	text.WriteString("An attacker's scores, tiles and turns are the ones that it allowed, without games that were cut short and without second games that an early decision might have ended.\n")
	if slices.ContainsFunc(roles, func(r Role) bool { return r.Pauses > 0 }) {
		text.WriteString("A clock stands still while the arena itself stalls and while the bot is away. No move was charged for that time.\n")
	}
	_, err := io.WriteString(w, terminal.Wrap(text.String(), width, ""))
	return err
}

func writeRole(text *strings.Builder, side string, roles []Role, width int) {
	table := terminal.Table{Columns: texts("as "+side,
		"games (left out)", "mean score (SD)", "min to max", fmt.Sprint(GoalTile), "turns", "ms a move, mean / median / max", "lag ms, mean / max")}
	paused := slices.ContainsFunc(roles, func(r Role) bool { return r.Side == side && r.Pauses > 0 })
	if paused {
		table.Columns = append(table.Columns, texts("", "clock stood still, s: stalls / away (moves)")[1])
	}
	for _, r := range roles {
		if r.Side != side {
			continue
		}
		row := []any{
			r.Name, fmt.Sprintf("%d (%d)", r.Games, r.CutShort), r.scoreText(), r.MinScore.Text(0) + " to " + r.MaxScore.Text(0),
			r.ReachShare.Percent(), r.MeanTurns.Text(1), r.timeText(), r.lagText(),
		}
		if paused {
			row = append(row, r.pauseText())
		}
		table.Add(row...)
	}
	if len(table.Rows) > 0 {
		text.WriteString(table.Text(width) + "\n")
	}
}

// WriteFaults writes how many games each bot ended by a fault or resignation, for a terminal of that width. It returns
// w's error.
func WriteFaults(w io.Writer, roles []Role, width int) error {
	table := terminal.Table{Columns: texts("faults", "as", "games ended by them")}
	for _, r := range roles {
		if len(r.Faults) > 0 {
			table.Add(r.Name, r.Side, r.faultText())
		}
	}
	text := "No bot failed or resigned.\n"
	if len(table.Rows) > 0 {
		text = terminal.Wrap(table.Text(width), width, "  ")
	}
	_, err := io.WriteString(w, text)
	return err
}
