package playertest

import (
	"testing"
	"time"

	"versus2048/players"
	"versus2048/rules"
)

// Game is what a factory is told of the game that its player will play.
type Game struct {
	Start rules.Position // the first position; it has the rules and the size
	Side  rules.Side     // the player's role
	Seed  uint64         // for the player's random choices, below 2^53
}

// Suite says which players are tested, and how.
type Suite struct {
	// New makes a player that answers fast: it is asked for whole games.
	New func(t *testing.T, g Game) players.Player
	// Plays tells which games the player can play; nil means all. On others it is
	// asked for forced moves alone.
	Plays func(r rules.Ruleset, s rules.Size) bool
	// Patient makes a player that would think far longer than TimeToMove. Nil
	// means that there is none: the kind of bot does not search.
	Patient func(t *testing.T, g Game) players.Player
	// TimeToMove is what a patient player has for a move. The default is 50ms.
	TimeToMove time.Duration
	// Ended asks for moves with a context that has ended already. A player in
	// this process still returns a legal move; one behind a socket can't.
	Ended bool
	// Determined says what the player's moves depend on.
	Determined Determined
}

// Determined says what the moves of a player with a given seed depend on, the
// opponent's moves apart.
type Determined int

// What a player's moves depend on.
const (
	ByPosition Determined = iota // on the position alone
	ByGame                       // on the game up to there: a search that goes on from the one before
	ByNothing                    // on the machine too: threads that race
)

// Run runs the suite.
func Run(t *testing.T, s Suite) {
	if s.Plays == nil {
		s.Plays = func(rules.Ruleset, rules.Size) bool { return true }
	}
	if s.TimeToMove == 0 {
		s.TimeToMove = 50 * time.Millisecond
	}
	t.Run("games", s.testGames)
	t.Run("forced", s.testForced)
	if s.Patient != nil {
		t.Run("deadline", s.testDeadline)
	}
	if s.Ended {
		t.Run("ended", s.testEnded)
	}
}
