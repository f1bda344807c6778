package census

import (
	"sync"

	"versus2048/rules"
)

// A block is many ranks, with repetitions, sorted by piece.
type block struct {
	low  []uint32 // the ranks, each less the first of its piece
	from []uint32 // where each piece begins, and the end
}

// blockSize is the memory of a block in bytes.
func blockSize(ranks, pieces int) int64 { return 4 * int64(ranks+pieces+2) }

// piece is the part of a block that belongs to a piece.
func (b *block) piece(i int) []uint32 { return b.low[b.from[i]:b.from[i+1]] }

// blocks are those that a census has room for. They are used again and again.
type blocks struct {
	mu     sync.Mutex
	unused []*block
	left   int // that may still be made
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
	if p.left == 0 {
		return nil
	}
	p.left--
	return &block{low: make([]uint32, p.ranks)}
}

func (p *blocks) give(b ...*block) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unused = append(p.unused, b...)
}

// A stage is where one worker puts ranks as they come, until there are enough
// for a block.
type stage struct {
	*gathering
	ranks []uint64
}

// room makes room for n more ranks. It returns false if there is no block left.
func (s *stage) room(n int) bool { return len(s.ranks)+n <= cap(s.ranks) || s.sort() }

// add adds boards, for which there must be room.
func (s *stage) add(g *geometry, boards []rules.Board) {
	g.canonicalize(boards)
	s.ranks = s.space.appendRanks(s.ranks, boards)
}

// sort moves all ranks to a block. It returns false if there is none left.
func (s *stage) sort() bool {
	if len(s.ranks) == 0 {
		return true
	}
	b := s.blocks.take()
	if b == nil {
		return false
	}
	b.fill(s.ranks, s.space)
	s.ranks = s.ranks[:0]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full = append(s.full, b)
	return true
}

// fill sorts ranks by piece, by counting.
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
	for _, r := range ranks { // from[i+1] is where the next of piece i goes
		at := &b.from[r>>s.shift+1]
		b.low[*at] = uint32(r & (1<<s.shift - 1))
		*at++
	}
}
