package format

// bracket is an event of ties: who wins one goes on to another. Bots are known
// by their seeds, from 0, which are their places among the names.
type bracket struct {
	names []string
	best  int // matches of a tie
	nodes []node
}

// node is a place for a tie in the bracket.
type node struct {
	title string
	round int
	sides [2]source
}

// source is where a bot of a tie comes from.
type source struct {
	kind sourceKind
	from int // the seed, or the node
}

type sourceKind int

const (
	seeded   sourceKind = iota // enters here
	winnerOf                   // of a node before
	loserOf                    // likewise
	// upsetBy is the loser of a node, if its first side is that: who has lost
	// nothing before plays again.
	upsetBy
)

// What a side may be instead of a seed.
const (
	absent  = -1 // nobody comes: the other has a bye
	unknown = -2 // not yet decided
)

// bout is a node as it stands.
type bout struct {
	node
	bots          [2]int // seeds, or absent, or unknown
	winner, loser int    // likewise
	contest       contest
	met           int // matches that its bots played in bouts before
}

// contested tells whether the bout is played: both of its bots are there.
func (b *bout) contested() bool { return b.bots[0] >= 0 && b.bots[1] >= 0 }

// bouts are all nodes as they stand. Each that can be played has numbers of its
// own for as many matches as it may come to, whether they are played or not.
func (f *bracket) bouts(done numbered) []bout {
	all := make([]bout, len(f.nodes))
	met := map[[2]int]int{}
	before := 0
	for i, n := range f.nodes {
		b := &all[i]
		b.node = n
		b.bots = [2]int{f.resolve(n.sides[0], all), f.resolve(n.sides[1], all)}
		if b.bots[0] > b.bots[1] && b.bots[1] >= 0 {
			b.bots[0], b.bots[1] = b.bots[1], b.bots[0] // the better seed first
		}
		b.settle(f, before, done)
		if b.contested() {
			b.met = met[b.bots]
			met[b.bots] += b.contest.played()
		}
		if f.attended(n.sides[0]) && f.attended(n.sides[1]) {
			before += mostOfContest(f.best)
		}
	}
	return all
}

// settle finds who goes on.
func (b *bout) settle(f *bracket, before int, done numbered) {
	switch {
	case b.bots[0] == absent:
		b.winner, b.loser = b.bots[1], absent
	case b.bots[1] == absent:
		b.winner, b.loser = b.bots[0], absent
	case !b.contested():
		b.winner, b.loser = unknown, unknown
	default:
		names := [2]string{f.names[b.bots[0]], f.names[b.bots[1]]}
		b.contest = contest{names: names, best: f.best, before: before, done: done}
		b.winner, b.loser = unknown, unknown
		if w, ok := b.contest.winner(); ok {
			b.winner, b.loser = b.bots[w], b.bots[1-w]
		}
	}
}

// resolve is who comes from a source, given the bouts before.
func (f *bracket) resolve(s source, bouts []bout) int {
	switch s.kind {
	case seeded:
		if s.from >= len(f.names) {
			return absent
		}
		return s.from
	case winnerOf:
		return bouts[s.from].winner
	case loserOf:
		return bouts[s.from].loser
	}
	b := &bouts[s.from]
	if b.loser >= 0 && b.loser != f.resolve(b.sides[0], bouts) {
		return absent
	}
	return b.loser
}

// attended tells whether anybody can come from a source, whatever is played.
func (f *bracket) attended(s source) bool {
	if s.kind == seeded {
		return s.from < len(f.names)
	}
	first, second := f.attended(f.nodes[s.from].sides[0]), f.attended(f.nodes[s.from].sides[1])
	if s.kind == winnerOf {
		return first || second
	}
	return first && second
}

// expected tells whether two bots come to a node unless there is an upset.
func (f *bracket) expected(n node) bool {
	return f.attended(n.sides[0]) && f.attended(n.sides[1]) && n.sides[1].kind != upsetBy
}
