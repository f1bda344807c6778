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
	// Invitation is the number of the invitation that the bot registered itself with, 0 for none.
	Invitation int64 `json:"invitation,omitempty"`
}

// Tokens are the tokens of bots and operators in a database. Its methods may be called from several goroutines.
type Tokens struct {
	read   *sql.DB
	update func(ctx context.Context, do func(*sql.Tx) error) error // calls do in a transaction that writes
	cache  tokenCache
}

// execute executes one statement that writes.
func (t *Tokens) execute(ctx context.Context, statement string, args ...any) (done sql.Result, err error) {
	err = t.update(ctx, func(tx *sql.Tx) error {
		done, err = tx.ExecContext(ctx, statement, args...)
		return err
	})
	return done, err
}

// Tokens returns the tokens of the database.
func (s *Reader) Tokens() *Tokens { return s.tokens }

// Make makes a token for the bot or operator with that name. The token has 26 characters and at least 128 random bits,
// so a plain hash of it is safe to store. The token itself is not stored. Make returns an error for another role and
// for an empty name.
func (t *Tokens) Make(ctx context.Context, role, name string) (string, error) {
	if role != "bot" && role != "operator" {
		return "", fmt.Errorf("a token for the role %q: want bot or operator", role)
	}
	if name == "" {
		return "", errors.New("a token needs a name")
	}
	token := rand.Text()
	_, err := t.execute(ctx, insertNew, role, name, hashToken(token), formatTime(time.Now()))
	return token, wrap(err, "making a token for %s %q", role, name)
}

const (
	insertNew  = `INSERT INTO tokens (role, name, hash, created) VALUES (?, ?, ?, ?)`
	revokeName = `UPDATE tokens SET revoked = ? WHERE role = ? AND name = ? AND revoked IS NULL`
)

// NoTokenError means that no token was ever made for a bot or an operator.
type NoTokenError struct{ Role, Name string }

func (e *NoTokenError) Error() string {
	option := ""
	if e.Role == "operator" {
		option = "--operator "
	}
	return fmt.Sprintf("no token was ever made for the %s %q: make one with: arena token new %sNAME", e.Role, e.Name, option)
}

