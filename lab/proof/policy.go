package proof

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unsafe"

	"versus2048/internal/parallel"
	"versus2048/players"
	"versus2048/rules"
)

// PolicyConfig has a bot that attacks, and a game.
type PolicyConfig struct {
	Bot     players.Spec // repeatable
	Rules   rules.Ruleset
	Size    rules.Size
	Threads int   // less than 1 counts as 1
	Memory  int64 // the most for boards, in bytes
}

// Validate returns an error if the bot does not play the game, or does not always make the same moves.
func (c PolicyConfig) Validate() error {
	if why := c.Bot.Varies(); why != "" {
		return fmt.Errorf("bot %s may make other moves another time: %s", c.Bot, why)
	}
	if c.Rules.Chance() {
		return fmt.Errorf("under %v, chance attacks: want gpcc2015 or gpcc2016", c.Rules)
	}
	return c.Bot.Plays(c.Rules, c.Size)
}

// PolicyBound is an upper bound of the score under perfect play: no defender scores more against the bot.
type PolicyBound struct {
	Score  int           `json:"score"`
	Boards int           `json:"boards"` // with the attacker to move, up to symmetry
	Layers []PolicyLayer `json:"layers"`
}

// PolicyLayer has the boards of one sum of tiles that can come up with the bot as the attacker.
type PolicyLayer struct {
	Sum    int `json:"sum"`
	Boards int `json:"boards"` // with the attacker to move, up to symmetry
	Ended  int `json:"ended"`  // placements on them that mate the defender
	Score  int `json:"score"`  // the largest score of these ends, 0 without any
}

// policyBoard is a board with the attacker to move, the smallest of its images.
type policyBoard struct {
	board rules.Board
	fours int32 // the fewest 4s that the bot has placed on a way to it
}

// BoundByPolicy follows, by sums of tiles, all games with the bot as the attacker and any slides of the defender. The
// bot chooses one placement on each board, up to symmetry, however the board came up. That is a strategy of the
// attacker, so the largest score at the end of these games is an upper bound of the score under perfect play. The score
// of a board follows from its tiles and the number of 4s that were placed, and the fewest are best for the defender.
//
// BoundByPolicy calls report after each layer. It returns the errors of Validate and of the bot, an error if the boards
// need more memory or their tiles may become too large, and the cause of ctx when ctx ends.
func BoundByPolicy(ctx context.Context, c PolicyConfig, report func(PolicyBound)) (b PolicyBound, err error) {
	if err := c.Validate(); err != nil {
		return b, err
	}
	f := policyFollower{config: c, next: [2][]policyBoard{{{}}}}
	for sum := 0; len(f.next[0])+len(f.next[1]) > 0; sum += 2 {
		layer, err := f.layer(ctx, sum)
		if err != nil {
			return b, err
		}
		b.Score, b.Boards, b.Layers = max(b.Score, layer.Score), b.Boards+layer.Boards, append(b.Layers, layer)
		report(b)
	}
	return b, nil
}

// policyFollower follows the games layer by layer.
type policyFollower struct {
	config PolicyConfig
	next   [2][]policyBoard // of the next layer and of the one after it, in any order
}

// policyWorker follows a part of a layer.
type policyWorker struct {
	bot    players.Player
	layer  PolicyLayer
	placed [2][]policyBoard // after a 2 and after a 4
	full   [2]int           // with more boards than this, repeated ones are left out
}

// leastFull takes the place of a policyWorker.full that is smaller.
const leastFull = 1 << 20

// largestSum is below 65536: tiles up to this sum include no 65536, for which a rules.Board has no room.
const largestSum = 1<<16 - 1

// portion is the number of boards that a worker takes at a time.
const portion = 256

