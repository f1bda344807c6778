package census

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"versus2048/rules"
	"versus2048/rules/record"
)

// LineSearch follows all lines from a start position, turn by turn. It keeps all
// positions with the attacker to move that it has found. A position takes 12 bytes,
// and several hundred while its turn is being played.
type LineSearch struct {
	start  rules.Position
	layers []lineLayer // with the attacker to move; only the last one has its lines
}

// Turn is the result of playing one turn. It counts lines up to the turn's placement,
// because games end after placements.
type Turn struct {
	Plies     int      // from the start to the placement
	Positions int      // positions before the placement, counted once if they are equal under a symmetry
	Lines     *big.Int // lines of that many plies: rules.Perft(start, Plies)
	Ended     *big.Int // the lines that end in mate
	Mated     []Mated  // the final positions of these lines, the position with the most lines first
}

// Mated is a position that ends games, up to symmetry.
type Mated struct {
	Board rules.Board // canonical
	Lines *big.Int    // lines that end in Board or one of its images
	layer int         // the layer of its parent
	index uint32      // the parent's index in that layer
}

// ErrOver is the error for playing a turn when no game continues.
var ErrOver = errors.New("all games have ended")

// NewLineSearch starts a search from a position. Under rules with chance, all possible
// draws count alike. It returns an error if the game is over, or if the sum of the
// tiles is 65536 or more.
func NewLineSearch(start rules.Position) (*LineSearch, error) {
	if start.Over() {
		return nil, fmt.Errorf("position %v: the game is over", start)
	}
	s := &LineSearch{start: start}
	if err := s.check(); err != nil {
		return nil, err
	}
	e := newExpansion(start)
	e.first(start)
	first, _ := e.collect([]lineCount{{1}})
	s.layers = []lineLayer{first}
	return s, nil
}

// Turn plays the next turn. It returns ErrOver after the last one, the context's
// error, or another error if a tile or a number could become too large. After an
// error the search is unchanged.
func (s *LineSearch) Turn(ctx context.Context) (Turn, error) {
	last := &s.layers[len(s.layers)-1]
	if len(last.boards) == 0 {
		return Turn{}, ErrOver
	}
	if err := s.check(); err != nil {
		return Turn{}, err
	}
	played, err := play(ctx, last, newExpansion(s.start), lineBlockSize)
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

// Plies returns the number of plies from the start that have been searched.
func (s *LineSearch) Plies() int { return s.plies(len(s.layers) - 1) }

// plies returns the number of plies from the start to a layer.
func (s *LineSearch) plies(layer int) int {
	plies := 2 * layer
	if s.start.SideToMove() == rules.Defender {
		plies++
	}
	return plies
}

// mated lists the positions of l: placements on the last layer have led to them.
func (s *LineSearch) mated(l lineLayer) []Mated {
	all := make([]Mated, len(l.boards))
	for i, b := range l.boards {
		all[i] = Mated{b, l.lines[i].big(), len(s.layers) - 1, l.parents[i]}
	}
	slices.SortStableFunc(all, func(a, b Mated) int { return b.Lines.Cmp(a.Lines) })
	return all
}

// The largest growth in one turn: the number of lines by a factor of 32 placements with 4 answers each, or 2^7,
// and the sum of the tiles by a 4.
const (
	turnBits = 7
	turnTile = 4
)

// check returns an error if the next turn could make a tile or a number that is
// too large.
func (s *LineSearch) check() error {
	if s.start.Sum()+turnTile*len(s.layers) >= 1<<16 {
		return fmt.Errorf("position %v: it could have a 65536 after %d turns: only lines with smaller tiles are counted", s.start, len(s.layers))
	}
	if n := len(s.layers); n > 0 && s.layers[n-1].total().big().BitLen() > lineCountBits-turnBits {
		return fmt.Errorf("there are more than 2^%d lines of %d plies: longer ones are not counted", lineCountBits-turnBits, s.Plies())
	}
	return nil
}

// Record returns a game that ends in m, which a turn of this search has returned. It
// is the same game every time, and it has no players. It returns an error if m is not
// from this search.
func (s *LineSearch) Record(m Mated) (record.Record, error) {
	if m.layer >= len(s.layers) || int(m.index) >= len(s.layers[m.layer].boards) {
		return record.Record{}, fmt.Errorf("mated board %#x: it is not from this search", m.Board)
	}
	r := record.Record{Start: s.start, Ending: record.Mate}
	at := s.start
	for i, target := range append(s.path(m), m.Board) {
		plies := s.plies(m.layer) + 1 // from the start to target
		if i <= m.layer {
			plies = s.plies(i)
		}
		// Any image of the parent leads to an image of the child.
		moves, _ := movesTo(target, at, plies-len(r.Moves))
		for _, move := range moves {
			at = at.Next(move)
		}
		r.Moves = append(r.Moves, moves...)
	}
	last, err := r.Replay()
	if err == nil && last.Board().Canonical(last.Size()) != m.Board {
		err = fmt.Errorf("the line ends in %v", last)
	}
	if err != nil {
		return record.Record{}, fmt.Errorf("mated board %#x: it is not from this search: %w", m.Board, err)
	}
	return r, nil
}

// path returns the canonical boards on a path to m, one per layer.
func (s *LineSearch) path(m Mated) []rules.Board {
	path := make([]rules.Board, m.layer+1)
	for i, at := m.layer, m.index; i >= 0; i-- {
		path[i] = s.layers[i].boards[at]
		at = s.layers[i].parents[at]
	}
	return path
}

// movesTo returns the first sequence of exactly plies moves that leads from p to an
// image of target.
func movesTo(target rules.Board, p rules.Position, plies int) (moves []rules.Move, ok bool) {
	if plies == 0 {
		return nil, p.Board().Canonical(p.Size()) == target
	}
	for _, m := range p.AppendMoves(nil) {
		if rest, ok := movesTo(target, p.Next(m), plies-1); ok {
			return append([]rules.Move{m}, rest...), true
		}
	}
	return nil, false
}
