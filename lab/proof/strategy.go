package proof

import (
	"context"
	"fmt"
	"slices"
	"time"

	"versus2048/internal/parallel"
	"versus2048/players/certificate"
	"versus2048/players/evaluation"
	"versus2048/rules"
)

// StrategyConfig is a claim of the defender, and the resources to prove it.
type StrategyConfig struct {
	Rules   rules.Ruleset
	Size    rules.Size
	Score   int   // the claim: the defender gets at least this score from the empty board
	Threads int   // less than 1 counts as 1; the strategy is the same with any number
	Memory  int64 // the most for boards, in bytes; without a state, complete layers count
	// State is a folder. If it is not "", complete layers are there, and everything else is saved there from time to time,
	// so that a search that was stopped continues.
	State string
	Every time.Duration // between two savings; 0 stands for ten minutes
}

// Validate returns an error for a game without an attacker, and for a score that cannot be claimed.
func (c StrategyConfig) Validate() error {
	if c.Rules.Chance() {
		return fmt.Errorf("under %v, chance attacks: want gpcc2015 or gpcc2016", c.Rules)
	}
	return Claim{Score: c.Score}.Validate()
}

// StrategyProgress counts boards with the attacker to move, up to symmetry.
type StrategyProgress struct {
	Sum    int `json:"sum"`    // of the tiles of the boards that were followed last
	Boards int `json:"boards"` // of the strategy
	Open   int `json:"open"`   // of them, those that are still to be followed
	Lost   int `json:"lost"`   // boards of no strategy, since some placement has no answer that leads to the score
}

// Strategy is a strategy of the defender: the boards that come up, whatever the attacker places, until the tiles are
// worth the score of the claim. It is not safe for concurrent use.
//
// After each placement on a board of the strategy, some slide makes tiles that are worth the score, or leads to a board of
// the strategy. If no slide does, the strategy gets the board after the best slide, by an evaluation. If all slides lead
// to lost boards, the board before the placement is lost: it leaves the strategy, and the boards before it are followed
// again. So the evaluation decides how many boards there are, but not whether there is a strategy.
//
// Tiles are worth the least score that can have led to them. Under gpcc2016 every 4 may have been placed, so the 4
// points of a merge of two 2s never count. The defender may therefore get the score even if no strategy is found.
type Strategy struct {
	config     StrategyConfig
	goal       int             // the score, as a multiple of unit
	layers     []strategyLayer // by half of the sum of tiles
	packed     int             // the number of layers that are packed: see packBelow
	lost       map[rules.Board]struct{}
	newlyLost  []rules.Board // the lost boards that were answers to placements, until mend finds other answers
	worths     []int32       // by line of cells: the least score that can have led to its tiles
	evaluation *evaluation.Directed
	origins    *Origins
	finders    []*finder            // one for each thread
	found      [batchPortions]found // by the finders, for each portion of a batch
	progress   StrategyProgress
	state      *strategyState // nil without one
}

// strategyLayer has the boards of a strategy with one sum of tiles.
type strategyLayer struct {
	old    *deltaSet     // the boards that the layer had when it was packed, also those lost since; nil before
	boards boards        // the others
	open   []rules.Board // the boards that are still to be followed
}

// ProveByStrategy looks for a strategy that gets the score. proven reports whether there is one. report is called now and
// then. ProveByStrategy returns the errors of Validate, an error if the boards need more memory, and ErrStopped when ctx
// ends. With a state, ProveByStrategy continues from it, and also returns a *StateError for a folder that is damaged, in use
// or of another claim. The caller closes the strategy, unless it is nil.
func ProveByStrategy(ctx context.Context, c StrategyConfig, report func(StrategyProgress)) (s *Strategy, proven bool, err error) {
	if err := c.Validate(); err != nil {
		return nil, false, err
	}
	s = newStrategy(c)
	if err := s.begin(); err != nil {
		return nil, false, err
	}
	for sum := s.firstOpen(); sum >= 0 && !s.isLost(0); sum = s.firstOpen() {
		if err := s.packBelow(sum); err != nil {
			return s, false, err
		}
		if s.due(sum) {
			if err := s.save(sum); err != nil {
				return s, false, err
			}
		}
		if err := s.follow(ctx, sum); err != nil {
			return s, false, err
		}
		report(s.progress)
	}
	return s, !s.isLost(0), nil
}

