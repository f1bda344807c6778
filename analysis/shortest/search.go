package shortest

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"versus2048/rules"
)

// Search follows all lines from a start position, turn by turn. It keeps all
// positions with the attacker to move that it came by: 12 bytes for each, and
// several hundred for those of the turn that is being played.
type Search struct {
	start  rules.Position
	layers []layer // with the attacker to move; only the last one has its lines
}

// Turn is what a turn brings: what is there after its placement, when games end.
type Turn struct {
	Plies     int      // from the start to the placement
	Positions int      // with the attacker to move before it, equal ones under a symmetry counted once
	Lines     *big.Int // lines of that many plies: rules.Perft(start, Plies)
	Ended     *big.Int // those of them that end in mate there
	Mated     []Mated  // where these end, the most lines first
}

// Mated is a position in which games end, up to symmetry.
type Mated struct {
	Board rules.Board // canonical
	Lines *big.Int    // lines that end in it or one of its images
	layer int         // of its parent
	index uint32      // of its parent there
}

// ErrOver is the error of a turn where no game goes on.
var ErrOver = errors.New("all games have ended")

// NewSearch starts a search from a position that is not over. Under rules with
// chance all that can be drawn counts alike.
func NewSearch(start rules.Position) (*Search, error) {
	if start.Over() {
		return nil, fmt.Errorf("position %v: the game is over", start)
	}
	s := &Search{start: start}
	if err := s.check(); err != nil {
		return nil, err
	}
	e := newExpansion(start)
	e.first(start)
	first, _ := e.gathered([]count{{1}})
	s.layers = []layer{first}
	return s, nil
}

// Turn plays the next turn. It returns ErrOver after the last one, the context's
// error, or another one if positions or numbers could become too large: then,
// and after an interruption, the search is as it was before.
func (s *Search) Turn(ctx context.Context) (Turn, error) {
	last := &s.layers[len(s.layers)-1]
	if len(last.boards) == 0 {
		return Turn{}, ErrOver
	}
	if err := s.check(); err != nil {
		return Turn{}, err
	}
	played, err := play(ctx, last, newExpansion(s.start), blockSize)
	if err != nil {
		return Turn{}, err
	}
	turn := Turn{
		Plies:     s.Plies() + 1,
		Positions: len(last.boards),
		Lines:     played.placed.big(),
		Ended:     played.mated.total().big(),
		Mated:     s.mated(played.mated),
	}
	last.lines = nil
	s.layers = append(s.layers, played.ongoing)
	return turn, nil
}

// Plies is the number of plies, from the start on, up to which lines were
// followed and go on.
func (s *Search) Plies() int { return s.plies(len(s.layers) - 1) }

// plies is the number of plies from the start to a layer.
func (s *Search) plies(layer int) int {
	plies := 2 * layer
	if s.start.SideToMove() == rules.Defender {
		plies++
	}
	return plies
}

// mated lists the positions of a layer after the last one's placements.
func (s *Search) mated(l layer) []Mated {
	all := make([]Mated, len(l.boards))
	for i, b := range l.boards {
		all[i] = Mated{b, l.lines[i].big(), len(s.layers) - 1, l.parents[i]}
	}
	slices.SortStableFunc(all, func(a, b Mated) int { return b.Lines.Cmp(a.Lines) })
	return all
}

// The most that a turn adds: 32 placements with 4 answers each, and a 4.
const (
	turnBits = 7
	turnTile = 4
)

// check returns an error if the next turn could make a tile or a number that is
// too large.
func (s *Search) check() error {
	sum := turnTile * len(s.layers)
	for i := range 16 {
		sum += 1 << s.start.Exponent(i) &^ 1
	}
	if sum >= 1<<16 {
		return fmt.Errorf("position %v: after %d more turns it could have a 65536: lines are only followed with smaller tiles", s.start, len(s.layers))
	}
	if n := len(s.layers); n > 0 && s.layers[n-1].total().big().BitLen() > countBits-turnBits {
		return fmt.Errorf("there are more than 2^%d lines of %d plies: longer ones are not counted", countBits-turnBits, s.Plies())
	}
	return nil
}
