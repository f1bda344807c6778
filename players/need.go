package players

// Need is what a bot uses at most to play one game.
type Need struct {
	Memory  uint64 // bytes, rounded up generously
	Threads int    // that search at once
}

// leastMemory is what a player without a tree needs: the tables of evminimax take most.
const leastMemory = 2 << 20

// The memory of a node in bytes, with its edges and its parents. It is measured as the peak of a
// process, so it covers what is left free when slices grow and what the garbage collector has not yet
// collected: 190 to 235 in a tree and up to 320 where nodes are shared. See docs/SECURITY.md.
const (
	treeNodeBytes   = 256
	sharedNodeBytes = 384
)

// mostChildren is how many nodes an expansion adds at most.
const mostChildren = 32

// treeNeed returns the need of a search that keeps at most nodes positions of the given size, and adds
// those below a leaf once the leaf has had expandAt playouts.
func treeNeed(nodes int, b budget, expandAt, nodeBytes, threads int) Need {
	most := uint64(nodes)
	if b.milliseconds == 0 {
		most = min(most, mostChildren*(uint64(b.playouts)/uint64(expandAt)+2))
	}
	return Need{Memory: leastMemory + most*uint64(nodeBytes), Threads: threads}
}
