// Package lobby gathers the bots of an event on a running arena before the event begins, as on a club evening.
//
//	gathering, err := lobby.New(ctx, arena, store, lobby.Plan{Event: event, Expected: 6})
//	if err != nil {
//		return err
//	}
//	go gathering.Run(ctx)
//	_, err = gathering.Start(ctx, false)
//	return err
//
// The lobby lists the bots that are here, late or away. It gives each bot that comes a short check: games of one turn
// from five positions, which are not on record. Start begins the event with the bots that are here and, unless it is
// told otherwise, have passed their check.
package lobby
