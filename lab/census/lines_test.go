package census

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

func TestCountAdds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		a, b := randomCount(rng), randomCount(rng)
		times := rng.Uint64N(1 << 7)
		want := new(big.Int).Mul(b.big(), new(big.Int).SetUint64(times))
		want.Add(want, a.big())
		if a.add(&b, times); a.big().Cmp(want) != 0 {
			t.Fatalf("%v, want %v", a.big(), want)
		}
	}
}

// randomCount returns a count below 2^248, often with words that carry.
func randomCount(rng *rand.Rand) (c lineCount) {
	for i := range c {
		c[i] = rng.Uint64()
		if rng.IntN(3) == 0 {
			c[i] = ^uint64(0)
		}
	}
	c[len(c)-1] >>= 8
	return c
}

func TestCountAsBigInt(t *testing.T) {
	c := lineCount{1, 2, 3, 4}
	if got, want := c.big().Text(16), "4000000000000000300000000000000020000000000000001"; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// randomArrivals returns arrivals from parents in ascending order.
func randomArrivals(n int) []arrival {
	rng := rand.New(rand.NewPCG(3, 4))
	arrivals := make([]arrival, n)
	for i := range arrivals {
		arrivals[i] = arrival{rules.Board(rng.Uint64N(100)) << rng.IntN(58), uint32(i / 10), 1 + rng.Uint32N(4)}
	}
	return arrivals
}

func TestSortIsStable(t *testing.T) {
	arrivals := randomArrivals(5000)
	want := slices.Clone(arrivals)
	slices.SortStableFunc(want, func(a, b arrival) int { return cmp.Compare(a.board, b.board) })
	sortByBoard(arrivals, make([]arrival, len(arrivals)))
	if !slices.Equal(arrivals, want) {
		t.Error("the order differs from that of slices.SortStableFunc")
	}
}

// A turn can be interrupted while its blocks are merged, too.
func TestInterruptedMerge(t *testing.T) {
	blocks := make([]lineBlock, 10)
	for left := range int64(5) {
		ctx := testkit.NewCountdown(t.Context(), left)
		if _, err := mergeAll(ctx, slices.Clone(blocks)); !errors.Is(err, context.Canceled) {
			t.Errorf("ended after %d steps: error %v", left, err)
		}
	}
	if _, err := mergeAll(t.Context(), blocks); err != nil {
		t.Error(err)
	}
}

func TestBlockSizeDoesNotMatter(t *testing.T) {
	start := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3})
	search, err := NewLineSearch(start)
	if err != nil {
		t.Fatal(err)
	}
	for range 14 { // to where the first games end
		if _, err := search.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	last := &search.layers[len(search.layers)-1]
	var whole lineBlock
	for _, size := range []int{lineBlockSize, 1, 7, 100, len(last.boards) - 1} {
		b, err := play(t.Context(), last, newExpansion(start), size)
		if err != nil {
			t.Fatal(err)
		}
		if size == lineBlockSize {
			whole = b
		}
		if !reflect.DeepEqual(b, whole) || len(b.mated.boards) == 0 {
			t.Errorf("blocks of %d positions give a different layer", size)
		}
	}
}
