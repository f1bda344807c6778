package results

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"fmt"
	"sync"
	"time"
)

// tokenCache answers questions about tokens from memory. Every answer is at least
// as new as its question, so that a token is valid as soon as another process has
// made it, and invalid as soon as one has revoked it. All questions that come
// while the table is read, or shortly after that, share the next reading: a
// thousand bots with wrong tokens cost the database as much as one.
type tokenCache struct {
	mu   sync.Mutex
	next *tokenReading // the reading that has not begun; nil if there is none
	last *tokenReading // the last one that has begun; nil if there was none
}

// tokenReading is one reading of the valid tokens.
type tokenReading struct {
	began time.Time
	done  chan struct{} // closed when the fields below are set
	valid []validToken
	err   error
}

type validToken struct {
	role, name string
	hash       []byte
}

// tokenReadings is the shortest time from one reading of the tokens to the next.
const tokenReadings = 50 * time.Millisecond

// current returns the valid tokens, as read after the call began.
func (c *tokenCache) current(ctx context.Context, read func(context.Context) ([]validToken, error)) ([]validToken, error) {
	c.mu.Lock()
	r := c.next
	if r == nil {
		r = &tokenReading{done: make(chan struct{})}
		c.next = r
		go c.run(context.WithoutCancel(ctx), r, c.last, read)
	}
	c.mu.Unlock()
	select {
	case <-r.done:
		return r.valid, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// run reads the tokens for all who wait for r, after the last reading.
func (c *tokenCache) run(ctx context.Context, r, last *tokenReading, read func(context.Context) ([]validToken, error)) {
	if last != nil {
		<-last.done
		<-time.After(time.Until(last.began.Add(tokenReadings)))
	}
	c.mu.Lock()
	r.began = time.Now()
	c.next, c.last = nil, r // later questions need a later reading
	c.mu.Unlock()
	r.valid, r.err = read(ctx)
	close(r.done)
}

// validTokens reads all tokens that are not revoked.
func (s *Store) validTokens(ctx context.Context) ([]validToken, error) {
	valid, err := query(ctx, s.read, func(row *sql.Rows) (t validToken, err error) {
		return t, row.Scan(&t.role, &t.name, &t.hash)
	}, `SELECT role, name, hash FROM tokens WHERE revoked IS NULL`)
	if err != nil {
		return nil, fmt.Errorf("looking up tokens: %w", err)
	}
	return valid, nil
}

// anyToken reports whether a valid token is as wanted.
func (s *Store) anyToken(ctx context.Context, wanted func(*validToken) bool) (found bool, err error) {
	valid, err := s.tokens.current(ctx, s.validTokens)
	for i := range valid {
		found = wanted(&valid[i]) || found // compares all of them, so that the time tells nothing
	}
	return found, err
}

// has reports whether the token's hash is the given one, in constant time.
func (t *validToken) has(hash []byte) bool { return subtle.ConstantTimeCompare(t.hash, hash) == 1 }
