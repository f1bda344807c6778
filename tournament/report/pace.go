package report

import (
	"math"
	"math/bits"
	"slices"
	"time"

	"versus2048/rules/record"
)

// pace sums up the times of moves.
type pace struct {
	moves int
	times timeCounts

	spent, longest time.Duration // the sum and the maximum
	lag, mostLag   time.Duration // the sum and the maximum

	pauses      int           // moves during which the clock stood still
	stall, away time.Duration // the sum of the pauses, by reason: see record.Pause
}

func (p *pace) add(spent, lag time.Duration) {
	p.moves++
	p.times.add(uint32(min(max(0, spent/time.Microsecond), math.MaxUint32)))
	p.spent += spent
	p.longest = max(p.longest, spent)
	p.lag += lag
	p.mostLag = max(p.mostLag, lag)
}

func (p *pace) pause(still record.Pause) {
	p.pauses++
	p.stall += still.Stall
	p.away += still.Away
}

func (p *pace) merge(q *pace) {
	p.pauses += q.pauses
	p.stall += q.stall
	p.away += q.away
	p.moves += q.moves
	p.times.merge(&q.times)
	p.spent += q.spent
	p.longest = max(p.longest, q.longest)
	p.lag += q.lag
	p.mostLag = max(p.mostLag, q.mostLag)
}

// figure returns a time in milliseconds. The figure is absent if no move was timed.
func (p *pace) figure(d time.Duration) Figure {
	if p.moves == 0 {
		return Figure{Needs: "needs 1 timed move"}
	}
	return Figure{Value: milliseconds(d)}
}

// mean returns the sum divided by the number of moves.
func (p *pace) mean(sum time.Duration) Figure {
	f := p.figure(sum)
	f.Value /= float64(max(1, p.moves))
	return f
}

// median returns the middle time, or the mean of the middle two. For up to 4096 moves it is exact to a microsecond, for
// more moves within 0.05 %. A time above an hour and eleven minutes counts as that time.
func (p *pace) median() Figure {
	if p.moves == 0 {
		return p.figure(0)
	}
	lower, upper := p.times.nth((p.moves-1)/2), p.times.nth(p.moves/2)
	return p.figure(time.Duration((lower + upper) / 2 * float64(time.Microsecond)))
}

// timeCounts counts numbers in bounded memory: exactly while they are few, and then by ranges, 1024
// for each power of two, so that a number is known within 0.05 %.
type timeCounts struct {
	few []uint32
	// ranges is nil while few has the numbers. Afterwards ranges has an element for each power of two: the counts for
	// the ranges of the power, or nil if all are 0.
	ranges [][]uint32
}

const (
	fewest    = 4096 // up to this many numbers are kept exactly
	rangeBits = 10
)

func (t *timeCounts) add(x uint32) {
	if t.ranges != nil {
		t.count(x)
		return
	}
	if len(t.few) == cap(t.few) {
		t.few = slices.Grow(t.few, max(64, len(t.few)))
	}
	if t.few = append(t.few, x); len(t.few) > fewest {
		t.spread()
	}
}

// spread converts the numbers into counts of ranges.
func (t *timeCounts) spread() {
	few := t.few
	t.few, t.ranges = nil, make([][]uint32, 33-rangeBits)
	for _, x := range few {
		t.count(x)
	}
}

// count counts a number. Each number below 1024 is a range of its own, in power 0. Power p
// has the numbers from 1024 << (p-1) on.
func (t *timeCounts) count(x uint32) {
	power := max(0, bits.Len32(x)-rangeBits)
	if t.ranges[power] == nil {
		t.ranges[power] = make([]uint32, 1<<rangeBits)
	}
	if power > 0 {
		x = x>>(power-1) - 1<<rangeBits
	}
	t.ranges[power][x]++
}

func (t *timeCounts) merge(u *timeCounts) {
	if u.ranges == nil {
		for _, x := range u.few {
			t.add(x)
		}
		return
	}
	if t.ranges == nil {
		t.spread()
	}
	for power, counts := range u.ranges {
		if counts == nil {
			continue
		}
		if t.ranges[power] == nil {
			t.ranges[power] = make([]uint32, 1<<rangeBits)
		}
		for i, n := range counts {
			t.ranges[power][i] += n
		}
	}
}

// nth returns the k-th smallest number, counted from 0, or the middle of its range.
func (t *timeCounts) nth(k int) float64 {
	if t.ranges == nil {
		slices.Sort(t.few)
		return float64(t.few[k])
	}
	for power, counts := range t.ranges {
		for i, n := range counts {
			if k -= int(n); k >= 0 {
				continue
			}
			if power == 0 {
				return float64(i)
			}
			width := float64(uint64(1) << (power - 1))
			return float64(i+1<<rangeBits)*width + (width-1)/2
		}
	}
	return math.NaN() // there are no k+1 numbers
}
