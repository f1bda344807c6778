package format

import (
	"cmp"
	"math/bits"
)

// size is how many places the first round has: the least power of two for n
// bots.
func size(n int) int { return 1 << bits.Len(uint(n-1)) }

// seedOrder is the seeds of a first round in the order of their places: the two
// best ones meet in the last round at the earliest, the four best ones in the
// last but one, and so on.
func seedOrder(size int) []int {
	order := []int{0}
	for n := 2; n <= size; n *= 2 {
		var wider []int
		for _, seed := range order {
			wider = append(wider, seed, n-1-seed)
		}
		order = wider
	}
	return order
}

// enter adds the first round, and returns its nodes.
func (f *bracket) enter(part string, round int) []int {
	var seeds []source
	for _, seed := range seedOrder(size(len(f.names))) {
		seeds = append(seeds, source{seeded, seed})
	}
	return f.meet(part, round, seeds)
}

// meet adds a round in which each two neighbours of who comes meet, and returns
// its nodes.
func (f *bracket) meet(part string, round int, who []source) []int {
	var nodes []int
	for i := 0; i < len(who); i += 2 {
		nodes = append(nodes, len(f.nodes))
		f.nodes = append(f.nodes, node{roundTitle(part, len(who)/2), round, [2]source{who[i], who[i+1]}})
	}
	return nodes
}

// sources are all winners, or all losers, of nodes.
func sources(kind sourceKind, nodes []int) []source {
	var all []source
	for _, n := range nodes {
		all = append(all, source{kind, n})
	}
	return all
}

// roundTitle names a round of a part of the bracket, such as "losers' ", by how
// many ties it has.
func roundTitle(part string, ties int) string {
	names := map[int]string{1: "final", 2: "semifinals", 4: "quarterfinals"}
	return part + cmp.Or(names[ties], "round")
}
