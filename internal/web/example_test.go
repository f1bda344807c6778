package web_test

import (
	"context"
	"log/slog"
	"net"
	"time"

	"versus2048/arena"
	"versus2048/internal/web"
	"versus2048/protocol"
	"versus2048/results"
)

type storeOf struct{ *results.Store }

func (s storeOf) Journal(event int64) arena.Journal { return s.Store.Journal(event) }

func (s storeOf) HasToken(ctx context.Context, role arena.Role, name string) (bool, error) {
	return s.Store.HasToken(ctx, string(role), name)
}

func (s storeOf) ValidToken(ctx context.Context, role arena.Role, name, token string) (bool, error) {
	return s.Store.ValidToken(ctx, string(role), name, token)
}

func Example() {
	serve := func(ctx context.Context, store *results.Store, listener net.Listener) error {
		config := arena.Config{Store: storeOf{store}, Grace: time.Minute, Limits: protocol.DefaultLimits(), Log: slog.Default()}
		server := arena.New(config)
		site, err := web.New(web.Config{Arena: server, Store: store, Log: config.Log})
		if err != nil {
			return err
		}
		server.Add(site.Routes()...)
		return server.Serve(ctx, listener)
	}
	_ = serve
	// Output:
}
