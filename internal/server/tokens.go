package server

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"versus2048/players"
	"versus2048/protocol"
)

// Tokens looks up the tokens of bots and operators that are not revoked. results.Tokens has these methods.
type Tokens interface {
	// Has reports whether that name has a token of a [Role].
	Has(ctx context.Context, role, name string) (bool, error)
	// Valid reports whether the token belongs to that name. The name "" means any name.
	Valid(ctx context.Context, role, name, token string) (bool, error)
	// Owners returns the names of bots that have a token.
	Owners(ctx context.Context) ([]string, error)
}

// Role is the permission that a token gives.
type Role string

// The roles.
const (
	BotRole      Role = "bot"      // to play under one name
	OperatorRole Role = "operator" // to run events from another machine
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

// add adds a connection that the token has admitted under that name. end ends the connection; it may be called more
// than once. The caller calls forget when the connection has ended.
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

// revocationCheck is the time between two checks of the tokens of all live connections: "arena token revoke" is another
// process, which only writes to the database.
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

// check ends the connections of revoked tokens. If a token cannot be looked up, its connection goes on.
func (g *grants) check(ctx context.Context) {
	g.mu.Lock()
	all := slices.Collect(maps.Keys(g.live))
	g.mu.Unlock()
	for _, live := range all {
		valid, err := g.tokens.Valid(ctx, string(live.role), live.name, live.token)
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

// CheckOwner returns an error if a token with that role cannot be made for a name beside the names of bots that have one.
func CheckOwner(role Role, name string, owned []string) error {
	if role != BotRole {
		return nil
	}
	alike := func(owner string) bool { return owner != name && protocol.AlikeNames(owner, name) }
	if i := slices.IndexFunc(owned, alike); i >= 0 {
		return fmt.Errorf("name %q: it looks like %q, which has a token: take another one, or revoke that", name, owned[i])
	}
	return nil
}

// CheckToken returns an error if no bot or operator can have a token under that name.
func CheckToken(role Role, name string) error {
	if err := protocol.CheckName(name); err != nil {
		return err
	}
	if role == BotRole && players.LooksLikeSpec(name) {
		return fmt.Errorf("name %q: it is a spec, which stands for a bot that the arena starts; take another one, such as %s-1", name, name)
	}
	return nil
}

// Token is a token that an arena knows, without its secret.
type Token struct {
	Role    Role      `json:"role"`
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	Revoked bool      `json:"revoked"`
	// Invitation is the number of the invitation that the bot registered itself with, 0 for none.
	Invitation int64 `json:"invitation,omitempty"`
}
