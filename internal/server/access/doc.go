// Package access gives every HTTP request an id, and logs requests. Each line of the log about a request has its id.
//
//	log := slog.New(access.Named(slog.NewTextHandler(os.Stdout, nil)))
//	watch := access.Watch{Log: log, Level: slog.LevelInfo}
//	handler := watch.Handler(mux)
//
// A handler logs with the context of its request. The answer names the id in the header X-Request-Id, so that a user
// can quote it in a complaint. A known reverse proxy may choose the id.
package access
