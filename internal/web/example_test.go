package web_test

import (
	"context"
	"log/slog"
	"net"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/web"
	"versus2048/protocol"
	"versus2048/results"
)

func Example() {
	serve := func(ctx context.Context, store *results.Store, listener net.Listener) error {
		config := server.Config{Store: store, Tokens: store.Tokens(), Grace: time.Minute, Limits: protocol.DefaultLimits(), Log: slog.Default()}
		arena := server.New(config)
		site, err := web.New(web.Config{Arena: arena, Store: store, Log: config.Log})
		if err != nil {
			return err
		}
		arena.Add(site.Routes()...)
		return arena.Serve(ctx, listener)
	}
	_ = serve
	// Output:
}
