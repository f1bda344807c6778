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
// A page is HTML made here, which can be read without JavaScript. The modules in static make it live: each page has one
// stream of server-sent events, which brings the changes. Games in progress come from the [server.Server], everything
// else from the [results.Store]. Only the pages of operators change anything there. Watchers never make a game
// wait: a game leaves its last state behind and gives a signal, and the streams look at it, at most ten times a second.
package web
