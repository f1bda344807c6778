// Package lobby gathers the bots of an event before it begins: a club evening on a running arena.
//
//	gathering, err := lobby.New(ctx, arena, store, lobby.Plan{Event: event, Expected: 6})
//	if err != nil {
//		return err
//	}
//	go gathering.Run(ctx)
//	_, err = gathering.Start(ctx, false)
//	return err
//
// The lobby lists the bots that are here, late or away. It gives each bot that comes a short check of ten positions,
// which is not on record. Start begins the event with the bots that are here.
package lobby
