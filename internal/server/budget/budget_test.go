package budget_test

import (
	"context"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/server/budget"
)

// address returns the nth address.
func address(n byte) netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, n}), 32)
}

func always() bool { return true }

func never() bool { return false }

// pass lets virtual time pass.
func pass(d time.Duration) { <-time.After(d) }

// work takes turns of one kind for a while. Each turn takes the cost; work returns the sum.
func work(ctx context.Context, b *budget.Budget, kind budget.Work, from netip.Prefix, cost time.Duration) (sum time.Duration) {
	for ctx.Err() == nil {
		turn, err := b.Begin(ctx, kind, from)
		if err != nil {
			return sum
		}
		pass(cost)
		turn.End()
		sum += cost
	}
	return sum
}

// measured returns the part of the machine that the workers of each kind had together in a minute of virtual time.
func measured(t *testing.T, b *budget.Budget, answering, searching int) (answers, searches float64) {
	t.Helper()
	const while = time.Minute
	ctx, end := context.WithTimeout(t.Context(), while)
	defer end()
	var sums [2]atomic.Int64
	var all sync.WaitGroup
	for n := range answering {
		all.Go(func() {
			sums[0].Add(int64(work(ctx, b, budget.Answers, address(byte(n)), 3*time.Millisecond)))
		})
	}
	for n := range searching {
		all.Go(func() { sums[1].Add(int64(work(ctx, b, budget.Searches, address(byte(n)), budget.Slice))) })
	}
	all.Wait()
	machine := float64(while) * float64(runtime.GOMAXPROCS(0))
	return float64(sums[0].Load()) / machine, float64(sums[1].Load()) / machine
}

// However many strangers there are, all their work together takes a fifth of the machine while events are played; each
// kind of work has half of that, or all if the other kind is not wanted.
func TestStrangersHaveAFifth(t *testing.T) {
	for name, c := range map[string]struct{ answering, searching int }{
		"requests": {50, 0}, "searches": {0, 16}, "both": {50, 16},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				answers, searches := measured(t, budget.New(always), c.answering, c.searching)
				if sum := answers + searches; sum > budget.Quota*1.02 || sum < budget.Quota*0.8 {
					t.Errorf("strangers had %.3f of the machine for requests and %.3f for searches, want %.2f in all", answers, searches, budget.Quota)
				}
				if c.answering > 0 && c.searching > 0 && min(answers, searches) < budget.Quota/3 {
					t.Errorf("requests had %.3f and searches %.3f: one kind starves the other", answers, searches)
				}
			})
		})
	}
}

// A stranger who is the first to come while an event is already played has a turn at once, also on a machine with many
// processors.
func TestFirstStrangerOnManyProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(16))
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithTimeout(t.Context(), time.Minute)
		defer end()
		b, began := budget.New(always), time.Now()
		for _, kind := range []budget.Work{budget.Answers, budget.Searches} {
			turn, err := b.Begin(ctx, kind, address(1))
			if err != nil || time.Since(began) > 0 {
				t.Fatalf("work of kind %d waited %v (%v)", kind, time.Since(began), err)
			}
			turn.End()
		}
	})
}

// Without events strangers have the whole machine.
func TestNobodyWaitsWithoutEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, searches := measured(t, budget.New(never), 0, 16)
		if searches < 0.99 {
			t.Errorf("searches had %.2f of the machine while nothing was played", searches)
		}
		b, began := budget.New(never), time.Now()
		for range 1000 {
			if _, err := b.Begin(t.Context(), budget.Answers, address(1)); err != nil || time.Since(began) > 0 {
				t.Fatalf("a request waited %v (%v)", time.Since(began), err)
			}
		}
	})
}

