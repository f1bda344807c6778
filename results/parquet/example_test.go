package parquet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"

	"versus2048/results"
	"versus2048/results/parquet"
)

func Example() {
	ctx := context.Background()
	store, closeStore := playedStore(ctx)
	defer closeStore()
	var games, plies, searches bytes.Buffer

	header, err := store.Header(ctx, 1)
	if err != nil {
		log.Fatal(err)
	}
	writer := parquet.NewWriter(parquet.Source{Event: header, Version: "v1.3.0"}, &games, &plies, &searches)
	err = store.Games(ctx, results.Filter{Event: 1, Searches: true, Scored: true}, writer.Write)
	if err := errors.Join(err, writer.Close()); err != nil {
		log.Fatal(err)
	}
	rows, err := parquet.Read[parquet.Ply](bytes.NewReader(plies.Bytes()), int64(plies.Len()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(rows), "plies, the last one", rows[len(rows)-1].Move)
	// Output: 90 plies, the last one (1,1)
}
