package experiment

import (
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Thinking collects the times of the moves of games, and the reports on their searches. Its zero value is
// empty.
type Thinking struct {
	players map[player]*moveSums
}

// Thought has the mean time and the mean search of a bot's moves in one role. Forced moves do not count.
type Thought struct {
	Moves int           `json:"moves"`  // with a choice
	MS    report.Figure `json:"ms"`     // on the referee's clock
	CPU   report.Figure `json:"cpu_ms"` // processor time of the whole process; absent if several games were played at once
	Depth report.Figure `json:"depth"`  // plies to the deepest positions that the search has seen
	Nodes report.Figure `json:"nodes"`  // see record.SearchReport
}

// moveSums sums up a bot's moves in one role.
type moveSums struct {
	moves, searches int           // moves with a time, searches with a report
	spent           time.Duration // for the moves
	cpu             time.Duration // for the searches
	depth           int
	nodes           int64
}

// Add adds the moves of a finished game.
func (t *Thinking) Add(game tournament.Game) {
	if t.players == nil {
		t.players = map[player]*moveSums{}
	}
	r := &game.Record
	choice := choices(r)
	for side, name := range map[rules.Side]string{rules.Attacker: r.Attacker, rules.Defender: r.Defender} {
		key := player{name, side}
		if t.players[key] == nil {
			t.players[key] = &moveSums{}
		}
		t.players[key].addSide(r, choice, side)
	}
}

// Thought returns the means of a bot of the event in one role.
func (t *Thinking) Thought(e tournament.Event, bot string, side rules.Side) Thought {
	sum := t.players[player{bot, side}]
	if sum == nil {
		sum = &moveSums{}
	}
	thought := Thought{
		Moves: sum.moves,
		MS:    perUnit(milliseconds(sum.spent), sum.moves, "timed move"),
		CPU:   perUnit(milliseconds(sum.cpu), sum.searches, "search with a report"),
		Depth: perUnit(float64(sum.depth), sum.searches, "search with a report"),
		Nodes: perUnit(float64(sum.nodes), sum.searches, "search with a report"),
	}
	if e.Concurrency > 1 {
		thought.CPU = report.Figure{Needs: "needs one game at a time"}
	}
	return thought
}

// choices returns, for each move, whether the rules allowed another one.
func choices(r *record.Record) []bool {
	choice := make([]bool, 0, len(r.Moves))
	var moves []rules.Move
	position := r.Start
	for _, m := range r.Moves {
		moves = position.AppendMoves(moves[:0])
		choice = append(choice, len(moves) > 1)
		position = position.Next(m)
	}
	return choice
}

// addSide adds the moves of one side in a game.
func (m *moveSums) addSide(r *record.Record, choice []bool, side rules.Side) {
	first := 0
	if r.Start.SideToMove() != side {
		first = 1
	}
	for i := first; i < len(choice); i += 2 {
		if !choice[i] {
			continue
		}
		if i < len(r.Times) {
			m.moves++
			m.spent += r.Times[i]
		}
		if i < len(r.Searches) && r.Searches[i] != nil {
			s := r.Searches[i]
			m.searches++
			m.cpu += s.CPU
			m.depth += len(s.Expanded)
			m.nodes += s.Nodes
		}
	}
}

// perUnit returns sum / n. unit names the data that is missing if n is 0.
func perUnit(sum float64, n int, unit string) report.Figure {
	if n == 0 {
		return report.Figure{Needs: "needs 1 " + unit}
	}
	return report.Figure{Value: sum / float64(n)}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
