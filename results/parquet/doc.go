// Package parquet writes three tables in Apache Parquet, for programs that analyse many games at once. The tables hold
// the games, their plies, and the bots' reports on their searches.
//
//	header, err := store.Header(ctx, 1)
//	if err != nil {
//		log.Fatal(err)
//	}
//	writer := parquet.NewWriter(parquet.Source{Event: header, Version: "v1.3.0"}, &games, &plies, &searches)
//	err = store.Games(ctx, results.Filter{Event: 1, Searches: true, Scored: true}, writer.Write)
//	if err := errors.Join(err, writer.Close()); err != nil {
//		log.Fatal(err)
//	}
//	rows, err := parquet.Read[parquet.Ply](bytes.NewReader(plies.Bytes()), int64(plies.Len()))
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(len(rows), "plies, the last one", rows[len(rows)-1].Move)
//
// The structs [Game], [Ply] and [Search] are the schema; docs/PARQUET.md describes it for readers in
// other languages.
package parquet
