package exact

import (
	"context"
	"time"

	"versus2048/rules"
)

// Growth is what enumerating a layer took.
type Growth struct {
	Layer
	Time  time.Duration `json:"nanoseconds"`
	Bytes int64         `json:"bytes"` // of memory, for this layer and the two before
}

// Grow enumerates a game of any size by sums of tiles, solves nothing and keeps
// nothing. It stops where the next layer would need more than memory bytes if it
// needed as much more as the last one did, after the given sum, and when ctx
// ends, with its error. It tells report each layer.
func Grow(ctx context.Context, r rules.Ruleset, s rules.Size, memory int64, sum int, report func(Growth)) error {
	e, begin, before := newEnumeration(ctx, game{r, s}), time.Now(), int64(0)
	for e.layer.Sum < sum && e.next() {
		bytes := e.bytes()
		report(Growth{e.layer, time.Since(begin), bytes})
		if bytes+(bytes-before) > memory {
			break
		}
		begin, before = time.Now(), bytes
	}
	return ctx.Err()
}

// bytes is the memory that the enumeration holds.
func (e *enumeration) bytes() int64 {
	boards := 0
	for _, layer := range e.attackers {
		boards += layer.count()
	}
	for w := range e.sieve.found {
		boards += cap(e.sieve.tables[w]) + cap(e.sieve.distinct[w])
		for _, part := range e.sieve.found[w] {
			boards += cap(part)
		}
	}
	return 8 * int64(boards+e.layer.Defender)
}
