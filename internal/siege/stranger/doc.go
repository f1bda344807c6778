// Package stranger attacks an arena in the ways that are open to anybody who reaches its port: it sends requests to any
// route, and plays as visitors:
//
//	routes, err := stranger.Routes("docs/SECURITY.md")
//	if err != nil {
//		log.Fatal(err)
//	}
//	requests, err := routes[0].Requests()
//	if err != nil {
//		log.Fatal(err)
//	}
//	stranger.Keep(ctx, "http://127.0.0.1:2048", routes[0].Method(), requests, 50, stranger.NewTally())
//
// A Limit gives the processes of strangers only a part of the machine's processor time.
package stranger
