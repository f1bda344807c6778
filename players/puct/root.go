package puct

import (
	"cmp"
	"math"

	"versus2048/players/playout"
	"versus2048/players/searching"
)

// disturb adds noise to the priors at the root, if the root is rated and the configuration has noise.
func (t *tree) disturb(random *playout.Generator) {
	if edges := t.edgesOf(0); t.config.Noise > 0 && len(edges) > 0 {
		addNoise(edges, t.config.Noise, t.config.Alpha, random)
	}
}

// choice draws an edge of the root, or returns the best one if the temperature is 0 or no edge was visited. It returns
// none before the root is rated.
func (t *tree) choice(temperature float64, random *playout.Generator) int32 {
	if t.nodes[0].degree == 0 {
		return none
	}
	if temperature > 0 && t.nodes[0].visits > 1 {
		return t.draw(temperature, random)
	}
	return t.best(0)
}

// ends reports whether the budget ends a search after a number of simulations.
func (t *tree) ends(b *searching.Budget, made int) bool {
	return b.Stopped() || b.Enough != nil && b.Enough(searching.Progress{Playouts: made, Lead: t.lead()})
}

// lead returns the visits of the most visited edge of the root minus the visits of the next one. It returns 0 if
// the move is drawn, since all visits count then.
func (t *tree) lead() int {
	if t.config.Temperature > 0 {
		return 0
	}
	most, second := int32(0), int32(0)
	for _, e := range t.edgesOf(0) {
		n := t.visits(e)
		most, second = max(most, n), max(second, min(most, n))
	}
	return int(most - second)
}

// draw draws an edge of the root with a probability in proportion to N^(1/temperature).
func (t *tree) draw(temperature float64, random *playout.Generator) int32 {
	edges := t.edgesOf(0)
	most, sum := int32(0), 0.0
	for _, e := range edges {
		most = max(most, t.visits(e))
	}
	weights := make([]float64, len(edges))
	for i, e := range edges {
		weights[i] = math.Pow(float64(t.visits(e))/float64(most), 1/temperature)
		sum += weights[i]
	}
	rest, drawn := uniform(random)*sum, 0
	for i, w := range weights {
		if w > 0 {
			if drawn = i; rest < w {
				break
			}
			rest -= w
		}
	}
	return t.nodes[0].firstEdge + int32(drawn)
}

// visits returns the number of visits N of an edge.
func (t *tree) visits(e edge) int32 {
	if e.node == none {
		return 0
	}
	return t.nodes[e.node].visits
}

// best returns the edge of a node with the most visits, or with the largest prior if there are no visits.
func (t *tree) best(i int32) int32 {
	first, best := t.nodes[i].firstEdge, int32(0)
	edges := t.edgesOf(i)
	for k := range edges {
		if t.compare(i, edges[k], edges[best]) > 0 {
			best = int32(k)
		}
	}
	return first + best
}

// compare orders two edges of a node: by visits, then by value for the side to move, then by prior.
func (t *tree) compare(i int32, a, b edge) int {
	if a, b := t.visits(a), t.visits(b); a != b {
		return int(a - b)
	}
	if t.visits(a) > 0 {
		va, vb := t.nodes[a.node].mean(), t.nodes[b.node].mean()
		if t.nodes[i].turn == minimiser {
			va, vb = vb, va
		}
		if va != vb {
			return cmp.Compare(va, vb)
		}
	}
	return cmp.Compare(a.prior, b.prior)
}
