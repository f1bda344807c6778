package botcmd

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/rating"
	"versus2048/tournament/report"
)

// TrialReport is the result of a trial: matches, faults and times.
type TrialReport struct {
	Program string `json:"program"` // its command
	// Problem is the reason why no game was played: the program did not become ready, or does not play such games. It
	// is "" if games were played.
	Problem string        `json:"problem,omitempty"`
	Name    string        `json:"name"` // the program's own name
	Version string        `json:"version"`
	Rules   rules.Ruleset `json:"rules"`
	Size    rules.Size    `json:"size"`
	Seed    uint64        `json:"seed"`     // of all random choices
	Limit   time.Duration `json:"limit_ns"` // for each move; 0 for none
	Against []Against     `json:"against"`
	Faults  []Fault       `json:"faults"`
	Moves   int           `json:"moves"`      // of the program
	Mean    time.Duration `json:"mean_ns"`    // of its times for a move
	Slowest time.Duration `json:"slowest_ns"` // the longest of these times
	// Equal is the number of games that repeated an earlier game move by move.
	Equal int             `json:"equal"`
	lines map[string]bool // the roles, opponents and moves of the games so far
}

// Against is the program's result against one bot.
type Against struct {
	Opponent string `json:"opponent"`
	Matches  int    `json:"matches"`
	Won      int    `json:"won"`
	Drawn    int    `json:"drawn"`
	// Elo is the program's rating minus the opponent's. Its interval is too narrow if games repeat others.
	Elo     report.Interval `json:"elo"`
	Defends []int           `json:"defends"` // the program's scores as the defender
	Attacks []int           `json:"attacks"` // the opponent's scores against its attack
	Faults  int             `json:"faults"`  // games that the opponent lost by a fault
	first   tournament.Game // of the present match: the program defends
}

// Fault is a game that the program lost by a fault.
type Fault struct {
	Game   int           `json:"game"` // from 1
	Role   rules.Side    `json:"role"`
	Ending record.Ending `json:"ending"`
	Detail string        `json:"detail"`
	Ply    int           `json:"ply"`
	Log    string        `json:"log,omitempty"` // the last bytes of its standard error
}

// misread returns the program's mistake that may have cost it its time: a line that was not understood, or has no end. It
// returns "" for another fault, and if there was no such mistake.
func (f Fault) misread() string {
	_, complaint, found := strings.Cut(f.Detail, "; ")
	if f.Ending != record.Time || !found || strings.HasPrefix(complaint, "it was sent ") {
		return ""
	}
	return complaint
}

func newReport(c Trial, id tournament.Identity) *TrialReport {
	r := &TrialReport{
		Program: strings.Join(c.Command, " "), Name: id.Spec, Version: id.Version, Limit: c.Clock.PerMove,
		Rules: c.Rules, Size: c.Size, Seed: c.Seed,
		Faults: []Fault{}, lines: map[string]bool{},
	}
	for _, opponent := range c.Opponents {
		r.Against = append(r.Against, Against{Opponent: opponent, Elo: elo(0, 0, 0), Defends: []int{}, Attacks: []int{}})
	}
	return r
}

// lastWords is the number of bytes of a program's standard error in a Fault.
const lastWords = 1 << 10

// add counts a game. side is the program's side.
func (r *TrialReport) add(g tournament.Game, side rules.Side) {
	i := slices.IndexFunc(r.Against, func(a Against) bool { return a.Opponent == g.Second })
	a := &r.Against[i]
	result := tournament.ResultOf(&g)
	if side == rules.Defender {
		a.Defends, a.first = append(a.Defends, result.Score), g
	} else {
		a.Attacks = append(a.Attacks, result.Score)
		a.addMatch(g)
	}
	switch winner, decided := g.Record.Winner(); {
	case !decided || g.Record.Ending == record.Resigned:
	case winner == side:
		a.Faults++
	default:
		log := string(g.Logs[side])
		r.Faults = append(r.Faults, Fault{int(g.ID), side, g.Record.Ending, g.Record.Detail, len(g.Record.Moves), log[max(0, len(log)-lastWords):]})
	}
	line := fmt.Sprint(side, g.Second, g.Record.Moves)
	if r.lines[line] {
		r.Equal++
	}
	r.lines[line] = true
	for _, t := range times(g, side) {
		r.Mean = (r.Mean*time.Duration(r.Moves) + t) / time.Duration(r.Moves+1)
		r.Moves++
		r.Slowest = max(r.Slowest, t)
	}
}

// addMatch counts a match after its second game.
func (a *Against) addMatch(second tournament.Game) {
	for _, m := range tournament.Matches([]tournament.Game{a.first, second}) {
		a.Matches++
		switch m.Outcome {
		case tournament.FirstWins:
			a.Won++
		case tournament.Drawn:
			a.Drawn++
		}
	}
	a.Elo = elo(a.Won, a.Drawn, a.Matches-a.Won-a.Drawn)
}

// elo returns the Elo difference for the results of matches. Its figures are absent if there are no matches.
func elo(won, drawn, lost int) report.Interval {
	i, ok := rating.Elo(rating.Trinomial{Win: int64(won), Draw: int64(drawn), Loss: int64(lost)})
	if !ok {
		i = rating.Interval{Value: math.Inf(1), Low: math.Inf(-1), High: math.Inf(1)}
	}
	return report.IntervalOf(i)
}

// mean returns the mean of scores, 0 without any.
func mean(scores []int) int {
	sum := 0
	for _, s := range scores {
		sum += s
	}
	return sum / max(1, len(scores))
}