// Addresses have their turns one after the other, and the turns of an address have the order of their requests: a
// client with many requests delays only its own.
func TestTurnsGoRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(always)
		var held []*budget.Turn
		for range max(1, runtime.GOMAXPROCS(0)/2) {
			turn, err := b.Begin(t.Context(), budget.Searches, address(0))
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, turn)
		}
		turns := make(chan string, 10)
		var all sync.WaitGroup
		for _, who := range []string{"a1", "a2", "a3", "b1", "c1", "b2"} {
			all.Go(func() {
				turn, err := b.Begin(t.Context(), budget.Searches, address(who[0]))
				if err != nil {
					t.Error(err)
				}
				turns <- who
				pass(10 * time.Millisecond)
				turn.End()
			})
			synctest.Wait()
		}
		if n, own := b.Waiting(budget.Searches, address('a')); n != 6 || own != 3 {
			t.Errorf("%d wait, %d of one address, want 6 and 3", n, own)
		}
		held[0].End() // the others keep theirs, so that there is one at a time
		for _, want := range []string{"a1", "b1", "c1", "a2", "b2", "a3"} {
			if got := <-turns; got != want {
				t.Errorf("%s has its turn, want %s", got, want)
			}
		}
		all.Wait()
		for _, turn := range held[1:] {
			turn.End()
		}
	})
}

// A client that gives up leaves nothing behind.
func TestGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(always)
		for range max(1, runtime.GOMAXPROCS(0)/2) {
			turn, err := b.Begin(t.Context(), budget.Searches, address(1))
			if err != nil {
				t.Fatal(err)
			}
			defer turn.End()
		}
		ctx, end := context.WithTimeout(t.Context(), time.Second)
		defer end()
		if _, err := b.Begin(ctx, budget.Searches, address(2)); err == nil {
			t.Fatal("it has a turn")
		}
		if all, _ := b.Waiting(budget.Searches, address(2)); all != 0 {
			t.Errorf("%d still wait", all)
		}
	})
}

// Long work gives way after each slice, and goes on in its next turn.
func TestYield(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(always)
		turn, err := b.Begin(t.Context(), budget.Searches, address(1))
		if err != nil {
			t.Fatal(err)
		}
		defer turn.End()
		began, worked := time.Now(), time.Duration(0)
		for worked < 10*budget.Slice {
			pass(budget.Slice / 5)
			worked += budget.Slice / 5
			if err := turn.Yield(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		machine := float64(time.Since(began)) * float64(runtime.GOMAXPROCS(0))
		if part := float64(worked) / machine; part > budget.Quota*1.02 || part < budget.Quota*0.8 {
			t.Errorf("the work had %.3f of the machine, want %.2f", part, budget.Quota)
		}
		if turn.Limit() != budget.Slice {
			t.Errorf("it may take %v, want %v", turn.Limit(), budget.Slice)
		}
	})
}

// Searches that read a database keep their connections while they wait for their next turn. However many want to read,
// a search with a turn finds a connection, and all come to an end.
func TestReadsLeaveConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, connections := budget.New(always), make(chan struct{}, 8)
		ctx, end := context.WithTimeout(t.Context(), time.Hour)
		defer end()
		connect := func() {
			select {
			case connections <- struct{}{}:
			case <-ctx.Done():
				t.Error("there is no connection")
			}
		}
		var all sync.WaitGroup
		for n := range 20 {
			all.Go(func() {
				turn, err := b.Read(ctx, address(byte(n)))
				if err != nil {
					t.Error(err)
					return
				}
				defer turn.End()
				for range 2 {
					connect()
					defer func() { <-connections }()
				}
				for range 5 {
					pass(budget.Slice)
					if err := turn.Yield(ctx); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if n, _ := b.Waiting(budget.Searches, address(0)); n != 0 {
			t.Errorf("%d still wait", n)
		}
	})
}

// An operator's work has no turn, and needs none.
func TestNoTurn(t *testing.T) {
	var turn *budget.Turn
	turn.End()
	if err := turn.Yield(t.Context()); err != nil || turn.Limit() != 0 {
		t.Errorf("yield %v, limit %v", err, turn.Limit())
	}
	ctx, end := turn.Within(t.Context(), 0)
	defer end()
	if _, limited := ctx.Deadline(); limited {
		t.Error("it has a deadline")
	}
}
