package results

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTokens(t *testing.T) {
	s := openNew(t)
	made := map[string]string{}
	for _, owner := range []struct{ role, name string }{{"bot", "ann"}, {"bot", "bob"}, {"operator", "ann"}} {
		token, err := s.Tokens().Make(t.Context(), owner.role, owner.name)
		if err != nil {
			t.Fatal(err)
		}
		made[owner.role+" "+owner.name] = token
	}
	if n, err := s.Tokens().Revoke(t.Context(), "bot", "bob"); err != nil || n != 1 {
		t.Errorf("revoked %d, error %v: want 1", n, err)
	}
	if n, err := s.Tokens().Revoke(t.Context(), "bot", "bob"); err != nil || n != 0 {
		t.Errorf("revoked %d again, error %v: want 0", n, err)
	}
	for _, test := range []struct {
		role, name, token string
		has, valid        bool
	}{
		{"bot", "ann", made["bot ann"], true, true},
		{"bot", "", made["bot ann"], false, true},
		{"bot", "ann", made["operator ann"], true, false},
		{"bot", "ann", "", true, false},
		{"bot", "ann", made["bot ann"] + "A", true, false},
		{"bot", "bob", made["bot bob"], false, false},
		{"bot", "eve", made["bot ann"], false, false},
		{"operator", "", made["operator ann"], false, true},
		{"operator", "", made["bot ann"], false, false},
	} {
		if has, err := s.Tokens().Has(t.Context(), test.role, test.name); err != nil || has != test.has {
			t.Errorf("%s %q has a token: %v, error %v, want %v", test.role, test.name, has, err, test.has)
		}
		if valid, err := s.Tokens().Valid(t.Context(), test.role, test.name, test.token); err != nil || valid != test.valid {
			t.Errorf("token %q of %s %q is valid: %v, error %v, want %v", test.token, test.role, test.name, valid, err, test.valid)
		}
	}
	if owned, err := s.Tokens().Owners(t.Context()); err != nil || !slices.Equal(owned, []string{"ann"}) {
		t.Errorf("owned are %q, error %v", owned, err)
	}
	tokens, err := s.Tokens().All(t.Context())
	if err != nil || len(tokens) != 3 {
		t.Fatalf("tokens %+v, error %v: want 3", tokens, err)
	}
	for i, want := range []Token{{Role: "bot", Name: "ann"}, {Role: "bot", Name: "bob", Revoked: true}, {Role: "operator", Name: "ann"}} {
		want.Created = tokens[i].Created
		if tokens[i] != want || want.Created.IsZero() {
			t.Errorf("token %d: %+v, want %+v", i, tokens[i], want)
		}
	}
}

func TestInvalidTokenOwners(t *testing.T) {
	s := openNew(t)
	for _, owner := range []struct{ role, name string }{{"bot", ""}, {"king", "ann"}} {
		if token, err := s.Tokens().Make(t.Context(), owner.role, owner.name); err == nil {
			t.Errorf("%+v got the token %q", owner, token)
		}
	}
}

func TestTokensAreStoredHashed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	token, err := s.Tokens().Make(t.Context(), "bot", "ann")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(content, []byte(token)) {
		t.Error("the token itself is in the file")
	}
	if !bytes.Contains(content, hashToken(token)) {
		t.Error("its hash is not")
	}
}

