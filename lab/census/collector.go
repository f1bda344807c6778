package census

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"sync"

	"versus2048/rules"
)

// A collector collects ranks from all workers and makes a set of the distinct ones. When there is no room left, its
// blocks are joined into runs, which are sets of their own; in the end all runs are joined.
type collector struct {
	space  *space
	blocks *blocks
	mu     sync.Mutex
	full   []*block // the blocks with ranks that are in no run yet
	runs   []*set
}

// join makes a set of everything that was collected. The store holds the set. The collector is empty afterwards.
func (c *collector) join(ctx context.Context, workers []*worker, st store) (*set, error) {
	all, err := c.unite(ctx, workers, st, c.runs)
	return all, errors.Join(err, c.release())
}

// release frees the runs.
func (c *collector) release() (err error) {
	for _, r := range c.runs {
		err = errors.Join(err, r.store.release())
	}
	c.runs = nil
	return err
}

// unite makes a set of the blocks and the given runs. The store holds the set. After an error the caller releases the
// store.
func (c *collector) unite(ctx context.Context, workers []*worker, st store, runs []*set) (*set, error) {
	a := assembler{set: &set{space: c.space, store: st}, waiting: map[int]pieceCode{}}
	todo := counter{limit: c.space.pieces()}
	err := withAll(workers, func(w *worker) error {
		for i, ok := todo.take(); ok; i, ok = todo.take() {
			if err := ctx.Err(); err != nil {
				return err
			}
			piece, err := w.joiner.join(c.full, runs, i, c.space.shift)
			if err != nil {
				return err
			}
			if err := a.add(i, piece); err != nil {
				return err
			}
		}
		return nil
	})
	c.blocks.give(c.full...)
	c.full = nil
	if err == nil {
		err = st.finish(a.set)
	}
	return a.set, err
}

// A stage collects the ranks of one worker, in any order, until there are enough for a block.
type stage struct {
	collector *collector
	ranks     []uint64
}

// room makes room for n more ranks. It returns false if there is no block left.
func (s *stage) room(n int) bool { return len(s.ranks)+n <= cap(s.ranks) || s.sort() }

// add adds boards. The caller makes room for them before.
func (s *stage) add(g *geometry, boards []rules.Board) {
	g.canonicalize(boards)
	s.ranks = s.collector.space.appendRanks(s.ranks, boards)
}

// sort moves all ranks to a block. It returns false if there is no block left.
func (s *stage) sort() bool {
	if len(s.ranks) == 0 {
		return true
	}
	c := s.collector
	b := c.blocks.take()
	if b == nil {
		return false
	}
	b.fill(s.ranks, c.space)
	s.ranks = s.ranks[:0]
	c.mu.Lock()
	defer c.mu.Unlock()
	c.full = append(c.full, b)
	return true
}

// A block holds many ranks, possibly with repetitions, sorted by piece.
type block struct {
	low  []uint32 // each rank minus the first rank of its piece
	from []uint32 // the index in low of the first rank of each piece, and the end
}

// blockSize returns the memory of a block in bytes.
func blockSize(ranks, pieces int) int64 { return 4 * int64(ranks+pieces+2) }

// piece returns the ranks of a piece.
func (b *block) piece(i int) []uint32 { return b.low[b.from[i]:b.from[i+1]] }

// fill sorts ranks by piece, with a counting sort.
func (b *block) fill(ranks []uint64, s *space) {
	n := s.pieces()
	if cap(b.from) < n+2 {
		b.from = make([]uint32, n+2)
	}
	b.from = b.from[:n+2]
	clear(b.from)
	for _, r := range ranks {
		b.from[r>>s.shift+2]++
	}
	for i := range n {
		b.from[i+2] += b.from[i+1]
	}
	for _, r := range ranks { // from[i+1] is the place of the next rank of piece i
		at := &b.from[r>>s.shift+1]
		b.low[*at] = uint32(r & (1<<s.shift - 1))
		*at++
	}
}

