package arena

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Hint returns what a bot would play in a position, and its report on the search if it has one. A bot
// of the arena searches for a second at most. A connected bot is asked by a game of one move, if it has
// a free slot. Hint returns a *RequestError if the bot cannot answer, and ErrTooMany if the turn for it does not come soon.
func (s *Server) Hint(r *http.Request, bot string, p rules.Position) (rules.Move, *record.SearchReport, error) {
	if s.CanAsk(bot) {
		player, free, err := s.borrow(bot, p)
		if err != nil {
			return 0, nil, &RequestError{err}
		}
		defer free()
		ctx, end := context.WithTimeout(r.Context(), visitorMove)
		defer end()
		return hint(ctx, bot, player, p)
	}
	spec, err := s.adviser(bot, p)
	if err != nil {
		return 0, nil, &RequestError{err}
	}
	turn, err := s.Think(r)
	if err != nil {
		return 0, nil, err
	}
	defer turn.End()
	free, err := s.Reserve(spec.Need().Memory)
	if err != nil {
		return 0, nil, &RequestError{err}
	}
	defer free()
	ctx, end := turn.Within(r.Context(), hintTime)
	defer end()
	return hint(ctx, bot, spec.New(players.Game{Seed: randomSeed(), Rules: p.Rules(), Size: p.Size()}), p)
}

// hint returns the move of a player, and its report on the search.
func hint(ctx context.Context, bot string, player players.Player, p rules.Position) (rules.Move, *record.SearchReport, error) {
	move, err := player.Choose(ctx, p)
	if err == nil {
		_, err = p.Play(move)
	}
	if err != nil {
		return 0, nil, &RequestError{fmt.Errorf("bot %q has no answer: %w", bot, err)}
	}
	var report *record.SearchReport
	if searcher, ok := player.(players.Searcher); ok {
		report = searcher.LastSearch()
	}
	return move, report, nil
}

// CanAsk reports whether a name is that of a connected bot that a visitor may ask for a hint. A program of the host is
// none, also while a bot that the arena has started has its name: only an operator has it run.
func (s *Server) CanAsk(bot string) bool {
	return s.roster.connected(bot) && s.roster.guest(bot) == nil && s.host.programs[bot] == nil
}

// borrow takes a connected bot for one move: a game from the position, which free ends.
func (s *Server) borrow(bot string, p rules.Position) (player players.Player, free func(), err error) {
	switch {
	case p.Over():
		return nil, nil, errors.New("the game is over")
	case p.Rules().Chance() && p.SideToMove() == rules.Attacker:
		return nil, nil, errors.New("under these rules chance attacks")
	}
	slot, stay, err := s.roster.visit(bot, true)
	if err != nil {
		return nil, nil, err
	}
	seat := slot.session.StartGame(protocol.Start{
		Game: "hint " + rand.Text(), Event: "a hint", Match: 1, Leg: 1, Role: p.SideToMove(), Opponent: "a visitor",
		Clock: protocol.Clock{MoveMS: visitorMove.Milliseconds()}, Seed: randomSeed(), Search: true,
	}, p)
	seat.Patience = visitorLag
	seat.SetAway(0)
	return seat, func() {
		seat.Over(protocol.Over{Ending: record.Unfinished, Score: p.Score(), LargestTile: p.LargestTile(), Match: protocol.MatchScores{Number: 1}})
		s.roster.release(bot, stay)
	}, nil
}

// adviser returns the bot of the arena that a visitor asks for a hint.
func (s *Server) adviser(text string, p rules.Position) (spec players.Spec, err error) {
	if err := s.host.allowed.check(text); err != nil {
		return spec, err
	}
	spec, err = players.Parse(players.InFolder(text, s.host.allowed.relativeTo()))
	if err == nil {
		err = spec.Plays(p.Rules(), p.Size())
	}
	if err == nil && p.Over() {
		err = errors.New("the game is over")
	}
	if err == nil {
		err = checkVisit(spec.Need())
	}
	return spec, err
}