func newStrategy(c StrategyConfig) *Strategy {
	s := &Strategy{
		config: c, goal: (c.Score + unit - 1) / unit * unit, lost: map[rules.Board]struct{}{}, worths: worths(c.Rules),
		evaluation: strategyEvaluation.On(c.Size), origins: NewOrigins(c.Size, largestExponent),
	}
	for range max(1, c.Threads) {
		s.finders = append(s.finders, &finder{Strategy: s, usual: rules.North})
	}
	return s
}

// largestExponent is the exponent of the largest tile of a rules.Board.
const largestExponent = 15

// strategyEvaluation prefers boards with few tiles, since few boards follow them.
var strategyEvaluation = evaluation.Gradient{Along: 1, Against: 2, Equal: 16, Tile: -200}

// worths returns the least score that can have led to the tiles of each line of four cells.
func worths(r rules.Ruleset) []int32 {
	all := make([]int32, 1<<16)
	for line := range all {
		b := rules.Board(line)
		all[line] = int32(b.Potential())
		for cell := range 4 {
			if k := b.Exponent(cell); k > 1 && r.Fours() { // the tile may be made of placed 4s: each saves a merge
				all[line] -= 1 << k
			}
		}
	}
	return all
}

// worth returns the least score that can have led to the tiles of a board.
func (s *Strategy) worth(b rules.Board) int {
	w := s.worths
	return int(w[b&0xFFFF] + w[b>>16&0xFFFF] + w[b>>32&0xFFFF] + w[b>>48])
}

func (s *Strategy) isLost(b rules.Board) bool {
	_, lost := s.lost[b]
	return lost
}

// has reports whether the strategy has a board with a sum of tiles.
func (s *Strategy) has(b rules.Board, sum int) bool { return s.hasIn(sum/2, b) }

// hasIn reports whether a layer of the strategy has a board.
func (s *Strategy) hasIn(layer int, b rules.Board) bool {
	if layer >= len(s.layers) {
		return false
	}
	l := &s.layers[layer]
	return l.boards.has(b) || l.old.has(b) && !s.isLost(b)
}

// fetch makes the processor fetch the memory where hasIn looks for a board first. After several calls, the processor
// fetches several places at once; in hasIn it would wait for one after another.
func (s *Strategy) fetch(layer int, b rules.Board) {
	if layer < len(s.layers) {
		s.layers[layer].boards.fetch(b)
	}
}

// packBelow packs the layers below a sum, one layer for each thread at a time. It leaves the last layers for a later
// call if they are too few for all threads. All boards that lead to a packed layer are followed, so the layer gets more
// boards only if a board is lost.
func (s *Strategy) packBelow(sum int) error {
	for s.packed+len(s.finders) <= sum/2 {
		parallel.Each(context.Background(), len(s.finders), len(s.finders), func(_, i int) {
			l := &s.layers[s.packed+i]
			l.old, l.boards, l.open = newDeltaSet(l.boards.sorted()), boards{}, nil
		})
		for range s.finders {
			if err := s.keep(s.packed); err != nil {
				return err
			}
			s.packed++
		}
	}
	return nil
}

// add adds an open board with a sum of tiles.
func (s *Strategy) add(b rules.Board, sum int) {
	for len(s.layers) <= sum/2 {
		s.layers = append(s.layers, strategyLayer{})
	}
	l := &s.layers[sum/2]
	l.boards.add(b)
	l.open = append(l.open, b)
	s.progress.Boards++
	s.progress.Open++
}

// lose removes a board with a sum of tiles.
func (s *Strategy) lose(b rules.Board, sum int) {
	s.lost[b] = struct{}{}
	s.newlyLost = append(s.newlyLost, b)
	if l := &s.layers[sum/2]; l.boards.has(b) {
		l.boards.remove(b)
	}
	s.progress.Boards--
	s.progress.Lost++
}

