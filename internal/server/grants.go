package server

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// grants are the connections that were admitted by a token. They end when the token is revoked.
type grants struct {
	tokens Tokens
	log    *slog.Logger
	mu     sync.Mutex
	live   map[*grant]bool
}

// grant is one connection.
type grant struct {
	role        Role
	name, token string
	end         func() // ends the connection
}

func newGrants(tokens Tokens, log *slog.Logger) *grants {
	return &grants{tokens: tokens, log: log, live: map[*grant]bool{}}
}

// add adds a connection that the token has admitted under that name. end ends the connection; it
// may be called more than once. The caller calls forget when the connection has ended.
func (g *grants) add(role Role, name, token string, end func()) (forget func()) {
	added := &grant{role, name, token, end}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.live[added] = true
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.live, added)
	}
}

// revocationCheck is how often the tokens of all live connections are looked up: "arena token
// revoke" is another process, which only writes to the database.
const revocationCheck = time.Second

// watch ends the connections of revoked tokens until ctx ends.
func (g *grants) watch(ctx context.Context) {
	ticker := time.NewTicker(revocationCheck)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			g.check(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// check ends the connections of revoked tokens. One whose token cannot be looked up stays.
func (g *grants) check(ctx context.Context) {
	for _, live := range g.all() {
		valid, err := g.tokens.ValidToken(ctx, live.role, live.name, live.token)
		switch {
		case err != nil && ctx.Err() == nil:
			g.log.Error("checking whether a token is revoked failed", "role", live.role, "name", live.name, "error", err)
			return
		case err == nil && !valid:
			g.log.Warn("token revoked, the connection ends", "role", live.role, "name", live.name)
			live.end()
		}
	}
}

// all returns the live connections.
func (g *grants) all() (all []*grant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for live := range g.live {
		all = append(all, live)
	}
	return all
}
