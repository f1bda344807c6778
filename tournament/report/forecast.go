package report

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"versus2048/internal/text/terminal"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Forecast is the expected duration of an event. If the event has no limit of games, About, Full and Most are for one
// game.
type Forecast struct {
	Games   int              `json:"games"`             // 0 for no limit
	Bound   tournament.Bound `json:"bound,omitempty"`   // how exact Games is
	Plies   int              `json:"plies"`             // of a game, on average
	Ply     time.Duration    `json:"ply_ns"`            // the mean time of a ply
	About   time.Duration    `json:"about_ns"`          // the expected duration
	Full    time.Duration    `json:"full_ns,omitempty"` // if every move takes its whole time; 0 without a limit
	Most    time.Duration    `json:"most_ns,omitempty"` // by the limits of times and turns; 0 without such limits
	Earlier int              `json:"earlier"`           // the games that Plies and Ply are computed from
	Unknown []string         `json:"unknown,omitempty"` // the bots without earlier games
}

// Forecaster computes the forecast of an event from earlier games of its bots. A bot is known by its spec, or without
// one by its name.
type Forecaster struct {
	event    tournament.Event
	thoughts map[string]*thought
	games    int
}

// thought sums up the games of a bot.
type thought struct {
	games, plies int // the plies of both sides
	time         time.Duration
}

// NewForecaster returns the forecaster of an event, before any earlier game.
func NewForecaster(e tournament.Event) *Forecaster {
	f := &Forecaster{event: e, thoughts: map[string]*thought{}}
	for _, entry := range e.Entries {
		f.thoughts[kindOf(entry)] = &thought{}
	}
	return f
}

// kindOf returns a name for all bots that think equally long.
func kindOf(e tournament.Entry) string {
	if e.Spec == "" {
		return "named " + e.Name
	}
	return e.Spec
}

// Like reports whether games of an earlier event tell something about this one: the events have the same board, rules,
// clock, budget and adjudication, and a bot in common.
func (f *Forecaster) Like(earlier tournament.Event) bool {
	e := &f.event
	return earlier.Rules == e.Rules && earlier.Size == e.Size && earlier.Clock == e.Clock &&
		earlier.Settings.Budget == e.Settings.Budget && earlier.Settings.Adjudication == e.Settings.Adjudication &&
		slices.ContainsFunc(earlier.Entries, func(entry tournament.Entry) bool { return f.thoughts[kindOf(entry)] != nil })
}

// Add adds a game of an earlier event, and reports whether it counts: one of the bots played in it, without a fault.
func (f *Forecaster) Add(earlier tournament.Event, r *record.Record) bool {
	sides := [2]*thought{}
	for side, name := range []string{r.Attacker, r.Defender} {
		if entry, ok := earlier.Entry(name); ok {
			sides[side] = f.thoughts[kindOf(entry)]
		}
	}
	if r.Ending.Fault() || sides == [2]*thought{} {
		return false
	}
	f.games++
	for side, t := range sides {
		if t == nil {
			continue
		}
		t.games++
		t.plies += len(r.Times)
		for i := range r.Times {
			if (int(r.Start.SideToMove())+i)%2 == side {
				t.time += r.Times[i]
			}
		}
	}
	return true
}

// Forecast returns the forecast from the games so far. If a bot has none, the forecast is the one for usual bots.
func (f *Forecaster) Forecast() Forecast {
	e := &f.event
	total := format.New(*e).Total()
	x := Forecast{Games: 2 * total.Matches, Bound: total.Bound, Earlier: f.games}
	plies, game := 0., time.Duration(0)
	sides := len(e.Rules.Roles()) // that take time: chance takes none
	for _, entry := range e.Entries {
		t := f.thoughts[kindOf(entry)]
		if t.games == 0 {
			x.Unknown = append(x.Unknown, entry.Name)
			continue
		}
		plies += float64(t.plies) / float64(t.games*len(e.Entries))
		// Each side has the mean time of all bots.
		game += time.Duration(sides) * t.time / time.Duration(t.games*len(e.Entries))
	}
	if x.Unknown != nil || len(e.Entries) == 0 {
		x.Earlier = 0
		plies = UsualPlies(*e)
		game = time.Duration(plies * float64(sides) / 2 * float64(usualPly(e)))
	}
	x.Plies, x.Ply = int(math.Round(plies)), time.Duration(float64(game)/max(1, plies))
	steps := stepsOf(e, x.Games)
	x.About, x.Full, x.Most = times(steps, game), times(steps, fullGame(e, x.Plies)), times(steps, LongestGame(*e))
	return x
}

// gamesAtOnce returns the largest number of games that are played at once, at least 1. A bot that connects by itself
// plays one game at once, as bots do unless they say otherwise.
func gamesAtOnce(e *tournament.Event) int {
	sum, largest := 0, 0
	for _, entry := range e.Entries {
		slots := 1
		if entry.Spec != "" || e.Settings.IsProgram(entry.Name) {
			slots = e.Concurrency
		}
		sum, largest = sum+slots, max(largest, slots)
	}
	if e.Rules.Chance() {
		return max(1, min(e.Concurrency, sum)) // a game keeps only its defender busy
	}
	return max(1, min(e.Concurrency, sum/2, sum-largest)) // a bot's opponents are the others
}

// stepsOf returns the number of games that have to be played one after the other, at least 1, if all games take equally
// long.
func stepsOf(e *tournament.Event, games int) int {
	atOnce := gamesAtOnce(e)
	steps, levels := (games+atOnce-1)/atOnce, bits.Len(uint(max(1, len(e.Entries))-1))
	switch e.Settings.Plan.Kind {
	case tournament.Knockout:
		steps = max(steps, levels*2*e.Matches)
	case tournament.DoubleElimination:
		// The losers' bracket has two levels for each level of the winners' bracket but the first. The final may be
		// played again.
		steps = max(steps, (2*levels+1)*2*e.Matches)
	}
	return max(1, steps)
}

