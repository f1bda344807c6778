package playertest

import (
	"context"
	"slices"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/rules"
)

// Setting describes the game that a player will play.
type Setting struct {
	Start rules.Position // the first position; it has the rules and the board size
	Side  rules.Side     // the player's role
	Seed  uint64         // for the player's random choices, below 2^53
}

// Suite configures the tests.
type Suite struct {
	// New returns a player that answers fast, since the suite plays whole games with it.
	New func(t *testing.T, g Setting) players.Player
	// Plies is the number of plies of each game to play; 0 for all.
	Plies int
	// Plays reports whether the player can play a game; nil means that it plays all games. In other games the
	// suite asks it only for forced moves. A Patient player must also play on 4x4 under gpcc2015.
	Plays func(r rules.Ruleset, s rules.Size) bool
	// Patient returns a player that would think far longer than TimeToMove. It is nil for a kind of bot that
	// does not search.
	Patient func(t *testing.T, g Setting) players.Player
	// TimeToMove is the time of a patient player for a move. The default is 50ms.
	TimeToMove time.Duration
	// Ended asks for moves with a context that has already ended. A player in this process still returns a
	// legal move; a player behind a connection cannot.
	Ended bool
	// Determined is the repeatability of the player's moves.
	Determined Determined
}

// Determined is the repeatability of the moves of a player with a given seed against an opponent that repeats its
// own moves.
type Determined int

// The moves of a player may depend on:
const (
	ByPosition Determined = iota // the position alone
	ByGame                       // the game so far, for a search that continues from the previous one
	ByNothing                    // the machine, too, for threads that race
)

// shortPlies is the number of plies of each game that are played if go test runs with -short. Games on small boards
// end within them.
const shortPlies = 40

// Run runs the suite.
func Run(t *testing.T, s Suite) {
	if s.Plays == nil {
		s.Plays = func(rules.Ruleset, rules.Size) bool { return true }
	}
	if s.TimeToMove == 0 {
		s.TimeToMove = 50 * time.Millisecond
	}
	if testing.Short() && (s.Plies == 0 || s.Plies > shortPlies) {
		t.Log("long: go test -short shortens it") // for .ci/run, as testkit.Amount does
		s.Plies = shortPlies
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

// testGames plays whole games under all rule sets, on boards of all sizes, in both roles. In the middle of each game
// a second player with the same seed takes over, and must play the same moves. If the moves depend on the whole game,
// the second player plays the whole game again instead. If they depend on the machine, there is no second player.
func (s Suite) testGames(t *testing.T) {
	for _, r := range rules.Rulesets() {
		for _, size := range rules.Sizes() {
			if !s.Plays(r, size) {
				continue
			}
			for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
				t.Run(r.String()+"/"+size.String()+"/"+side.String(), func(t *testing.T) {
					s.testGame(t, Setting{rules.NewPosition(r, size), side, 2048})
				})
			}
		}
	}
}

func (s Suite) testGame(t *testing.T, g Setting) {
	moves := s.play(t, s.New(t, g), g, s.Plies)
	middle := len(moves) / 2
	switch s.Determined {
	case ByGame:
		middle = 0
	case ByNothing:
		return
	}
	rest := g
	for _, m := range moves[:middle] {
		rest.Start = rest.Start.Next(m)
	}
	if again := s.play(t, s.New(t, rest), rest, len(moves)-middle); !slices.Equal(again, moves[middle:]) {
		t.Errorf("from %v a new player with the same seed played\n%v, want\n%v", rest.Start, again, moves[middle:])
	}
}

// play plays g to its end, or at most the given number of plies if it is not 0, and returns the moves. The moves of the
// random opponent depend on the position alone.
func (s Suite) play(t *testing.T, player players.Player, g Setting, plies int) (moves []rules.Move) {
	t.Helper()
	opponent := players.Chance(players.Game{Seed: 1})
	for p := g.Start; !p.Over() && (plies == 0 || len(moves) < plies); {
		var m rules.Move
		if p.SideToMove() == g.Side {
			m = choose(t.Context(), t, player, p)
		} else {
			m = choose(t.Context(), t, opponent, p)
		}
		moves, p = append(moves, m), p.Next(m)
	}
	return moves
}

// choose asks for a move and for the report on its search. The move must be legal, and the report must be
// possible in p.
func choose(ctx context.Context, t *testing.T, player players.Player, p rules.Position) rules.Move {
	t.Helper()
	m, err := player.Choose(ctx, p)
	if err != nil {
		t.Fatalf("Choose(%v): %v", p, err)
	}
	if _, err := p.Play(m); err != nil {
		t.Fatal(err)
	}
	if s, ok := player.(players.Searcher); ok {
		if report := s.LastSearch(); report != nil && report.Check(p) != nil {
			t.Fatalf("in %v: %v", p, report.Check(p))
		}
	}
	return m
}

// testForced asks for moves in positions with only one legal move.
func (s Suite) testForced(t *testing.T) {
	for text, want := range map[string]rules.Move{
		"2,0/4,0 D":         rules.East,
		"4,8,2/2,4,0 A":     rules.Place(6, false),
		"0,0,0,0/4,2,4,8 D": rules.North,
	} {
		g := game(t, text)
		if got := choose(t.Context(), t, s.New(t, g), g.Start); got != want {
			t.Errorf("in %s: got %v, want the only legal move %v", text, got, want)
		}
	}
}

// game returns a game of the GPCC 2015 rules from the given position, for the side to move.
func game(t *testing.T, text string) Setting {
	t.Helper()
	p, err := rules.ParsePosition(rules.GPCC2015, text)
	if err != nil {
		t.Fatal(err)
	}
	return Setting{p, p.SideToMove(), 7}
}

// midgames are positions with much to search.
var midgames = []string{
	"4,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4 D",
	"0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A",
}

// testDeadline gives a patient player little time. The test is that the player returns at all: without the
// deadline it would not.
func (s Suite) testDeadline(t *testing.T) {
	for _, text := range midgames {
		g := game(t, text)
		player := s.Patient(t, g)
		ctx, cancel := context.WithTimeout(t.Context(), s.TimeToMove)
		choose(ctx, t, player, g.Start)
		cancel()
	}
}

// endgame is a position on a board small enough to be solved.
const endgame = "8,4/2,2 D"

// testEnded asks for moves after the context has ended.
func (s Suite) testEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	newPlayer := s.New
	if s.Patient != nil {
		newPlayer = s.Patient
	}
	for _, text := range append(midgames, endgame) {
		if g := game(t, text); s.Plays(g.Start.Rules(), g.Start.Size()) {
			choose(ctx, t, newPlayer(t, g), g.Start)
		}
	}
}