// A name is registered once, by a valid invitation with names left, and not with a token that was used before.
func TestRegister(t *testing.T) {
	s := openNew(t)
	tokens := s.Tokens()
	if _, err := tokens.Make(t.Context(), "bot", "made"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.ExecContext(t.Context(), `INSERT INTO bots (name, version, author, spec) VALUES ('played', '', '', '')`); err != nil {
		t.Fatal(err)
	}
	two, err := tokens.Invite(t.Context(), "TWO", 2, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	past, err := tokens.Invite(t.Context(), "PAST", 2, -time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	now, err := tokens.Invite(t.Context(), "NOW", 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	// The time has no decimals: as a text it comes after all other times of its second.
	if _, err := s.write.ExecContext(t.Context(), `UPDATE invitations SET expires = ? WHERE id = ?`, formatTime(time.Now().Truncate(time.Second)), now); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name, token string
		invitation  int64
		want        bool
	}{
		{"made", "t0", two, false},
		{"played", "t0", two, false},
		{"ann", "t0", past, false},
		{"ann", "t0", now, false},
		{"ann", "t0", 77, false},
		{"ann", "t1", two, true},
		{"ann", "t2", two, false},
		{"bob", "t1", two, false},
		{"bob", "t2", two, true},
		{"cat", "t3", two, false}, // the invitation is for two
		{"cat", "t3", 0, true},
	} {
		if done, err := tokens.Register(t.Context(), step.name, step.token, step.invitation); err != nil || done != step.want {
			t.Errorf("%+v: %v, error %v", step, done, err)
		}
	}
	if valid, err := tokens.Valid(t.Context(), "bot", "ann", "t1"); err != nil || !valid {
		t.Errorf("the token of ann is valid: %v, error %v", valid, err)
	}
}

func TestInvitations(t *testing.T) {
	s := openNew(t)
	tokens := s.Tokens()
	for _, lifetime := range []time.Duration{time.Hour, -time.Hour, time.Hour} {
		if _, err := tokens.Invite(t.Context(), "CODE "+lifetime.String()+rand.Text(), 1, lifetime); err != nil {
			t.Fatal(err)
		}
	}
	id, err := tokens.Invite(t.Context(), "CODE", 1, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"", "all its names are taken", "it was revoked"} {
		if got, fault, err := tokens.Invitation(t.Context(), "CODE"); got != id || fault != want || err != nil {
			t.Errorf("the invitation is %d, %q, error %v; want %d, %q", got, fault, err, id, want)
		}
		if want == "" {
			if done, err := tokens.Register(t.Context(), "ann", "t", id); err != nil || !done {
				t.Errorf("registering: %v, error %v", done, err)
			}
			continue
		}
		if done, err := tokens.RevokeInvitation(t.Context(), id); err != nil || done == (want == "it was revoked") {
			t.Errorf("revoking after %q: %v, error %v", want, done, err)
		}
	}
	if got, fault, err := tokens.Invitation(t.Context(), "OTHER"); got != 0 || fault == "" || err != nil {
		t.Errorf("a wrong code: %d, %q, error %v", got, fault, err)
	}
	all, err := tokens.Invitations(t.Context())
	if err != nil || len(all) != 4 {
		t.Fatalf("the invitations are %+v, error %v", all, err)
	}
	if last := all[3]; last.Taken != 1 || last.Names != 1 || !last.Revoked || all[1].Fault() != "it has expired" {
		t.Errorf("the invitations are %+v", all)
	}
}

// A reset makes all earlier tokens of the name invalid, and only those.
func TestReset(t *testing.T) {
	tokens := openNew(t).Tokens()
	made := func(name string) string {
		token, err := tokens.Make(t.Context(), "bot", name)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	old, other := made("ann"), made("bob")
	var none *NoTokenError
	if _, err := tokens.Reset(t.Context(), "bot", "anne"); !errors.As(err, &none) || !strings.HasSuffix(err.Error(), `no token was ever made for the bot "anne": make one with: arena token new NAME`) {
		t.Errorf("a name without a token: %v", err)
	}
	renewed, err := tokens.Reset(t.Context(), "bot", "ann")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, token string
		want        bool
	}{{"ann", old, false}, {"ann", renewed, true}, {"bob", other, true}, {"bob", renewed, false}} {
		found, ok, err := tokens.Find(t.Context(), "bot", test.name, test.token)
		if err != nil || ok != test.want || ok && (found.Name != test.name || found.Created.IsZero()) {
			t.Errorf("%+v: found %+v, %v, error %v", test, found, ok, err)
		}
	}
}
