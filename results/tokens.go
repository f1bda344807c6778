package results

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Token describes a token, without the secret itself.
type Token struct {
	Role    string    `json:"role"` // "bot" or "operator"
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	Revoked bool      `json:"revoked"`
}

// Tokens are the tokens of bots and operators in a database. Its methods may be called from several goroutines.
type Tokens struct {
	read, write *sql.DB
	cache       tokenCache
}

// Tokens returns the tokens of the database.
func (s *Reader) Tokens() *Tokens { return s.tokens }

// Make makes a token for the bot or operator with that name. It has 26 characters and at least
// 128 random bits, so a plain hash of it is safe to store; the token itself is not stored.
func (t *Tokens) Make(ctx context.Context, role, name string) (string, error) {
	if role != "bot" && role != "operator" {
		return "", fmt.Errorf("a token for the role %q: want bot or operator", role)
	}
	if name == "" {
		return "", errors.New("a token needs a name")
	}
	token := rand.Text()
	_, err := t.write.ExecContext(ctx, `INSERT INTO tokens (role, name, hash, created) VALUES (?, ?, ?, ?)`, role, name, hashToken(token), formatTime(time.Now()))
	return token, wrap(err, "making a token for %s %q", role, name)
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// Has reports whether the name has a token that is not revoked.
func (t *Tokens) Has(ctx context.Context, role, name string) (bool, error) {
	return t.some(ctx, func(v *validToken) bool { return v.role == role && v.name == name })
}

// Valid reports whether the token was made for that name and is not revoked. A name of "" stands for any
// name. For a token that is not valid, Has distinguishes a wrong token from a name that has no tokens.
func (t *Tokens) Valid(ctx context.Context, role, name, token string) (bool, error) {
	hash := hashToken(token)
	return t.some(ctx, func(v *validToken) bool {
		return v.has(hash) && v.role == role && (name == "" || v.name == name)
	})
}

// All returns all tokens, sorted by role and name.
func (t *Tokens) All(ctx context.Context) ([]Token, error) {
	tokens, err := query(ctx, t.read, func(row *sql.Rows) (t Token, err error) {
		return t, row.Scan(&t.Role, &t.Name, asText{&t.Created}, &t.Revoked)
	}, `SELECT role, name, created, revoked IS NOT NULL FROM tokens ORDER BY role, name, id`)
	return tokens, wrap(err, "listing tokens")
}

// Owners returns the names of bots that have a token that is not revoked, each once.
func (t *Tokens) Owners(ctx context.Context) ([]string, error) {
	names, err := query(ctx, t.read, scanOne[string], `SELECT DISTINCT name FROM tokens WHERE role = 'bot' AND revoked IS NULL ORDER BY name`)
	return names, wrap(err, "listing the names with tokens")
}

// Revoke revokes all valid tokens of a name and returns their number.
func (t *Tokens) Revoke(ctx context.Context, role, name string) (int64, error) {
	done, err := t.write.ExecContext(ctx, `UPDATE tokens SET revoked = ? WHERE role = ? AND name = ? AND revoked IS NULL`, formatTime(time.Now()), role, name)
	if err != nil {
		return 0, fmt.Errorf("revoking the tokens of %s %q: %w", role, name, err)
	}
	return done.RowsAffected()
}

// tokenCache answers questions about tokens from memory. Every answer is at least as new as its question: a
// token is valid as soon as another process has made it, and invalid as soon as another process has revoked it.
// All questions that arrive during a reading of the table, or shortly after it, share the next reading. A
// thousand bots with wrong tokens thus cost the database as much as one.
type tokenCache struct {
	mu   sync.Mutex
	next *tokenReading // the next reading, which has not begun; nil if there is none
	last *tokenReading // the last reading that has begun; nil if there was none
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

// tokenReadings is the shortest time between the beginnings of two readings of the tokens.
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

// run reads the tokens for all callers that wait for r, after the last reading.
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

func (t *Tokens) readValid(ctx context.Context) ([]validToken, error) {
	valid, err := query(ctx, t.read, func(row *sql.Rows) (t validToken, err error) {
		return t, row.Scan(&t.role, &t.name, &t.hash)
	}, `SELECT role, name, hash FROM tokens WHERE revoked IS NULL`)
	return valid, wrap(err, "looking up tokens")
}

// some reports whether wanted accepts a valid token.
func (t *Tokens) some(ctx context.Context, wanted func(*validToken) bool) (found bool, err error) {
	valid, err := t.cache.current(ctx, t.readValid)
	for i := range valid {
		found = wanted(&valid[i]) || found // compares all of them, so that the time does not reveal the answer
	}
	return found, err
}

// has reports whether the token's hash is the given one, in constant time.
func (t *validToken) has(hash []byte) bool { return subtle.ConstantTimeCompare(t.hash, hash) == 1 }
