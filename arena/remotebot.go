package arena

import (
	"strconv"

	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// remoteBot is a bot on the roster as a participant of an event.
type remoteBot struct {
	name    string
	session *protocol.Session
}

// Identity is what the bot said in its last hello.
func (b remoteBot) Identity() tournament.Identity {
	h := b.session.Hello()
	return tournament.Identity{Name: b.name, Version: h.Version, Author: h.Author, Spec: h.Spec}
}

// Slots is how many games the bot offered to play at once.
func (b remoteBot) Slots() int { return b.session.Hello().Slots }

// Sit takes a seat in a game.
func (b remoteBot) Sit(s tournament.Assignment) tournament.Seat {
	rec := &s.Game.Record
	opponent := rec.Attacker
	if opponent == b.name {
		opponent = rec.Defender
	}
	position, _ := rec.Replay() // what does not replay, the referee reports
	a := s.Settings.Adjudication
	seat := b.session.StartGame(protocol.Start{
		Game:     strconv.FormatInt(s.Game.ID, 10),
		Event:    s.Event,
		Match:    s.Game.Match,
		Leg:      s.Game.Leg,
		Role:     s.Side,
		Opponent: opponent,
		Clock: protocol.Clock{
			MoveMS:      s.Clock.PerMove.Milliseconds(),
			BaseMS:      s.Clock.Base.Milliseconds(),
			IncrementMS: s.Clock.Increment.Milliseconds(),
		},
		Seed:     s.Seed,
		Search:   s.Search,
		Budget:   s.Settings.Budget,
		MaxTurns: a.MaxTurns,
		MaxTile:  a.MaxTile,
		Resign:   a.Resign,
		Resumed:  len(rec.Moves) > 0,
	}, position)
	seat.Patience = s.Settings.Lenience.Patience()
	return remoteSeat{seat, s.Side}
}

// remoteSeat is a bot's place in one game.
type remoteSeat struct {
	*protocol.Seat
	side rules.Side
}

// Over tells the bot that the game has ended.
func (s remoteSeat) Over(v tournament.GameResult) {
	rec := &v.Game.Record
	over := protocol.Over{
		Ending:      rec.Ending,
		Detail:      rec.Detail,
		Score:       v.Score,
		LargestTile: v.LargestTile,
		Plies:       len(rec.Moves),
		Match:       protocol.MatchScores{Number: v.Game.Match},
	}
	if winner, ok := rec.Winner(); ok {
		over.Winner = &winner
	}
	mine, other := &over.Match.YourScore, &over.Match.OpponentScore
	if s.side == rules.Attacker {
		mine, other = other, mine
	}
	*other = v.OtherLeg
	if rec.Ending != record.Unfinished {
		*mine = &v.Score
	}
	s.Seat.Over(over)
}
