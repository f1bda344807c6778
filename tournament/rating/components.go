package rating

import (
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// components are the bots that matches connect, each and the list of them rising.
func components(n int, results []Result) [][]int {
	g := simple.NewUndirectedGraph()
	for i := range n {
		g.AddNode(simple.Node(i))
	}
	for _, r := range results {
		if Trials(r.Matches) > 0 && r.A != r.B {
			g.SetEdge(simple.Edge{F: simple.Node(r.A), T: simple.Node(r.B)})
		}
	}
	var all [][]int
	for _, nodes := range topo.ConnectedComponents(g) {
		all = append(all, numbers(nodes))
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

func numbers(nodes []graph.Node) []int {
	var ids []int
	for _, node := range nodes {
		ids = append(ids, int(node.ID()))
	}
	slices.Sort(ids)
	return ids
}

// bounded tells whether the likelihood of the members' results has a maximum:
// each must have taken points from each other, if only through third ones (Ford
// 1957). Results are between places among the members.
func bounded(members int, results []Result) bool {
	g := simple.NewDirectedGraph()
	for i := range members {
		g.AddNode(simple.Node(i))
	}
	for _, r := range results {
		if m := r.Matches; m.Win+m.Draw > 0 {
			g.SetEdge(simple.Edge{F: simple.Node(r.A), T: simple.Node(r.B)})
		}
		if m := r.Matches; m.Loss+m.Draw > 0 {
			g.SetEdge(simple.Edge{F: simple.Node(r.B), T: simple.Node(r.A)})
		}
	}
	return len(topo.TarjanSCC(g)) == 1
}

// perfect tells who has given up no point and who has made none.
func perfect(members int, results []Result) (won, lost []bool) {
	won, lost = make([]bool, members), make([]bool, members)
	for i := range members {
		won[i], lost[i] = members > 1, members > 1
	}
	for _, r := range results {
		m := r.Matches
		won[r.A] = won[r.A] && m.Draw+m.Loss == 0
		won[r.B] = won[r.B] && m.Draw+m.Win == 0
		lost[r.A] = lost[r.A] && m.Draw+m.Win == 0
		lost[r.B] = lost[r.B] && m.Draw+m.Loss == 0
	}
	return won, lost
}

// among are the results between the members, which take their places as numbers.
func among(members []int, results []Result) []Result {
	var theirs []Result
	for _, r := range results {
		a, inA := slices.BinarySearch(members, r.A)
		b, inB := slices.BinarySearch(members, r.B)
		if inA && inB && a != b && Trials(r.Matches) > 0 {
			r.A, r.B = a, b
			theirs = append(theirs, r)
		}
	}
	return theirs
}
