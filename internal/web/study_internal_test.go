package web

import (
	"context"
	"errors"
	"net/netip"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/server/budget"
)

// A game is judged a slice at a time, and other searches have their turns between the slices. The time of these turns
// does not count.
func TestJudgingGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(func() bool { return true })
		begin := func() *budget.Turn {
			turn, err := b.Search(t.Context(), netip.Prefix{})
			if err != nil {
				t.Error(err)
			}
			return turn
		}
		for range max(1, runtime.GOMAXPROCS(0)/2) - 1 {
			defer begin().End() // one place is left
		}
		turn := begin()
		defer turn.End()
		pause, others := judging(t.Context(), turn), make(chan *budget.Turn, 1)
		go func() { others <- begin() }()
		judged := time.Duration(0)
		for _, step := range []struct {
			judging time.Duration
			other   bool // has its turn during the pause
		}{{budget.Slice / 2, false}, {budget.Slice / 2, true}, {budget.Slice, false}} {
			<-time.After(step.judging)
			judged += step.judging
			var other *budget.Turn
			paused := make(chan error, 1)
			go func() { paused <- pause() }()
			if step.other {
				other = <-others
				<-time.After(time.Hour)
				other.End()
			}
			if err := <-paused; err != nil {
				t.Errorf("after %v: %v", judged, err)
			}
			if len(others) > 0 {
				t.Errorf("after %v: another search has a turn before the slice is over", judged)
			}
		}
		<-time.After(judgeTime - judged)
		if err := pause(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %v of judging: %v, want %v", judgeTime, err, context.DeadlineExceeded)
		}
	})
}