// fullGame returns the time of a game of that many plies if every move takes its whole time, 0 without a limit.
func fullGame(e *tournament.Event, plies int) time.Duration {
	sides := len(e.Rules.Roles())
	moves := plies * sides / 2
	longest := times(moves, e.Clock.PerMove)
	if base := times(sides, e.Clock.Base) + times(moves, e.Clock.Increment); e.Clock.Base > 0 && (longest == 0 || base < longest) {
		return base
	}
	return longest
}

// LongestGame returns the longest think time of all players of a game together, 0 if there is no limit.
func LongestGame(e tournament.Event) (longest time.Duration) {
	turns, sides := e.Settings.Adjudication.MaxTurns, len(e.Rules.Roles())
	if e.Clock.Base > 0 && (turns > 0 || e.Clock.Increment == 0) {
		longest = times(sides, min(e.Clock.Base, Century)+times(turns, e.Clock.Increment))
	}
	if moves := times(turns, times(sides, e.Clock.PerMove)); moves > 0 && (longest == 0 || moves < longest) {
		longest = moves
	}
	return longest
}

// Century is the longest forecast.
const Century = 100 * 365 * 24 * time.Hour

// times returns n times d, at most a century.
func times(n int, d time.Duration) time.Duration {
	if float64(n)*float64(d) >= float64(Century) {
		return Century
	}
	return time.Duration(n) * d
}

// usual is the mean number of plies of games by usual bots, by the board and the rules. The smaller side of the board
// comes first. The numbers were measured by
//
//	arena event run --in-process --matches 4 --rules gpcc2015 --size 3x3 --bot random --bot greedy --bot evminimax \
//	  --bot mcts:playouts=1000 --bot ov3y:time=20
//
// for each board and all rules, with --matches 10 on 2x2, 2 on 3x4 and 1 on 4x4. arena games shows the plies.
var usual = map[string]map[rules.Ruleset]float64{
	"2x2": {rules.GPCC2015: 23, rules.GPCC2016: 11, rules.Solo: 22},
	"2x3": {rules.GPCC2015: 71, rules.GPCC2016: 30, rules.Solo: 65},
	"2x4": {rules.GPCC2015: 182, rules.GPCC2016: 53, rules.Solo: 121},
	"3x3": {rules.GPCC2015: 258, rules.GPCC2016: 84, rules.Solo: 192},
	"3x4": {rules.GPCC2015: 639, rules.GPCC2016: 214, rules.Solo: 558},
	"4x4": {rules.GPCC2015: 2865, rules.GPCC2016: 937, rules.Solo: 2571},
}

// usualTime is about the mean time of a move of these bots on 4x4. arena stats shows 0, 0.1, 3, 6 and, without the
// limit of 20 ms, 100 ms.
const usualTime = 20 * time.Millisecond

// UsualPlies returns the number of plies that games of usual bots have on the event's board.
func UsualPlies(e tournament.Event) float64 {
	w, h := min(e.Size.Width, e.Size.Height), max(e.Size.Width, e.Size.Height)
	plies := usual[fmt.Sprintf("%dx%d", w, h)][e.Rules]
	if turns := e.Settings.Adjudication.MaxTurns; turns > 0 {
		return min(plies, 2*float64(turns))
	}
	return plies
}

// usualPly returns the time that usual bots take for a move, at most the clock's time for a move.
func usualPly(e *tournament.Event) time.Duration {
	if e.Clock.PerMove > 0 {
		return min(usualTime, e.Clock.PerMove)
	}
	return usualTime
}

// Text returns the forecast in one phrase, such as “about 2 h 10 min: 90 games, 1900 plies each, 45 ms a ply”. It says
// where the forecast comes from.
func (x Forecast) Text() string {
	var text strings.Builder
	fmt.Fprintf(&text, "about %s", Span(x.About))
	if x.Games == 0 {
		text.WriteString(" a game")
	}
	if x.Earlier == 0 {
		text.WriteString(" as bots usually think")
	}
	switch {
	case x.Most > 0:
		fmt.Fprintf(&text, ", at most %s by the clock", Span(x.Most))
	case x.Full > 0:
		fmt.Fprintf(&text, ", %s if every move takes its whole time", Span(x.Full))
	}
	plies := terminal.Count(x.Plies, "ply", "plies")
	if x.Games > 0 {
		plies = strings.TrimSpace(fmt.Sprintf("%s %s", x.Bound, terminal.Count(x.Games, "game", "games"))) + ", " + plies + " each"
	}
	fmt.Fprintf(&text, ": %s, %s a ply", plies, plyText(x.Ply))
	if x.Earlier > 0 {
		fmt.Fprintf(&text, ", as in %s of these bots", terminal.Count(x.Earlier, "earlier game", "earlier games"))
	}
	return text.String()
}

// plyText writes the time of a ply, such as 45 ms or 0.3 ms.
func plyText(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 1 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// Span writes a rough duration, such as 2 h 10 min, 40 min or 50 s.
func Span(d time.Duration) string {
	switch {
	case d < 100*time.Second:
		return fmt.Sprintf("%.0f s", max(1, d.Seconds()))
	case d >= 48*time.Hour:
		return fmt.Sprintf("%.0f days", d.Hours()/24)
	}
	minutes := int(math.Round(d.Minutes()))
	switch h, m := minutes/60, minutes%60; {
	case h == 0:
		return fmt.Sprintf("%d min", m)
	case m == 0:
		return fmt.Sprintf("%d h", h)
	default:
		return fmt.Sprintf("%d h %d min", h, m)
	}
}