// blocks are all blocks that fit the memory of a census. They are reused.
type blocks struct {
	mu     sync.Mutex
	unused []*block
	limit  int // the number of blocks that may still be made
	ranks  int // in a block
}

// take returns an unused block, or nil.
func (p *blocks) take() *block {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.unused); n > 0 {
		b := p.unused[n-1]
		p.unused = p.unused[:n-1]
		return b
	}
	if p.limit == 0 {
		return nil
	}
	p.limit--
	return &block{low: make([]uint32, p.ranks)}
}

func (p *blocks) give(b ...*block) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unused = append(p.unused, b...)
}

// A joiner finds the distinct ranks of a piece in blocks and sets. Each worker has its own.
type joiner struct {
	bitmap  []uint64
	joined  []uint32
	code    []byte
	buffer  []byte
	decoded []uint32
}

// join returns the code of the distinct ranks of piece i. The code is valid until the next call.
func (j *joiner) join(blocks []*block, sets []*set, i, shift int) (pieceCode, error) {
	n := 0
	for _, b := range blocks {
		n += len(b.piece(i))
	}
	for _, s := range sets {
		n += int(s.pieces[i].count)
	}
	unite := j.mark
	if shift > pieceBits || n < 1<<shift/sparse {
		unite = j.sort
	}
	if err := unite(blocks, sets, i); err != nil {
		return pieceCode{}, err
	}
	j.code = appendRice(j.code[:0], j.joined, riceBits(len(j.joined), shift))
	return pieceCode{j.code, len(j.joined)}, nil
}

// sparse is a limit: if a piece has more than sparse possible ranks for each collected rank, sorting is faster than a
// bitmap.
const sparse = 4096

// sort finds the distinct ranks by sorting, for few ranks.
func (j *joiner) sort(blocks []*block, sets []*set, i int) (err error) {
	j.joined = j.joined[:0]
	for _, b := range blocks {
		j.joined = append(j.joined, b.piece(i)...)
	}
	for _, s := range sets {
		if j.joined, err = s.appendPiece(j.joined, i, &j.buffer); err != nil {
			return err
		}
	}
	slices.Sort(j.joined)
	j.joined = slices.Compact(j.joined)
	return nil
}

// mark finds the distinct ranks with a bitmap.
func (j *joiner) mark(blocks []*block, sets []*set, i int) (err error) {
	if j.bitmap == nil {
		j.bitmap = make([]uint64, 1<<pieceBits/64)
	}
	bitmap := (*[1 << pieceBits / 64]uint64)(j.bitmap)
	for _, b := range blocks {
		markAll(bitmap, b.piece(i))
	}
	for _, s := range sets {
		if j.decoded, err = s.appendPiece(j.decoded[:0], i, &j.buffer); err != nil {
			clear(j.bitmap)
			return err
		}
		markAll(bitmap, j.decoded)
	}
	j.joined = j.joined[:0]
	for w, marks := range bitmap {
		for ; marks != 0; marks &= marks - 1 {
			j.joined = append(j.joined, uint32(64*w+bits.TrailingZeros64(marks)))
		}
	}
	clear(j.bitmap)
	return nil
}

func markAll(bitmap *[1 << pieceBits / 64]uint64, ranks []uint32) {
	for _, x := range ranks {
		bitmap[x>>6%(1<<pieceBits/64)] |= 1 << (x & 63)
	}
}

// An assembler appends pieces to a set in their order, although they are finished in any order.
type assembler struct {
	mu      sync.Mutex
	set     *set
	waiting map[int]pieceCode // pieces that wait for an earlier one
}

// pieceCode is the code of a piece's ranks.
type pieceCode struct {
	code  []byte
	count int // of ranks
}

// add adds piece i. It does not keep the code, which may be reused.
func (a *assembler) add(i int, c pieceCode) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i > len(a.set.pieces) {
		a.waiting[i] = pieceCode{append([]byte(nil), c.code...), c.count}
		return nil
	}
	for ok := true; ok; c, ok = a.waiting[i] {
		delete(a.waiting, i)
		if err := a.set.append(c.code, c.count); err != nil {
			return err
		}
		i++
	}
	return nil
}
