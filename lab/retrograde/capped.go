package retrograde

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"versus2048/players/exact"
	"versus2048/rules"
)

// Capped is the value of the empty board if the attacker places at most Fours 4s, and 2s otherwise.
type Capped struct {
	Fours int         `json:"fours"`
	Value exact.Value `json:"value"`
}

// MostFours is the largest number of 4s that SolveCapped accepts: the memory for layers grows with that number.
const MostFours = 64

// SolveCapped returns the value of the empty board for each number of 4s from 0 to fours: with none, that is the game
// gpcc2015, and with enough of them gpcc2016. It takes as much time as fours+1 solutions of gpcc2016. It calls report
// and returns errors as Solve does, and an error if fours is not from 0 to MostFours.
//
// It solves all boards of gpcc2016 for each number of 4s that the attacker may have left. It goes layer by layer, and
// solves each layer for all these numbers. After a 4, one 4 less is left.
func SolveCapped(ctx context.Context, s rules.Size, fours int, report func(Progress)) ([]Capped, error) {
	if fours < 0 || fours > MostFours {
		return nil, fmt.Errorf("%d 4s: want 0 to %d", fours, MostFours)
	}
	if err := exact.Solvable(s); err != nil {
		return nil, err
	}
	if report == nil {
		report = func(Progress) {}
	}
	g := exact.Game{Rules: rules.GPCC2016, Size: s}
	_, boards := enumerate(ctx, g, report)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	c := cappedSolver{g, ctx, make([][2]*worths, fours+1)}
	c.solve(boards, report)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return c.values()
}

// cappedSolver solves the layers for each number of 4s that the attacker has left.
type cappedSolver struct {
	game  exact.Game
	ctx   context.Context
	after [][2]*worths // by the number of 4s: the boards with the sum that is larger by 2, and by 4
}

// solve solves the layers, the last one first.
func (c *cappedSolver) solve(boards []*parts, report func(Progress)) {
	progress := Progress{Solving: true, Largest: c.game.LargestSum()}
	for _, b := range boards {
		progress.Total += b.count()
	}
	for i := len(boards) - 1; i >= 0 && c.ctx.Err() == nil; i-- {
		layer := newWorths(boards[i])
		boards[i] = nil
		c.layer(layer)
		progress.Sum, progress.Done = 2*i, progress.Done+len(layer.boards)
		progress.Bytes = int64(8*(progress.Total-progress.Done)) + c.bytes()
		report(progress)
	}
}

// layer solves a layer for each number of 4s, the largest first: a number needs the boards with the sum larger by 4 of
// the number below, and solving the number below drops these boards.
func (c *cappedSolver) layer(empty *worths) {
	for n := len(c.after) - 1; n >= 0; n-- {
		s := solver{game: c.game, ctx: c.ctx, tick: c.game.Tick(), after: c.after[n]}
		if n == 0 {
			s.game.Rules = rules.GPCC2015
		} else {
			s.after[1] = c.after[n-1][1]
		}
		before, w := c.after[n][0], empty.copied()
		s.solve(w)
		c.after[n] = [2]*worths{w, before}
	}
}

// bytes returns the memory for the layers that are kept. All numbers of 4s share the boards of a layer.
func (c *cappedSolver) bytes() (n int64) {
	for i, after := range c.after {
		for _, w := range after {
			if w == nil {
				continue
			}
			n += int64(len(w.slots)) * int64(unsafe.Sizeof(slot{}))
			if i == 0 {
				n += int64(len(w.boards))*int64(unsafe.Sizeof(w.boards[0])) + int64(len(w.at))*int64(unsafe.Sizeof(w.at[0]))
			}
		}
	}
	return n
}

// copied returns the same boards with worths of their own.
func (w *worths) copied() *worths {
	own := *w
	own.slots = slices.Clone(w.slots)
	return &own
}

// values returns the values of the empty board, which is the only one of the first layer.
func (c *cappedSolver) values() (all []Capped, err error) {
	start := rules.NewPosition(c.game.Rules, c.game.Size)
	for n, after := range c.after {
		table := exact.NewBuilder(c.game, 1)
		table.Add(0, after[0].boards, after[0].ith)
		value, err := table.Table().Value(start)
		if err != nil {
			return nil, fmt.Errorf("with %d 4s: %w", n, err)
		}
		all = append(all, Capped{n, value})
	}
	return all, nil
}
