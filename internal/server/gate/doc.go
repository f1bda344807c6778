// Package gate decides which connections an arena keeps when there are more than it has room for.
//
//	g, err := gate.New(listener, gate.DefaultLimits(), log)
//	if err != nil {
//		panic(err)
//	}
//	web := &http.Server{Handler: handler, ConnContext: g.ConnContext}
//	go web.Serve(g)
//
// Every connection begins as a stranger's. Strangers have a share of the room: if it is full, the
// stranger that has been silent the longest has to go, so that nobody who connects is kept out by
// those who say nothing. A handler that knows who is there calls [Visitor.Keep]: from then on the
// connection stays until one end closes it.
//
// A [Quota] counts what visitors start, such as games, by the same addresses.
package gate
