package protocol

import (
	"errors"
	"fmt"
)

// errLeft says that the bot took its leave.
var errLeft = errors.New("the bot said goodbye")

// handle takes a message of the bot.
func (s *Session) handle(m Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m := m.(type) {
	case Move:
		s.answer(m, m.Game, m.Ply)
	case Resign:
		s.answer(m, m.Game, m.Ply)
	case Error:
		s.reported(m)
	case Goodbye:
		return fmt.Errorf("%w: %.200q", errLeft, m.Reason)
	default:
		return &FormError{UnknownType, "a " + m.kind() + " is not for a bot to send now"}
	}
	return nil
}

// strike tells the bot of a frame of bad form. Each counts.
func (s *Session) strike(f *FormError) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.object(Error{Code: f.Code, Message: f.Problem})
	return true
}

// reported takes an error that the bot reports.
func (s *Session) reported(e Error) {
	if e.Code == CannotMove && e.Ply != nil {
		s.answer(e, e.Game, *e.Ply)
		return
	}
	s.complain(e.Game, fmt.Sprintf("the bot reports %.40q: %.200q", e.Code, e.Message))
}

// answer passes an answer on to the seat that asked for it.
func (s *Session) answer(m Message, game string, ply int) {
	seat, e := s.seats[game], Error{Code: NotAsked, Game: game, Ply: &ply}
	switch {
	case seat == nil:
		e.Code, e.Message = UnknownGame, fmt.Sprintf("%s for game %.40q, which is not in progress", m.kind(), game)
	case seat.asked == nil:
		e.Message = fmt.Sprintf("%s for ply %d, where nothing is asked", m.kind(), ply)
	case seat.asked.request.Ply != ply:
		e.Message = fmt.Sprintf("%s for ply %d, asked is ply %d", m.kind(), ply, seat.asked.request.Ply)
	case m.kind() == Resign{}.kind() && !seat.start.Resign:
		e.Code, e.Message = NoResign, "the event takes no resignations: answer with a move"
	default:
		seat.asked.answer <- m // has room: asked only once
		seat.asked = nil
		return
	}
	s.object(e)
}

// object tells the bot what was wrong with a message, and notes it.
func (s *Session) object(e Error) {
	s.send(e)
	s.complain(e.Game, "the bot's last error: "+e.Message)
}

// complain notes what the bot did wrong for the game's seat, or for all seats
// if it is none of theirs.
func (s *Session) complain(game, text string) {
	if seat := s.seats[game]; seat != nil {
		seat.complaint = text
		return
	}
	for _, seat := range s.seats {
		seat.complaint = text
	}
}
