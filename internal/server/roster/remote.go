package roster

import (
	"strconv"
	"time"

	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// RemoteBot is a tournament.Bot that plays over a connection.
type RemoteBot struct {
	Name    string
	Session *protocol.Session
	Grace   time.Duration // the longest time that it may be away in one game, during its own turns
	Absent  time.Duration // the time away after which it is gone, if this is longer than Grace
}

// Identity returns the bot's identity, from its last hello.
func (b RemoteBot) Identity() tournament.Identity {
	h := b.Session.Hello()
	return tournament.Identity{Name: b.Name, Version: h.Version, Author: h.Author, Spec: h.Spec}
}

// Presence reports whether the bot is connected and not silent, and if not, whether it may come back.
func (b RemoteBot) Presence() tournament.Presence {
	switch {
	case b.Session.Silent(): // it may be away, and will be if it stays silent
		return tournament.Away
	case b.Session.Connected():
		return tournament.Here
	case b.Session.Absent() < b.Absent: // also a bot that has said goodbye
		return tournament.Away
	case b.Session.Gone(b.Grace):
		return tournament.Gone
	}
	return tournament.Away
}

// Patience returns the time until the presence of a bot that is away may change.
func (b RemoteBot) Patience() time.Duration {
	absent := b.Session.Absent()
	if absent < b.Absent {
		return b.Absent - absent
	}
	return max(time.Millisecond, b.Grace-absent)
}

// Slots returns the number of games that the bot offers to play at once.
func (b RemoteBot) Slots() int { return b.Session.Hello().Slots }

// Sit starts a game with the bot and returns the bot's seat in it.
func (b RemoteBot) Sit(s tournament.Assignment) tournament.Seat {
	rec := &s.Game.Record
	opponent := rec.Attacker
	if opponent == b.Name {
		opponent = rec.Defender
	}
	position, _ := rec.Replay() // the referee reports a record that does not replay
	a := s.Settings.Adjudication
	seat := b.Session.StartGame(protocol.Start{
		Game:     strconv.FormatInt(s.Game.ID, 10),
		Event:    s.Event,
		Match:    s.Game.Match,
		Leg:      s.Game.Leg,
		Role:     s.Side,
		Opponent: opponent,
		Clock:    protocol.ClockOf(s.Clock),
		Seed:     s.Seed,
		Search:   s.Search,
		Budget:   s.Settings.Budget,
		MaxTurns: a.MaxTurns,
		MaxTile:  a.MaxTile,
		Resign:   a.Resign,
		Resumed:  len(rec.Moves) > 0,
	}, position)
	seat.SetGrace(b.Grace)
	seat.SetAway(b.Grace - awayBefore(rec, s.Side))
	return botSeat{seat, s.Side}
}

// awayBefore returns the time that a side was away in the game before the game was interrupted.
func awayBefore(r *record.Record, side rules.Side) (away time.Duration) {
	for _, p := range r.Pauses {
		if own := (p.Ply%2 == 0) == (r.Start.SideToMove() == side); own {
			away += p.Away
		}
	}
	return away
}

// botSeat is a RemoteBot's seat in one game. It translates results for the protocol's seat.
type botSeat struct {
	*protocol.Seat
	side rules.Side
}

// Log returns nil: bots keep their logs.
func (botSeat) Log() []byte { return nil }

// Over sends the game's result to the bot and gives up the seat.
func (s botSeat) Over(r tournament.GameResult) {
	rec := &r.Game.Record
	over := protocol.Over{
		Ending:      rec.Ending,
		Detail:      rec.Detail,
		Score:       r.Score,
		LargestTile: r.LargestTile,
		Plies:       len(rec.Moves),
		Match:       protocol.MatchScores{Number: r.Game.Match},
	}
	if winner, ok := rec.Winner(); ok {
		over.Winner = &winner
	}
	mine, other := &over.Match.YourScore, &over.Match.OpponentScore
	if s.side == rules.Attacker {
		mine, other = other, mine
	}
	*other = r.OtherLeg
	if rec.Ending != record.Unfinished {
		*mine = &r.Score
	}
	s.Seat.Over(over)
}
