// Package web serves the pages of an arena: watching, replaying and studying games in a browser.
//
//	arena := server.New(config)
//	site, err := web.New(web.Config{Arena: arena, Store: store, Log: config.Log})
//	if err != nil {
//		return err
//	}
//	arena.Add(site.Routes()...)
//	return arena.Serve(ctx, listener)
//
// A page is HTML made here, which can be read without JavaScript. The modules in static make a page live: one stream of
// server-sent events brings the changes. Games in progress come from the [server.Server], recorded games and events from
// the [results.Store]. The pages of operators change events and tokens; other visitors only play games against bots, and
// renew a token that they have. Watchers never make a game wait: the game keeps its last state and signals a change, and
// one goroutine looks at the state for all watchers, at most ten times a second.
package web
