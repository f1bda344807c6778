// Package budget shares the processors between the games of events and the work that an arena does for
// strangers: the answers to their requests, and the searches and counts that they ask for.
//
// While events are played, all that work together takes a [Share] of the machine. Whoever wants
// some waits for a [Turn], one after the other and address by address, so that somebody who asks for
// much waits for oneself and not the others for them:
//
//	strangers := budget.New(func() bool { return playing.Load() > 0 })
//
//	turn, err := strangers.Begin(ctx, budget.Searches, address)
//	if err != nil {
//		return err // the context ended before there was a turn
//	}
//	defer turn.End()
//	move := search(turn.Limit())
//
// [Answering] gives each request that comes to an http.Handler its turn.
package budget
