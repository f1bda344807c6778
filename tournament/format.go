package tournament

// Format says who meets whom. It is a pure function of what is recorded, so an
// event resumes by asking again.
type Format interface {
	// Next lists the matches that can be played now, in the order in which to
	// begin them, given all that are decided. The event is over when nothing is
	// left to play.
	Next(done []MatchResult) []Pairing
}

// RoundRobin lets everybody meet everybody else the same number of times.
type RoundRobin struct {
	Names   []string // at least two
	Matches int      // of each pair
}

// Next lists all matches that are not yet decided, by rounds (the circle
// method), so that nobody waits long for a game.
func (f RoundRobin) Next(done []MatchResult) []Pairing {
	decided := make(map[int]bool, len(done))
	for _, m := range done {
		decided[m.Match] = true
	}
	var left []Pairing
	number := 0
	for cycle := range f.Matches {
		for _, pair := range f.cycle() {
			number++
			if decided[number] {
				continue
			}
			first, second := pair[0], pair[1]
			if cycle%2 == 1 {
				first, second = second, first
			}
			left = append(left, Pairing{Match: number, First: f.Names[first], Second: f.Names[second]})
		}
	}
	return left
}

// cycle lists every pair of indices once, round by round: index 0 stays, the
// others move on by one place a round.
func (f RoundRobin) cycle() [][2]int {
	n := len(f.Names) + len(f.Names)%2 // with a bye where the number is odd
	var pairs [][2]int
	for round := range n - 1 {
		for k := range n / 2 {
			a, b := place(k, round, n), place(n-1-k, round, n)
			if a < len(f.Names) && b < len(f.Names) {
				pairs = append(pairs, [2]int{min(a, b), max(a, b)})
			}
		}
	}
	return pairs
}

// place is who sits at place k of n in a round.
func place(k, round, n int) int {
	if k == 0 {
		return 0
	}
	return 1 + (k-1+round)%(n-1)
}
