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
// A page is HTML made here, which can be read without JavaScript. The modules in static make it live:
// one stream of server-sent events a page brings what changes. What is being played comes from the
// [server.Server], everything else from the [results.Store]; both are only read, except by the pages
// of an operator. Whoever watches never makes a game wait: a game leaves its last state behind, and
// the streams look at it ten times a second.
package web
