package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"versus2048/internal/parallel"
	"versus2048/rules"
)

// FewestConfig sets the game, and the length of its attacker's learning.
type FewestConfig struct {
	Rules   rules.Ruleset
	Size    rules.Size
	Plies   int   // placements in the games of learning before the first layer
	Layer   int   // placements in the games of learning before each layer, from the boards of that layer
	Threads int   // less than 1 counts as 1; the bound is the same with any number
	Memory  int64 // the most for boards, in bytes
}

// Validate returns an error for a game without an attacker, and for a negative number of plies.
func (c FewestConfig) Validate() error {
	switch {
	case c.Rules.Chance():
		return fmt.Errorf("under %v, chance attacks: want gpcc2015 or gpcc2016", c.Rules)
	case c.Plies < 0 || c.Layer < 0:
		return errors.New("the number of plies is negative")
	}
	return nil
}

// BoundByFewest is BoundByPolicy with an attacker that tries to leave few boards, up to symmetry. The attacker learns
// the number of boards to come (see toCome), and looks one slide and one placement further. It counts no board that a
// later layer has already. The attacker places one tile on each board, and all slides after the placement are followed.
// So the bound holds however little the attacker has learned.
func BoundByFewest(ctx context.Context, c FewestConfig, report func(PolicyBound)) (b PolicyBound, err error) {
	if err := c.Validate(); err != nil {
		return b, err
	}
	return newFewestFollower(c).bound(ctx, report)
}

// fewestFollower follows the games layer by layer.
type fewestFollower struct {
	config  FewestConfig
	random  *rand.Rand
	student *estimator
	readers []*reader                               // one for each thread
	next    [2]boardSet                             // of the next layer and of the one after it
	chosen  func(b policyBoard, placed rules.Board) // called with each placement, unless it is nil
}

func newFewestFollower(c FewestConfig) *fewestFollower {
	t := newToCome(c.Rules, c.Size)
	f := &fewestFollower{config: c, random: rand.New(rand.NewPCG(1, 0)), student: t.estimator()} // #nosec G404: the same each time
	for range max(1, c.Threads) {
		f.readers = append(f.readers, &reader{estimator: t.estimator(), inner: t.estimator(), cache: make([]cached, cacheSlots)})
	}
	return f
}

// bound follows all layers.
func (f *fewestFollower) bound(ctx context.Context, report func(PolicyBound)) (b PolicyBound, err error) {
	f.learn(ctx, []policyBoard{{}}, f.config.Plies)
	boards := []policyBoard{{}}
	for sum := 0; ; sum += 2 {
		layer, err := f.layer(ctx, sum, boards)
		if err != nil {
			return b, err
		}
		b.Score, b.Boards, b.Layers = max(b.Score, layer.Score), b.Boards+layer.Boards, append(b.Layers, layer)
		report(b)
		if f.next[0].count+f.next[1].count == 0 {
			return b, nil
		}
		boards = f.next[0].all()
		f.next = [2]boardSet{f.next[1], {}}
	}
}

// learn learns along games from boards drawn from a layer.
func (f *fewestFollower) learn(ctx context.Context, boards []policyBoard, plies int) {
	for plies > 0 && ctx.Err() == nil {
		plies -= f.student.game(boards[f.random.IntN(len(boards))].board, f.random)
	}
}

// layer follows all boards of one sum for one placement and one slide.
func (f *fewestFollower) layer(ctx context.Context, sum int, boards []policyBoard) (l PolicyLayer, err error) {
	l = PolicyLayer{Sum: sum, Boards: len(boards)}
	if sum+4 > largestSum {
		return l, fmt.Errorf("at the sum %d tiles may become too large to follow: take a smaller board", sum)
	}
	if len(boards) > 0 {
		f.learn(ctx, boards, f.config.Layer)
	}
	for _, r := range f.readers {
		clear(r.cache)
	}
	for part := range slices.Chunk(boards, portion*len(f.readers)) {
		found := make([][]candidate, len(part))
		parallel.Each(ctx, len(f.readers), len(part), func(worker, i int) {
			found[i] = f.readers[worker].candidates(part[i].board)
		})
		if ctx.Err() != nil {
			return l, context.Cause(ctx)
		}
		for i, b := range part {
			f.follow(&l, b, found[i])
		}
		if bytes := boardBytes*int64(len(boards)) + f.next[0].bytes() + f.next[1].bytes(); bytes > f.config.Memory {
			return l, fmt.Errorf("at the sum %d the boards need more than %d bytes of memory: allow more", sum, f.config.Memory)
		}
	}
	return l, nil
}

// follow places the tile that adds the fewest boards to come, and adds the boards after all slides.
func (f *fewestFollower) follow(l *PolicyLayer, b policyBoard, all []candidate) {
	best := slices.MinFunc(all, func(x, y candidate) int { return cmp.Compare(f.added(x), f.added(y)) })
	if f.chosen != nil {
		f.chosen(b, best.board)
	}
	if best.four {
		b.fours++
	}
	if best.slides == 0 {
		l.Ended, l.Score = l.Ended+1, max(l.Score, best.board.Potential()-4*int(b.fours))
		return
	}
	for _, after := range best.after[:best.slides] {
		f.after(best.four).add(policyBoard{after, b.fours})
	}
}

// after returns the boards after a placement of a 2, or of a 4.
func (f *fewestFollower) after(four bool) *boardSet {
	if four {
		return &f.next[1]
	}
	return &f.next[0]
}

// added estimates the number of boards that a candidate adds: the boards to come from each board after a slide, unless
// a later layer has that board already.
func (f *fewestFollower) added(c candidate) (n float64) {
	for i, after := range c.after[:c.slides] {
		if !f.after(c.four).has(after) {
			n += c.numbers[i]
		}
	}
	return n
}

// candidate is a placement that may be made, with the boards after all slides: in canonical form, without duplicates.
type candidate struct {
	board   rules.Board
	four    bool
	after   [4]rules.Board
	numbers [4]float64 // of boards that are to come from each
	slides  int        // the number of these boards, 0 if the placement mates
}

// reader finds candidates.
type reader struct {
	*estimator
	inner *estimator // for the placements after a slide
	cache []cached
}

// cached is a board with the result of further. Many boards of a layer lead to the same board.
type cached struct {
	board rules.Board
	value float32
}

// cacheSlots is the size of a cache, a power of two.
const cacheSlots = 1 << 18

// width is the largest number of placements on a board that are searched further.
const width = 4

// candidates returns the placements with the least values, or only one placement that mates.
func (r *reader) candidates(b rules.Board) []candidate {
	choices, best := r.valued(b)
	if best.slides == 0 {
		return []candidate{{board: best.board, four: best.four}}
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Compare(a.value, b.value) })
	all := make([]candidate, 0, width)
	for _, o := range choices[:min(width, len(choices))] {
		c := candidate{board: o.board, four: o.four}
		for _, after := range o.after[:o.slides] {
			if after = after.Canonical(r.size); !slices.Contains(c.after[:c.slides], after) {
				c.after[c.slides], c.numbers[c.slides] = after, math.Exp(float64(r.further(after)))
				c.slides++
			}
		}
		all = append(all, c)
	}
	return all
}

// further returns the value of a board by a search of one more placement.
func (r *reader) further(b rules.Board) float32 {
	slot := &r.cache[mixed(uint64(b))&(cacheSlots-1)]
	if slot.board != b {
		_, best := r.inner.valued(b)
		*slot = cached{b, float32(best.value)}
	}
	return slot.value
}
