package analysis

import (
	"time"

	"versus2048/internal/study"
	"versus2048/internal/web/templates"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Replay is a game at one of its plies.
type Replay struct {
	Ply, Before, Next int
	Position          rules.Position // at the ply
	Board             Board
	Move              string   // the last move before the position, "" at the start
	Caption           string   // that move in words
	Pause             string   // how long the clock stood still during the move, "" if it did not
	FirstTurn         int      // the number of the first of Turns, from 1
	Turns             [][]Link // around the ply, each a placement and the slide that answers it
}

// NewReplay returns a game at one of its plies. It returns an error if a move up to the ply is not legal.
func NewReplay(r *record.Record, ply int) (*Replay, error) {
	positions, err := Between(r, max(0, ply-1), ply)
	if err != nil {
		return nil, err
	}
	before, p := positions[0], positions[len(positions)-1]
	move, caption := "", ""
	if ply > 0 {
		played := r.Moves[ply-1]
		move, caption = played.String(), templates.Move(before, played)
	}
	replay := &Replay{
		Ply: ply, Before: max(0, ply-1), Next: min(len(r.Moves), ply+1), Position: p, Board: NewBoard(p, r.Moves[:ply]),
		Move: move, Caption: caption, Pause: templates.Pause(r, ply),
	}
	replay.FirstTurn, replay.Turns = turnsAround(r, ply)
	return replay, nil
}

// Speeds are the speeds to choose from, in plies a second.
func (*Replay) Speeds() []string { return []string{"0.25", "0.5", "1", "2.5", "5", "10", "25", "50"} }

// Link is a move in the list of moves.
type Link struct {
	Ply  int
	Move string
}

// shownTurns is the largest number of turns that a game's page lists without JavaScript.
const shownTurns = 80

// turnsAround returns the turns around a ply, and the number of the first of them, from 1.
func turnsAround(r *record.Record, ply int) (first int, turns [][]Link) {
	odd := 0 // a game that begins with a slide has half a turn first
	if r.Start.SideToMove() == rules.Defender {
		odd = 1
	}
	from := max(0, (ply+odd)/2-shownTurns/2)
	for t := from; t < from+shownTurns && 2*t-odd < len(r.Moves); t++ {
		var plies []Link
		for i := max(0, 2*t-odd); i < min(2*t-odd+2, len(r.Moves)); i++ {
			plies = append(plies, Link{i + 1, r.Moves[i].String()})
		}
		turns = append(turns, plies)
	}
	return from + 1, turns
}

// MostPoints limits three numbers: the points of a curve after its first point, the plies that a page plays by itself,
// and the moves in the result of [Tables.Plies].
const MostPoints = 1024

// Milestones returns some positions of a long game: after each ply that is a multiple of every. every is the number of
// plies from one point of the game's curves to the next, so there are at most MostPoints positions. For a game of at
// most MostPoints plies Milestones returns 0 and no positions.
func Milestones(r *record.Record) (every int, positions []string) {
	if every = stride(len(r.Moves)); every == 1 {
		return 0, nil
	}
	p := r.Start
	for i, m := range r.Moves {
		if p = p.Next(m); (i+1)%every == 0 {
			positions = append(positions, p.String())
		}
	}
	return every, positions
}

// Plies has facts about some plies of a game. The game's page shows them as soon as it has them.
type Plies struct {
	From      int          `json:"from"`
	Times     []int64      `json:"times_us,omitempty"`  // of the moves after the ply From; none if they are not recorded
	Advantage *study.Curve `json:"advantage,omitempty"` // of the defender from the ply From on, nil if the final score is not known
}

// Plies returns the facts about the plies of a game from the given ply on, at most MostPoints moves. other is the score
// in the other game of the match, nil if it is not known.
func (t Tables) Plies(r *record.Record, from int, other *int) Plies {
	to := min(from+MostPoints, len(r.Moves))
	return Plies{from, microseconds(r.Times[min(from, len(r.Times)):min(to, len(r.Times))]), study.Values(t).Part(r, from, to, other)}
}

func microseconds(times []time.Duration) (list []int64) {
	for _, t := range times {
		list = append(list, t.Microseconds())
	}
	return list
}
