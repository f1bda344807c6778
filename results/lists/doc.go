// Package lists reads the standing lists of a database: see tournament/standing.
//
//	store, err := results.Open(ctx, path)
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer store.Close()
//	keeper := lists.NewKeeper(store.Reader)
//	collected, err := keeper.Collector(ctx)
//	if err != nil {
//		log.Fatal(err)
//	}
//	for _, s := range collected.Summaries() {
//		fmt.Println(s.Conditions, s.Matches)
//	}
//
// A [Keeper] reads the database again only when there are new games.
package lists
