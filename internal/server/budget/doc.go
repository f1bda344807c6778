// Package budget divides the processors between the games of events and the work that an arena does for strangers: the
// answers to their requests, and the searches and counts that they ask for.
//
// While events are played, all work for strangers together has a [Quota] of the machine. Each piece of work waits for
// a [Turn]. Turns go around the addresses that wait, so a client with many requests delays its own requests and no
// others:
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
// [Answering] gives each stranger's request to an http.Handler its turn.
package budget
