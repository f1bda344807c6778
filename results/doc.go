// Package results keeps events and their games in a SQLite database.
//
//	store, err := results.Open(ctx, path)
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer store.Close()
//	event.ID, err = store.CreateEvent(ctx, event)
//	if err != nil {
//		log.Fatal(err)
//	}
//	journal := store.Journal(event.ID)
//	runner := tournament.Runner{Event: event, Format: format.New, Bots: bots, Journal: journal}
//	if _, err := runner.Run(ctx); err != nil {
//		log.Fatal(err)
//	}
//	verified, err := store.Verify(ctx, results.Filter{Event: event.ID}, func(game results.Stored, why error) {
//		log.Printf("game %d: %v", game.ID, why)
//	})
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(verified.Games, "games,", verified.Bad, "bad")
//
// A finished game is one row: its start, its moves with a byte a turn, its times
// and, where the event records them, the bots' search reports. It is on disk
// when Journal.Finish returns. The plies of a game in progress are queued, and
// written for all games together while Journal.Run runs beside the runner: they
// are on disk at most 100 ms later. After a crash Journal.Open finds a game
// again with those plies. Without Run a game that is interrupted begins anew.
//
// Statistics read no moves: Store.Matches goes by what the referee announced, and
// Verify holds that against the moves. Store.Export and Store.Import carry an
// event with all its games from one database to another, as lines of JSON.
//
// One arena at a time may have a database open (Open); programs that only read
// (OpenReader) or make tokens (OpenTokens) may use it at the same time.
package results
