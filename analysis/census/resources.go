package census

import "runtime"

// The memory's parts: half for blocks, an eighth for runs, the rest for layers,
// tables, stages and what waits for the garbage collector.
const (
	blockPart = 2
	runPart   = 8
	layerPart = 16 // there are two layers at a time
)

// The sizes of blocks in ranks. Large ones have longer pieces, which are faster to
// join; there should be some of them.
const (
	leastBlock = 1 << 14
	mostBlock  = 1 << 20
	fewBlocks  = 32
)

func newCensus(s Settings) *census {
	if s.Workers == 0 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	c := &census{Settings: s, geometry: newGeometry(s.Start.Size()), halves: newHalves((sumOf(s.Start) + s.Plies + 2) / 2)}
	pieces := c.halves.space((sumOf(s.Start) + s.Plies) / 2).pieces()
	c.blocks.ranks = mostBlock
	for c.blocks.ranks > leastBlock && s.Memory/blockPart/blockSize(c.blocks.ranks, pieces) < fewBlocks {
		c.blocks.ranks /= 2
	}
	c.blocks.left = max(1, int(s.Memory/blockPart/blockSize(c.blocks.ranks, pieces)))
	for range s.Workers {
		c.workers = append(c.workers, newWorker(c.blocks.ranks))
	}
	return c
}
