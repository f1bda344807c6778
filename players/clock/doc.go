// Package clock measures the time that a bot is charged for. Time in which the arena itself stood
// still, or in which the bot was away within its grace, is not charged.
//
// [Stalls] finds out when this process did not run, a [Countdown] runs down a span of the time in
// which it did, and a [Turn] is the countdown of one move:
//
//	stalls := clock.NewStalls()
//	go stalls.Watch(ctx, nil)
//
//	turn := clock.NewTurn(stalls, 5*time.Second, 0)
//	select {
//	case move := <-answers:
//		reading := turn.End() // reading.Used is what the move costs
//		return move, reading, nil
//	case <-turn.Over():
//		return "", turn.End(), context.DeadlineExceeded
//	}
package clock