// Reset makes a token for the bot or operator with that name, and revokes all others of that name at the same moment. It
// returns a *NoTokenError if the name never had a token: a name that is typed wrongly must not get one.
func (t *Tokens) Reset(ctx context.Context, role, name string) (string, error) {
	token, now := rand.Text(), formatTime(time.Now())
	err := t.update(ctx, func(tx *sql.Tx) error {
		var made int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM tokens WHERE role = ? AND name = ?`, role, name).Scan(&made); err != nil {
			return err
		}
		if made == 0 {
			return &NoTokenError{role, name}
		}
		if _, err := tx.ExecContext(ctx, revokeName, now, role, name); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, insertNew, role, name, hashToken(token), now)
		return err
	})
	return token, wrap(err, "making a new token for %s %q", role, name)
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// Has reports whether the name has a token that is not revoked.
func (t *Tokens) Has(ctx context.Context, role, name string) (bool, error) {
	return t.some(ctx, func(v *validToken) bool { return v.role == role && v.name == name })
}

// Valid reports whether the token was made for that name and is not revoked. A name of "" stands for any name. If the
// token is not valid, Has reports whether the name has a valid one.
func (t *Tokens) Valid(ctx context.Context, role, name, token string) (bool, error) {
	hash := hashToken(token)
	return t.some(ctx, func(v *validToken) bool {
		return v.has(hash) && v.role == role && (name == "" || v.name == name)
	})
}

// Find returns the description of a token if the token was made for the bot or operator with that name and is
// not revoked. Otherwise ok is false.
func (t *Tokens) Find(ctx context.Context, role, name, token string) (found Token, ok bool, err error) {
	all, err := query(ctx, t.read, scanToken, selectAll+`WHERE hash = ? AND role = ? AND name = ? AND revoked IS NULL`, hashToken(token), role, name)
	if err != nil || len(all) == 0 {
		return found, false, wrap(err, "looking up a token of %s %q", role, name)
	}
	return all[0], true, nil
}

const selectAll = `SELECT role, name, created, revoked IS NOT NULL, coalesce(invitation, 0) FROM tokens `

func scanToken(row *sql.Rows) (t Token, err error) {
	err = row.Scan(&t.Role, &t.Name, asText{&t.Created}, &t.Revoked, &t.Invitation)
	return t, err
}

// All returns all tokens, sorted by role and name.
func (t *Tokens) All(ctx context.Context) ([]Token, error) {
	tokens, err := query(ctx, t.read, scanToken, selectAll+`ORDER BY role, name, id`)
	return tokens, wrap(err, "listing tokens")
}

// Owners returns the names of bots that have a token that is not revoked, each once.
func (t *Tokens) Owners(ctx context.Context) ([]string, error) {
	names, err := query(ctx, t.read, scanOne[string], `SELECT DISTINCT name FROM tokens WHERE role = 'bot' AND revoked IS NULL ORDER BY name`)
	return names, wrap(err, "listing the names with tokens")
}

// Revoke revokes all valid tokens of a name and returns their number.
func (t *Tokens) Revoke(ctx context.Context, role, name string) (int64, error) {
	done, err := t.execute(ctx, revokeName, formatTime(time.Now()), role, name)
	if err != nil {
		return 0, fmt.Errorf("revoking the tokens of %s %q: %w", role, name, err)
	}
	return done.RowsAffected()
}

// Invitation lets bots register names, each with a token that the bot has made itself. The code of the invitation is
// not among its fields.
type Invitation struct {
	ID      int64     `json:"id"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	Names   int       `json:"names"` // the number of names that bots may register with it
	Taken   int       `json:"taken"` // the number of names that bots have registered with it
	Revoked bool      `json:"revoked"`
}

// Fault returns the reason why no bot can register a name with the invitation any more, "" if one can.
func (i Invitation) Fault() string {
	switch {
	case i.Revoked:
		return "it was revoked"
	case !time.Now().Before(i.Expires):
		return "it has expired"
	case i.Taken >= i.Names:
		return "all its names are taken"
	}
	return ""
}

// selectInvitations selects the columns that scanInvitation reads.
const selectInvitations = `SELECT id, created, expires, names, (SELECT count(*) FROM tokens WHERE invitation = invitations.id), revoked IS NOT NULL
	FROM invitations `

func scanInvitation(row *sql.Rows) (i Invitation, err error) {
	err = row.Scan(&i.ID, asText{&i.Created}, asText{&i.Expires}, &i.Names, &i.Taken, &i.Revoked)
	return i, err
}

// Invite makes an invitation with a code for a number of names, and returns the invitation's number. The code is stored
// hashed.
func (t *Tokens) Invite(ctx context.Context, code string, names int, lifetime time.Duration) (int64, error) {
	now := time.Now()
	done, err := t.execute(ctx, `INSERT INTO invitations (hash, created, expires, names) VALUES (?, ?, ?, ?)`,
		hashToken(code), formatTime(now), formatTime(now.Add(lifetime)), names)
	if err != nil {
		return 0, fmt.Errorf("making an invitation: %w", err)
	}
	return done.LastInsertId()
}

// Invitations returns all invitations, the oldest first.
func (t *Tokens) Invitations(ctx context.Context) ([]Invitation, error) {
	all, err := query(ctx, t.read, scanInvitation, selectInvitations+`ORDER BY id`)
	return all, wrap(err, "listing the invitations")
}

// Invitation returns the number of the invitation with a code, 0 if there is none. fault is the reason why the
// invitation is not valid, "" if it is valid.
func (t *Tokens) Invitation(ctx context.Context, code string) (id int64, fault string, err error) {
	found, err := query(ctx, t.read, scanInvitation, selectInvitations+`WHERE hash = ?`, hashToken(code))
	if err != nil || len(found) == 0 {
		return 0, "there is none with this code", wrap(err, "looking up an invitation")
	}
	return found[0].ID, found[0].Fault(), nil
}

// RevokeInvitation revokes an invitation. It returns false if there is no invitation with that number, or if it was
// revoked before. The names that bots have registered with it stay theirs.
func (t *Tokens) RevokeInvitation(ctx context.Context, id int64) (bool, error) {
	done, err := t.execute(ctx, `UPDATE invitations SET revoked = ? WHERE id = ? AND revoked IS NULL`, formatTime(time.Now()), id)
	if err != nil {
		return false, fmt.Errorf("revoking invitation %d: %w", id, err)
	}
	return affected(done, nil)
}

// Register gives a name to the bot that has made the token. invitation is the number of the bot's invitation, or 0 for
// none. Register does nothing and returns false if the name is not free: a token was made for it before, even one that
// is revoked, or a bot of that name has played. It also returns false if the token was used before, or if the
// invitation is not valid any more.
func (t *Tokens) Register(ctx context.Context, name, token string, invitation int64) (bool, error) {
	// As texts, the times of the invitation would be out of order: they have different numbers of decimals.
	done, err := t.execute(ctx, `INSERT INTO tokens (role, name, hash, created, invitation)
		SELECT 'bot', ?1, ?2, ?3, nullif(?4, 0)
		WHERE NOT EXISTS (SELECT 1 FROM tokens WHERE role = 'bot' AND name = ?1 OR hash = ?2)
		AND NOT EXISTS (SELECT 1 FROM bots WHERE name = ?1)
		AND (?4 = 0 OR EXISTS (SELECT 1 FROM invitations WHERE id = ?4 AND revoked IS NULL AND julianday(expires) > julianday(?3)
			AND names > (SELECT count(*) FROM tokens WHERE invitation = ?4)))`,
		name, hashToken(token), formatTime(time.Now()), invitation)
	if err != nil {
		return false, fmt.Errorf("registering the name %q: %w", name, err)
	}
	return affected(done, nil)
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
		err = row.Scan(&t.role, &t.name, &t.hash)
		return t, err
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