// Advice returns sentences on the next improvements for the author, the most urgent first.
func (r *TrialReport) Advice() (advice []Advice) {
	say := func(code, format string, args ...any) {
		advice = append(advice, Advice{code, fmt.Sprintf(format, args...)})
	}
	if r.Problem != "" {
		say("nothing-played", "Nothing was played: %s. To see the lines that the program reads and writes, run: bot check -- COMMAND", strings.TrimSuffix(r.Problem, "."))
		return advice
	}
	r.adviseFaults(say)
	for _, a := range r.Against {
		if a.Faults > 0 {
			say("opponent-fault", "%s lost %s by a fault of its own, which can happen on a busy machine: these results say nothing about strength.", a.Opponent, terminal.Count(a.Faults, "game", "games"))
		}
	}
	r.adviseTimes(say)
	r.adviseStrength(say)
	if r.Equal > 0 && len(r.Faults) == 0 {
		say("repeats", "%s repeated an earlier game move by move. A bot is harder to predict if it chooses among equally good moves at random, with the seed of the game.", terminal.Count(r.Equal, "game", "games"))
	}
	if r.Version == "" {
		say("no-version", "The program does not say its version: with `id version`, results of different versions are not mixed up.")
	}
	if len(advice) == 0 {
		say("none", "There is nothing to complain about. Let it play others: bot exec connects it to an arena.")
	}
	return advice
}

func (r *TrialReport) adviseFaults(say advise) {
	if len(r.Faults) == 0 {
		return
	}
	first := r.Faults[0]
	say("fault", "%d of %d games ended by a fault of the program. The first: game %d, as the %s, after %s, %s: %s.",
		len(r.Faults), r.games(), first.Game, first.Role, terminal.Count(first.Ply, "ply", "plies"), first.Ending, strings.TrimSuffix(first.Detail, "."))
	if slices.ContainsFunc(r.Faults, func(f Fault) bool { return f.Role == rules.Attacker }) {
		say("attacker-fault", "A fault of the attacker forfeits the whole match, whatever the scores.")
	}
	if misread := first.misread(); misread != "" {
		say("not-understood", "No answer of it was understood: %s. An answer is one line such as `move N`, with a line break at its end.", misread)
		return
	}
	if first.Ending == record.Time {
		say("late", "It was too late: plan to answer 50 ms before left_ms is over, and count the time from when the line arrives.")
		return
	}
	say("check", "To find the cause of most faults, and to see the lines that the program reads and writes, run: bot check -- COMMAND")
}

func (r *TrialReport) adviseTimes(say advise) {
	switch {
	case r.Limit == 0 || r.Moves == 0:
	case r.Slowest > r.Limit*8/10:
		say("nearly-late", "Its slowest move took %v of %v: on a busy machine it would be late.", r.Slowest.Round(time.Millisecond), r.Limit)
	case r.Mean < r.Limit/20 && !slices.ContainsFunc(r.Faults, func(f Fault) bool { return f.Ending == record.Time }):
		say("time-unused", "It uses %v of the %v for a move: there is time for a deeper search.", r.Mean.Round(10*time.Microsecond), r.Limit)
	}
}

// adviseStrength names the role to improve. It looks at the first opponent that defends better than the program.
func (r *TrialReport) adviseStrength(say advise) {
	for _, a := range r.Against {
		mine, theirs := mean(a.Defends), mean(a.Attacks)
		if a.Matches == 0 || mine >= theirs {
			continue
		}
		say("weaker", "It defends worse against %[1]s (%[2]d points a game) than %[1]s against it (%[3]d).", a.Opponent, mine, theirs)
		if first := r.Against[0]; a.Opponent != first.Opponent && theirs > 2*mean(first.Attacks) {
			say("weak-attack", "Against its attack %s scores only %d points, but %s scores %d: look at the attacker first.", first.Opponent, mean(first.Attacks), a.Opponent, theirs)
		}
		return
	}
}

func (r *TrialReport) games() (n int) {
	for _, a := range r.Against {
		n += len(a.Defends) + len(a.Attacks)
	}
	return n
}

// WriteText writes the report for people. Text of the program cannot control the terminal.
func (r *TrialReport) WriteText(w io.Writer) error {
	table := terminal.Table{Columns: []terminal.Column{
		{Title: "against"},
		{Title: "matches", Right: true},
		{Title: "won", Right: true},
		{Title: "drawn", Right: true},
		{Title: "it defends", Right: true},
		{Title: "it attacks", Right: true},
	}}
	for _, a := range r.Against {
		table.Add(a.Opponent, a.Matches, a.Won, a.Drawn, mean(a.Defends), mean(a.Attacks))
	}
	text := ""
	if r.Problem == "" {
		text = table.Text(0) + fmt.Sprintf("\nPoints are the defender's mean score. %d moves of %v on average, %v at most; %s.\n\n",
			r.Moves, r.Mean.Round(10*time.Microsecond), r.Slowest.Round(10*time.Microsecond), terminal.Count(len(r.Faults), "fault", "faults"))
	}
	for _, a := range r.Advice() {
		text += "- " + plain.Line(a.Text) + "\n"
	}
	for _, f := range r.Faults {
		if f.Log != "" {
			text += fmt.Sprintf("\nIts standard error in game %d:\n%s\n", f.Game, plain.Lines(strings.ReplaceAll(strings.TrimSpace(f.Log), "\r\n", "\n")))
			break
		}
	}
	_, err := io.WriteString(w, text)
	return err
}
