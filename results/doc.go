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
//	if err := runner.Run(ctx); err != nil {
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
// A finished game is one row: its start, its moves (one byte per turn), its times and, if the event
// records them, the bots' search reports. It is on disk when Journal.Finish returns. The plies of
// games in progress are queued and written together while Journal.Run runs beside the runner: they
// are usually on disk within 100 ms. After a crash Journal.Open returns an unfinished game with these
// plies. Without Run, an interrupted game starts again from its first ply.
//
// Statistics do not replay moves: Reader.EachMatch uses the results that the referee announced, and
// Verify compares these with the moves. Reader.Export and Store.Import transfer an event with all
// its games from one database to another, as lines of JSON.
//
// One arena at a time may have a database open (Open). Programs that only read (OpenReader) or make
// tokens (OpenTokens) may use it at the same time. Open brings a database with an older schema up
// to date; OpenReader reads such a database from a temporary copy and does not change the file.
// docs/DATABASE.md describes the tables, for programs that read the file themselves.
package results
