package tournament

import (
	"time"

	"versus2048/players"
	"versus2048/rules"
)

// Bot is a participant of an event: something that sits down to games.
type Bot interface {
	// Identity is what the bot says of itself.
	Identity() Identity
	// Slots is how many games it plays at once, at least 1.
	Slots() int
	// Sit takes a seat in a game that begins or goes on.
	Sit(s Assignment) Seat
}

// Sitting is what a bot is told of a game it sits down to.
type Assignment struct {
	Event string
	Game  Game // with the plies played so far
	Side  rules.Side
	Seed  uint64 // for the bot's random choices in this game, below 2^53
	Clock Clock
	// Search says that the bot's reports on its searches are recorded.
	Search bool
	// Settings are the event's: what else the bot may want to know.
	Settings Settings
}

// Seat is a bot's place in one game. The referee uses it from one goroutine.
type Seat interface {
	players.Searcher
	// Played tells of each ply of the game, the seat's own included.
	Played(m rules.Move)
	// Lag is the part of the last Choose that the network took, as far as known.
	Lag() time.Duration
	// RoundTrip is how long a message to the bot and its answer were last under
	// way, as the arena itself measured it; 0 where there is no network.
	RoundTrip() time.Duration
	// Complaint is what the bot did wrong on the way to its last answer without
	// its being one, such as an answer for another ply; usually "".
	Complaint() string
	// Over tells that the game has ended, and gives up the seat.
	Over(v GameResult)
}

// Verdict is what both seats are told of a finished game.
type GameResult struct {
	Game Game
	Summary
	OtherLeg *int // the defender's score in the match's other game, if it is over
}

// LocalBot plays inside the arena's process.
type LocalBot struct {
	ID     Identity
	Games  int                              // games at once, at least 1
	New    func(seed uint64) players.Player // a player for one game
	Margin time.Duration                    // taken off the time for a move, so that the answer is in time
}

// Identity is what the bot says of itself.
func (b *LocalBot) Identity() Identity { return b.ID }

// Slots is how many games it plays at once.
func (b *LocalBot) Slots() int { return b.Games }

// Sit takes a seat in a game.
func (b *LocalBot) Sit(s Assignment) Seat {
	return localSeat{players.WithMargin(b.New(s.Seed), b.Margin)}
}

// localSeat is a seat without a network: nothing to tell, nothing lags.
type localSeat struct{ players.Searcher }

func (localSeat) Played(rules.Move)        {}
func (localSeat) Lag() time.Duration       { return 0 }
func (localSeat) RoundTrip() time.Duration { return 0 }
func (localSeat) Complaint() string        { return "" }
func (localSeat) Over(GameResult)          {}
