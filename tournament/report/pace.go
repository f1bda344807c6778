package report

import (
	"math"
	"slices"
	"time"
)

// pace is how fast moves were made.
type pace struct {
	// times are whole microseconds, so that millions of them fit into memory; what
	// is longer than an hour and eleven minutes counts as that in the median.
	times []uint32

	spent, longest time.Duration // all together, and the longest one
	lag, mostLag   time.Duration
}

func (p *pace) add(spent, lag time.Duration) {
	if len(p.times) == cap(p.times) {
		p.times = slices.Grow(p.times, max(256, len(p.times))) // append would copy a long list more often
	}
	p.times = append(p.times, uint32(min(max(0, spent/time.Microsecond), math.MaxUint32)))
	p.spent += spent
	p.longest = max(p.longest, spent)
	p.lag += lag
	p.mostLag = max(p.mostLag, lag)
}

// join adds the moves of q.
func (p *pace) join(q *pace) {
	p.times = append(p.times, q.times...)
	p.spent += q.spent
	p.longest = max(p.longest, q.longest)
	p.lag += q.lag
	p.mostLag = max(p.mostLag, q.mostLag)
}

// figure is a time in milliseconds, absent without a move.
func (p *pace) figure(d time.Duration) Figure {
	if len(p.times) == 0 {
		return Figure{Needs: "needs 1 timed move"}
	}
	return Figure{Value: float64(d) / float64(time.Millisecond)}
}

// mean is one move's part of the sum.
func (p *pace) mean(sum time.Duration) Figure {
	f := p.figure(sum)
	f.Value /= float64(max(1, len(p.times)))
	return f
}

// median is the middle time, or halfway between the middle two. It reorders the
// times.
func (p *pace) median() Figure {
	n := len(p.times)
	if n == 0 {
		return p.figure(0)
	}
	upper := time.Duration(nth(p.times, n/2))
	lower := upper
	if n%2 == 0 {
		lower = time.Duration(slices.Max(p.times[:n/2]))
	}
	return p.figure((lower + upper) * time.Microsecond / 2)
}

// nth is the k-th smallest of x, from 0, and moves it to its place with none
// before it larger and none after it smaller: Hoare's quickselect.
func nth(x []uint32, k int) uint32 {
	for low, high := 0, len(x)-1; low < high; {
		pivot := x[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return x[k]
		}
	}
	return x[k]
}
