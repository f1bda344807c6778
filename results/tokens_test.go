package results

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
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