// firstOpen returns the least sum of tiles of boards that are to be followed, -2 for none.
func (s *Strategy) firstOpen() int {
	return 2 * slices.IndexFunc(s.layers, func(l strategyLayer) bool { return len(l.open) > 0 })
}

// follow takes up to batchBoards open boards of a sum. For each of them the strategy answers every placement, or loses
// the board. follow returns ErrStopped when ctx ends, and the error of checkMemory.
func (s *Strategy) follow(ctx context.Context, sum int) error {
	l := &s.layers[sum/2]
	batch := l.open[:min(len(l.open), batchBoards)]
	l.open = l.open[len(batch):]
	s.progress.Sum, s.progress.Open = sum, s.progress.Open-len(batch)
	s.answers(ctx, batch)
	for ctx.Err() == nil && (len(s.newlyLost) >= mendBoards || len(s.newlyLost) > 0 && len(s.layers[sum/2].open) == 0) {
		s.mend(ctx)
	}
	if ctx.Err() != nil {
		return ErrStopped
	}
	return s.checkMemory(sum)
}

// mend waits for mendBoards lost boards, enough work for all threads, or for the last open board of a sum. A thread
// takes mendPortion lost boards at a time.
const (
	mendBoards  = 512
	mendPortion = 8
)

// mend finds new answers to placements that newly lost boards answered.
func (s *Strategy) mend(ctx context.Context) {
	lost := s.newlyLost
	s.newlyLost = nil
	s.answers(ctx, s.before(ctx, lost))
}

// before returns the boards of the strategy where a placement and a slide lead to one of some boards, or nil when ctx
// ends.
func (s *Strategy) before(ctx context.Context, boards []rules.Board) []rules.Board {
	var tasks []Task
	for part := range slices.Chunk(boards, mendPortion) {
		tasks = append(tasks, func(found []rules.Board) []rules.Board {
			for _, b := range part {
				sum := b.Sum()
				s.origins.Each(b, func(placed rules.Board) { found = s.unplaced(found, placed, sum) })
			}
			return found
		})
	}
	found, err := Collect(ctx, len(s.finders), tasks)
	if err != nil {
		return nil
	}
	return found
}

// unplaced appends the boards of the strategy where a placement leads to the board placed, which has this sum of tiles.
func (s *Strategy) unplaced(found []rules.Board, placed rules.Board, sum int) []rules.Board {
	for cell := range 16 {
		k := placed.Exponent(cell)
		if k != 1 && (k != 2 || !s.config.Rules.Fours()) {
			continue
		}
		from := (placed &^ (15 << (4 * cell))).Canonical(s.config.Size)
		if s.has(from, sum-1<<k) {
			found = append(found, from)
		}
	}
	return found
}

// lostBytes is about the memory of a lost board.
const lostBytes = 24

// checkMemory returns an error if the boards need more memory than the user allows.
func (s *Strategy) checkMemory(sum int) error {
	bytes := lostBytes * int64(len(s.lost))
	for i := range s.layers {
		l := &s.layers[i]
		bytes += 8*int64(len(l.boards.slots)+cap(l.open)) + l.old.bytes()
	}
	if bytes > s.config.Memory {
		return fmt.Errorf("at the sum %d the boards need more than %d bytes of memory: allow more", sum, s.config.Memory)
	}
	return nil
}

// Extract calls emit for the boards of the strategy, which prove its claim, by their sums and then by the boards. It
// returns ErrStopped if ctx ends first, and emit's error.
func (s *Strategy) Extract(ctx context.Context, _ Claim, emit func(certificate.Covered) error) error {
	for i := range s.layers {
		for _, b := range s.sorted(&s.layers[i]) {
			if ctx.Err() != nil {
				return ErrStopped
			}
			if err := emit(certificate.Covered{Board: b, Gain: s.goal - s.worth(b)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// sorted returns the boards of a layer in ascending order.
func (s *Strategy) sorted(l *strategyLayer) []rules.Board {
	all := l.boards.sorted()
	for b := range l.old.all {
		if !s.isLost(b) {
			all = append(all, b)
		}
	}
	slices.Sort(all)
	return all
}
