package players

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/rules"
)

// waiting moves when its time is up, and records the time until then.
type waiting struct{ waited time.Duration }

func (w *waiting) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	began := time.Now()
	<-ctx.Done()
	w.waited = time.Since(began)
	return p.AppendMoves(nil)[0], nil
}

func TestWithMargin(t *testing.T) {
	for _, test := range []struct{ margin, left, waited time.Duration }{
		{0, time.Second, time.Second},
		{100 * time.Millisecond, time.Second, 900 * time.Millisecond},
		{100 * time.Millisecond, 120 * time.Millisecond, 60 * time.Millisecond},
		{time.Second, 0, 0},
		{-time.Second, time.Second, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), test.left)
			defer cancel()
			var w waiting
			_, err := WithMargin(&w, test.margin).Choose(ctx, rules.NewPosition(rules.GPCC2015, rules.Full))
			if err != nil || w.waited != test.waited {
				t.Errorf("margin %v of %v: the player had %v (%v), want %v", test.margin, test.left, w.waited, err, test.waited)
			}
		})
	}
}

// asked records whether there was a deadline.
type asked struct{ deadline bool }

func (a *asked) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	_, a.deadline = ctx.Deadline()
	return p.AppendMoves(nil)[0], nil
}

func TestWithMarginWithoutClock(t *testing.T) {
	var a asked
	_, err := WithMargin(&a, time.Second).Choose(context.Background(), rules.NewPosition(rules.GPCC2015, rules.Full))
	if err != nil || a.deadline {
		t.Errorf("without a clock the player was given a deadline: %v (%v)", a.deadline, err)
	}
}
