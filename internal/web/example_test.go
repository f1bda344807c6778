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

type storeOf struct{ *results.Store }

func (s storeOf) Journal(event int64) server.Journal { return s.Store.Journal(event) }

func (s storeOf) HasToken(ctx context.Context, role server.Role, name string) (bool, error) {
	return s.Store.HasToken(ctx, string(role), name)
}

func (s storeOf) ValidToken(ctx context.Context, role server.Role, name, token string) (bool, error) {
	return s.Store.ValidToken(ctx, string(role), name, token)
}

func Example() {
	serve := func(ctx context.Context, store *results.Store, listener net.Listener) error {
		config := server.Config{Store: storeOf{store}, Grace: time.Minute, Limits: protocol.DefaultLimits(), Log: slog.Default()}
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
