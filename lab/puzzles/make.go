package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"versus2048/internal/parallel"
	"versus2048/players/exact"
	"versus2048/rules"
)

// Settings are the adjustable parameters of a book of puzzles.
type Settings struct {
	Seed    uint64
	PerKind int          // puzzles of each kind at most
	Sizes   []rules.Size // boards of up to 9 cells, and 4x4
	Workers int          // games played at once
}

// Validate returns an error for settings out of range.
func (s Settings) Validate() error {
	switch {
	case s.PerKind < 1:
		return fmt.Errorf("%d puzzles of each kind: want at least 1", s.PerKind)
	case s.Workers < 1:
		return fmt.Errorf("%d workers: want at least 1", s.Workers)
	case len(s.Sizes) == 0:
		return errors.New("no board size")
	}
	for i, size := range s.Sizes {
		if err := exact.Solvable(size); err != nil && size != rules.Full {
			return err
		}
		if slices.Contains(s.Sizes[:i], size) {
			return fmt.Errorf("size %v is given twice", size)
		}
	}
	return nil
}

// Progress is the progress of Make.
type Progress struct {
	Rules   rules.Ruleset
	Size    rules.Size
	Solving bool // until the games begin: a small board is solved first
	Games   int  // games played under these rules on this board
	Found   int  // puzzles found, of Wanted
	Wanted  int
}

// Make makes a book of puzzles. The same settings make the same book, with any number of workers. Make calls report,
// unless it is nil, with its progress. It returns an error for settings out of range, and the cause of ctx when ctx
// ends.
func Make(ctx context.Context, s Settings, report func(Progress)) (*exact.PuzzleBook, error) {
	if report == nil {
		report = func(Progress) {}
	}
	return makeBook(ctx, s, batch, report)
}

// makeBook is Make with batches of a given size.
func makeBook(ctx context.Context, s Settings, batch int, report func(Progress)) (*exact.PuzzleBook, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	var all []exact.Puzzle
	for _, r := range rules.Rulesets() {
		for _, size := range s.Sizes {
			found, err := makeKinds(ctx, s, batch, exact.Game{Rules: r, Size: size}, report)
			if err != nil {
				return nil, fmt.Errorf("puzzles of %v under %v: %w", size, r, err)
			}
			all = append(all, found...)
		}
	}
	random := rand.New(rand.NewPCG(s.Seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for i := range all {
		all[i].Number = i + 1
	}
	return &exact.PuzzleBook{Puzzles: all}, nil
}

// A source plays games on one board, and knows the values of their positions.
type source interface {
	// candidates plays a game, and returns its positions that are good enough for puzzles.
	candidates(ctx context.Context, random *rand.Rand) ([]candidate, error)
}

// The limits of the games on one board. Even without enough puzzles, no further games are played after mostBatches
// batches, or after mostFruitless batches without a new puzzle.
const (
	mostBatches   = 16
	mostFruitless = 4
)

// batch is the number of games that are played before their puzzles are added. The book depends on it, but not on the
// number of workers.
const batch = 64

// makeKinds makes the puzzles of all roles of a game.
func makeKinds(ctx context.Context, s Settings, batch int, g exact.Game, report func(Progress)) ([]exact.Puzzle, error) {
	now := Progress{Rules: g.Rules, Size: g.Size, Solving: true, Wanted: s.PerKind * len(g.Rules.Roles())}
	report(now)
	from, err := newSource(ctx, g)
	if err != nil {
		return nil, err
	}
	find, err := newFinder(g.Rules)
	if err != nil {
		return nil, err
	}
	now.Solving = false
	chosen := newChoice(s.PerKind)
	fruitless := 0
	for now.Games < mostBatches*batch && fruitless < mostFruitless && !chosen.full(g.Rules.Roles()) {
		games := make([][]candidate, batch)
		err := parallel.Do(ctx, s.Workers, len(games), nil, func(i int) (err error) {
			random := rand.New(rand.NewPCG(s.Seed, seedOf(g, now.Games+i)))
			games[i], err = draw(ctx, from, find, random)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, c := range slices.Concat(games...) {
			chosen.add(c)
		}
		now.Games += batch
		fruitless++
		if found := len(chosen.all()); found > now.Found {
			now.Found, fruitless = found, 0
		}
		report(now)
	}
	return chosen.all(), nil
}

// draw plays a game, and draws one of its candidates for each role. One is enough, since the positions of a game are
// much alike. It prefers candidates that a greedy player cannot find.
func draw(ctx context.Context, from source, find finder, random *rand.Rand) (drawn []candidate, err error) {
	all, err := from.candidates(ctx, random)
	if err != nil {
		return nil, err
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	slices.SortStableFunc(all, func(a, b candidate) int { return greed(a) - greed(b) })
	for _, role := range []rules.Side{rules.Attacker, rules.Defender} {
		i := slices.IndexFunc(all, func(c candidate) bool { return c.position.SideToMove() == role })
		if i < 0 {
			continue
		}
		if all[i].depth, err = find.depth(ctx, all[i].position, all[i].best); err != nil {
			return nil, err
		}
		drawn = append(drawn, all[i])
	}
	return drawn, nil
}

func greed(c candidate) int {
	if c.greedy {
		return 1
	}
	return 0
}

// newSource returns the source of a game's puzzles.
func newSource(ctx context.Context, g exact.Game) (source, error) {
	if g.Size == rules.Full {
		return newEndings(g.Rules)
	}
	return solved(ctx, g)
}

// seedOf returns a number that is not 0, and that no other game of a book has.
func seedOf(g exact.Game, game int) uint64 {
	kind := uint64(g.Rules)<<16 | uint64(g.Size.Width)<<8 | uint64(g.Size.Height)
	return kind<<32 | uint64(game) // #nosec G115 -- no game has a negative number
}
