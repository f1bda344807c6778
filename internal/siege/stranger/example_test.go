package stranger_test

import (
	"context"
	"log"
	"time"

	"versus2048/internal/siege/stranger"
)

func Example() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	routes, err := stranger.Routes("docs/SECURITY.md")
	if err != nil {
		log.Fatal(err)
	}
	requests, err := routes[0].Requests()
	if err != nil {
		log.Fatal(err)
	}
	stranger.Keep(ctx, "http://127.0.0.1:2048", routes[0].Method(), requests, 50, stranger.NewTally())
}
