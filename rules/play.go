package rules

import "fmt"

// Reason says why a move is illegal.
type Reason string

// The reasons.
const (
	NotYourMove  Reason = "it is the other side's turn" // a slide by the attacker, a placement by the defender
	OutsideBoard Reason = "the cell is outside the board"
	CellOccupied Reason = "the cell is occupied"
	NoFours      Reason = "these rules place only 2s"
	NothingMoves Reason = "the slide changes nothing"
	UnknownMove  Reason = "it is no move"
	GameOver     Reason = "the game is over"
)

// IllegalMoveError names an illegal move, the position it was tried in and the
// reason.
type IllegalMoveError struct {
	Move     Move
	Position Position
	Reason   Reason
}

func (e *IllegalMoveError) Error() string {
	return fmt.Sprintf("illegal move %v at ply %d (%v): %s", e.Move, e.Position.ply, e.Position, e.Reason)
}

// Play is the position after the move. It returns an *IllegalMoveError if the
// move is not legal.
func (p Position) Play(m Move) (Position, error) {
	if reason := p.objection(m); reason != "" {
		return p, &IllegalMoveError{m, p, reason}
	}
	return p.Next(m), nil
}

func (p Position) objection(m Move) Reason {
	switch {
	case m > East:
		return UnknownMove
	case p.Over():
		return GameOver
	case m.IsSlide() != (p.side == Defender):
		return NotYourMove
	case m.IsSlide():
		if !p.slides(m) {
			return NothingMoves
		}
	case !p.size.holds(m.Cell()):
		return OutsideBoard
	case p.board.Exponent(m.Cell()) != 0:
		return CellOccupied
	case m.IsFour() && !p.rules.Fours():
		return NoFours
	}
	return ""
}
