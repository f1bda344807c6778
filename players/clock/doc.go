// Package clock measures the time that a bot is charged for. A bot is not charged for time during a stall of
// the arena, nor for time away within its grace.
//
// [Stalls] finds out when this process did not run, a [Countdown] counts down a span of time without the stalls,
// and a [Turn] is the countdown of one move:
//
//	stalls := clock.NewStalls()
//	go stalls.Watch(ctx, nil)
//
//	turn := clock.NewTurn(stalls, 5*time.Second, 0)
//	select {
//	case move := <-answers:
//		reading := turn.End() // reading.Used is the time of the move
//		return move, reading, nil
//	case <-turn.Over():
//		return "", turn.End(), context.DeadlineExceeded
//	}
package clock
