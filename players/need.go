package players

// Need is the most that a bot uses to play one game.
type Need struct {
	Memory  uint64 // bytes, rounded up generously
	Threads int    // that search at once
}

// leastMemory is the memory of a player without a tree. The tables of evminimax are the largest.
const leastMemory = 2 << 20

// The memory of a node in bytes, with its edges and its parents. It is measured as the peak of a process, so it
// includes free space in slices that grow and memory that the garbage collector has not yet collected: 190 to
// 235 bytes in a tree and up to 320 if nodes are shared. See docs/SECURITY.md.
const (
	treeNodeBytes   = 256
	sharedNodeBytes = 384
)

// mostChildren is the largest number of nodes that one expansion adds.
const mostChildren = 32

// treeNeed returns the need of a search that keeps at most nodes positions of nodeBytes each. The search adds
// the children of a leaf after expandAt playouts from the leaf.
func treeNeed(nodes int, b budget, expandAt, nodeBytes, threads int) Need {
	most := uint64(nodes)
	if b.milliseconds == 0 {
		most = min(most, mostChildren*(uint64(b.playouts)/uint64(expandAt)+2))
	}
	return Need{Memory: leastMemory + most*uint64(nodeBytes), Threads: threads}
}
