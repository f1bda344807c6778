package format

import (
	"cmp"
	"math/bits"
	"slices"

	"versus2048/tournament"
)

// knockoutKind describes the format that lets only the winners of a round advance to the next, until one bot is left.
//
// In a knockout and in a double elimination, bots are seeded in the order of their entries. The best seeds have byes in
// the first round if it is not full, and meet late. A tie starts as soon as both of its bots are known.
func knockoutKind() kind {
	return kind{name: tournament.Knockout, matches: 3, adapts: true, most: maxTie, create: func(e tournament.Event) tournament.Format {
		return newKnockout(e)
	}}
}

// doubleEliminationKind describes the format that removes a bot after two defeats: the loser of a tie in the winners'
// bracket moves to the losers' bracket. The winners of both brackets meet in the grand final. If the winner of the
// winners' bracket loses it, they meet a second time.
func doubleEliminationKind() kind {
	return kind{name: tournament.DoubleElimination, matches: 3, adapts: true, most: maxTie, create: func(e tournament.Event) tournament.Format {
		return newDoubleElimination(e)
	}}
}

// newKnockout returns a knockout. Each tie is the best of the event's matches.
func newKnockout(e tournament.Event) *bracket {
	f := newBracket(e, tournament.Knockout)
	round := 1
	for left := f.addFirstRound("", round); len(left) > 1; {
		round++
		left = f.addRound("", round, sources(winnerOf, left))
	}
	f.begin()
	return f
}

// newDoubleElimination returns a double elimination. Each tie is the best of the event's matches.
func newDoubleElimination(e tournament.Event) *bracket {
	f := newBracket(e, tournament.DoubleElimination)
	const winnersPart, losersPart = "winners' ", tournament.LosersBracket
	round := 1
	winners := f.addFirstRound(winnersPart, round)
	losers := sources(loserOf, winners)
	for turn := 0; len(winners) > 1; turn++ {
		losers = sources(winnerOf, f.addRound(losersPart, round+1, losers))
		winners = f.addRound(winnersPart, round+2, sources(winnerOf, winners))
		dropped := sources(loserOf, winners)
		if turn%2 == 0 { // so that the dropped bots do not meet the bots that they have just beaten
			slices.Reverse(dropped)
		}
		losers = sources(winnerOf, f.addRound(losersPart, round+3, alternate(losers, dropped)))
		round += 3
	}
	final := f.addRound("grand ", round+1, []source{{winnerOf, winners[0]}, losers[0]})[0]
	f.addRound("second grand ", round+2, []source{{winnerOf, final}, {upsetBy, final}})
	f.begin()
	return f
}

// alternate returns a[0], b[0], a[1], b[1] and so on.
func alternate(a, b []source) []source {
	var all []source
	for i := range a {
		all = append(all, a[i], b[i])
	}
	return all
}

// addFirstRound adds the round where the bots enter, and returns the indices of its nodes.
func (f *bracket) addFirstRound(part string, round int) []int {
	var seeds []source
	for _, seed := range seedOrder(bracketSize(len(f.names))) {
		seeds = append(seeds, source{seeded, seed})
	}
	return f.addRound(part, round, seeds)
}

// addRound adds a round with a tie for each pair of neighbouring sources, and returns the indices of its nodes.
func (f *bracket) addRound(part string, round int, sources []source) []int {
	var nodes []int
	if !slices.Contains(f.parts, part) {
		f.parts = append(f.parts, part)
	}
	for i := 0; i < len(sources); i += 2 {
		nodes = append(nodes, len(f.ties))
		f.ties = append(f.ties, tie{node: node{part, roundTitle(part, len(sources)/2), round, [2]source{sources[i], sources[i+1]}}})
	}
	return nodes
}

// bracketSize returns the number of sides in the first round: the least power of two that is at least n.
func bracketSize(n int) int { return 1 << bits.Len(uint(n-1)) }

// seedOrder returns the seeds of a first round in the order of its sides: the two best meet in the
// last round at the earliest, the four best in the last but one, and so on.
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

// sources returns the winners, or the losers, of all the nodes.
func sources(kind sourceKind, nodes []int) []source {
	var all []source
	for _, n := range nodes {
		all = append(all, source{kind, n})
	}
	return all
}

// roundTitle returns the title of a round from its part of the bracket, such as "losers' ", and its number of ties.
func roundTitle(part string, ties int) string {
	names := map[int]string{1: "final", 2: "semifinals", 4: "quarterfinals"}
	return part + cmp.Or(names[ties], "round")
}