// layer follows all boards of one sum for one placement and one slide.
func (f *policyFollower) layer(ctx context.Context, sum int) (all PolicyLayer, err error) {
	boards := fewest(f.next[0])
	f.next[0], f.next[1] = f.next[1], nil
	all = PolicyLayer{Sum: sum, Boards: len(boards)}
	if sum+4 > largestSum {
		return all, fmt.Errorf("at the sum %d tiles may become too large to follow: take a smaller board", sum)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers := make([]policyWorker, max(1, f.config.Threads))
	parallel.Each(ctx, len(workers), (len(boards)+portion-1)/portion, func(worker, part int) {
		w := &workers[worker]
		if w.bot == nil {
			w.bot = f.config.Bot.New(players.Game{Rules: f.config.Rules, Size: f.config.Size})
		}
		for _, b := range boards[part*portion : min(len(boards), (part+1)*portion)] {
			if err := w.follow(ctx, f.config, b); err != nil {
				cancel(err)
				return
			}
		}
		if boards := len(boards) + cap(f.next[0]) + w.compact()*len(workers); int64(boards)*boardBytes > f.config.Memory {
			cancel(fmt.Errorf("at the sum %d the boards need more than %d bytes of memory: allow more", sum, f.config.Memory))
		}
	})
	if ctx.Err() != nil {
		return all, context.Cause(ctx)
	}
	for _, w := range workers {
		all.Ended, all.Score = all.Ended+w.layer.Ended, max(all.Score, w.layer.Score)
		for i, placed := range w.placed {
			f.next[i] = append(f.next[i], placed...)
		}
	}
	return all, nil
}

// boardBytes is the memory for a board.
const boardBytes = int64(unsafe.Sizeof(policyBoard{}))

// compact leaves out repeated boards if there are many, and returns the number of boards that the worker's memory has
// room for.
func (w *policyWorker) compact() int {
	for i, placed := range w.placed {
		if len(placed) > max(leastFull, w.full[i]) {
			w.placed[i] = fewest(placed)
			w.full[i] = 2 * len(w.placed[i])
		}
	}
	return cap(w.placed[0]) + cap(w.placed[1])
}

// fewest sorts boards, and keeps each one once, with the fewest 4s.
func fewest(boards []policyBoard) []policyBoard {
	slices.SortFunc(boards, func(a, b policyBoard) int {
		return cmp.Or(cmp.Compare(a.board, b.board), cmp.Compare(a.fours, b.fours))
	})
	return slices.CompactFunc(boards, func(a, b policyBoard) bool { return a.board == b.board })
}

// follow has the bot place a tile, and adds the boards after all slides.
func (w *policyWorker) follow(ctx context.Context, c PolicyConfig, b policyBoard) error {
	p, err := b.position(c)
	if err != nil {
		return err
	}
	m, err := w.bot.Choose(ctx, p)
	if err != nil {
		return fmt.Errorf("%s in %v: %w", c.Bot, p, err)
	}
	p, err = p.Play(m)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Bot, err)
	}
	if p.Over() {
		w.layer.Ended, w.layer.Score = w.layer.Ended+1, max(w.layer.Score, p.Score())
		return nil
	}
	after := 0
	if m.IsFour() {
		after, b.fours = 1, b.fours+1
	}
	for slide := rules.North; slide <= rules.East; slide++ {
		if slid := p.Board().Slide(c.Size, slide); slid != p.Board() {
			w.placed[after] = append(w.placed[after], policyBoard{slid.Canonical(c.Size), b.fours})
		}
	}
	return nil
}

// position returns the position of a board, with the largest score that it can have.
func (b policyBoard) position(c PolicyConfig) (rules.Position, error) {
	tiles := make([][]int, c.Size.Height)
	for y := range tiles {
		for x := range int(c.Size.Width) {
			tile := 0
			if k := b.board.Exponent(4*y + x); k > 0 {
				tile = 1 << k
			}
			tiles[y] = append(tiles[y], tile)
		}
	}
	placements := b.board.Sum()/2 - int(b.fours)
	return rules.PositionFrom(c.Rules, tiles, rules.Attacker, b.board.Potential()-4*int(b.fours), 2*placements)
}
