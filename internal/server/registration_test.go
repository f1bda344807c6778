package server_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/roster"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/tournament"
)

// registering runs an arena that registers names, and returns its database and its client.
func registering(t *testing.T, mode gate.Registration) (*results.Store, *server.Client) {
	t.Helper()
	store := newDatabase(t)
	return store, serve(t, store, func(config *server.Config) {
		config.Registration, config.Register = mode, store.Tokens()
		config.Programs = roster.Commands{"prog": {"true"}}
		config.BehindProxy = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	})
}

// invite makes an invitation and returns its code.
func invite(t *testing.T, store *results.Store, names int, lifetime time.Duration) string {
	t.Helper()
	code := protocol.NewCode()
	if _, err := store.Tokens().Invite(t.Context(), code, names, lifetime); err != nil {
		t.Fatal(err)
	}
	return code
}

// elsewhere is the header of a request from another machine.
func elsewhere(address string) http.Header { return http.Header{"X-Forwarded-For": {address}} }

// greeted says hello as a bot, leaves at once, and returns the kind of the answer: "registered", "welcome", or the code
// of the refusal.
func greeted(t *testing.T, c *server.Client, name, token string, header http.Header) (answer, message string) {
	t.Helper()
	ws, first := hello(t, c, name, token, header)
	ws.Close()
	message, _ = first["message"].(string)
	switch code, refused := first["code"].(string); {
	case refused:
		return code, message
	case first["registered"] == true:
		return "registered", ""
	}
	return "welcome", ""
}

// A bot takes a free name with an invitation and a secret of its own. From then on the name needs exactly that token,
// and the same hello is welcome again.
func TestInvitedBotOwnsItsName(t *testing.T) {
	store, c := registering(t, gate.RegistrationByInvitation)
	code := invite(t, store, 3, time.Hour)
	const away = "203.0.113.9"
	ann := strings.ToLower(code) + "-a secret of ann's own"
	for i, step := range []struct{ name, token, want, says string }{
		{"ann", ann, "registered", ""},
		{"ann", ann, "welcome", ""},
		{"ann", code + "-a secret of somebody else", "bad_token", "the name is taken"},
		{"ann", "", "token_required", "ask the arena's host for an invitation"},
		{"bob", ann, "bad_token", "the name is taken"}, // a token is of one name
		{"Ann", code + "-a secret of somebody else", "name_alike", `looks like "ann"`},
		{"bob", code + "-short", "bad_token", "at least 20 characters"},
		{"bob", code, "bad_token", "to register a free name, ask the arena's host"},
		{"bob", "ABCDEFGHIJKL-a secret of bob's own", "bad_token", "there is none with this code"},
		{"guest bob", code + "-a secret of bob's own", "bad_hello", "are for people"},
		{"prog", code + "-a secret of bob's own", "bad_hello", "a program of the arena's host"},
		{"mcts:playouts=7", code + "-a secret of bob's own", "bad_hello", "is a spec"},
		{"bob", code + "-a secret of bob's own", "registered", ""},
		{"cat", code + "-a secret of cat's own", "registered", ""},
		{"dan", code + "-a secret of dan's own", "bad_token", "all its names are taken"},
		{"cat", code + "-a secret of cat's own", "welcome", ""},
	} {
		awaitBots(t, c) // until the bot of an earlier step is gone
		if got, message := greeted(t, c, step.name, step.token, elsewhere(away)); got != step.want || !strings.Contains(message, step.says) {
			t.Errorf("step %d, %q with %q: %s, %q; want %s, %q", i, step.name, step.token, got, message, step.want, step.says)
		}
	}
	all, err := store.Tokens().All(t.Context())
	if err != nil || len(all) != 3 || all[0].Name != "ann" || all[0].Invitation != 1 {
		t.Errorf("the tokens are %+v, error %v", all, err)
	}
}

// A name is not given away if its bot is connected without a token, has played, or had a token that was revoked. An
// invitation that has expired or was revoked gives nothing.
func TestNamesThatAreNotFree(t *testing.T) {
	store, c := registering(t, gate.RegistrationByInvitation)
	code := invite(t, store, 10, time.Hour)
	if first, _ := greeted(t, c, "kicked", code+"-a secret of a bad bot", nil); first != "registered" {
		t.Fatalf("the answer is %s", first)
	}
	if _, err := store.Tokens().Revoke(t.Context(), "bot", "kicked"); err != nil {
		t.Fatal(err)
	}
	hello(t, c, "here", "", nil) // on this machine, without a token
	id, err := c.Start(t.Context(), tournament.Event{
		Bots: []string{"strong=greedy", "random"}, Size: local(1).Size, Matches: 1, Concurrency: 1, InProcess: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	ended(t, c, id)
	expired := invite(t, store, 10, -time.Second)
	revoked := invite(t, store, 10, time.Hour)
	if done, err := store.Tokens().RevokeInvitation(t.Context(), 3); err != nil || !done {
		t.Fatalf("revoking the invitation: %v, error %v", done, err)
	}
	for _, step := range []struct{ name, code, want, says string }{
		{"kicked", code, "bad_token", "the name is taken"},
		{"other", code, "bad_token", "the name is taken"}, // with the secret of the bad bot, below
		{"here", code, "name_in_use", "connected already"},
		{"hеre", code, "name_alike", `looks like "here"`}, // with a Cyrillic letter
		{"strong", code, "bad_token", "has played here"},
		{"eve", expired, "bad_token", "it has expired"},
		{"eve", revoked, "bad_token", "it was revoked"},
		{"eve", code, "registered", ""},
	} {
		secret := "-another secret of " + step.name
		if step.name == "other" {
			secret = "-a secret of a bad bot"
		}
		if got, message := greeted(t, c, step.name, step.code+secret, elsewhere("203.0.113.9")); got != step.want || !strings.Contains(message, step.says) {
			t.Errorf("%q: %s, %q; want %s, %q", step.name, got, message, step.want, step.says)
		}
	}
}

// An open arena gives a free name to whoever comes with a secret. A closed one gives none, and says nothing of names.
func TestOpenAndClosedRegistration(t *testing.T) {
	_, c := registering(t, gate.RegistrationOpen)
	for _, step := range []struct{ name, token, want string }{
		{"ann", "a secret of ann's own", "registered"},
		{"bob", "short", "bad_token"},
		{"bob", "", "token_required"},
	} {
		if got, message := greeted(t, c, step.name, step.token, elsewhere("203.0.113.9")); got != step.want {
			t.Errorf("open, %q: %s, %q; want %s", step.name, got, message, step.want)
		}
	}
	store, c := registering(t, gate.RegistrationClosed)
	if got, message := greeted(t, c, "ann", invite(t, store, 1, time.Hour)+"-a secret of ann's own", nil); got != "bad_token" || strings.Contains(message, "invit") {
		t.Errorf("closed: %s, %q", got, message)
	}
}

// Whoever tries many codes waits, and nobody else does.
func TestManyCodesAreSlow(t *testing.T) {
	store, c := registering(t, gate.RegistrationByInvitation)
	busy, began := 0, time.Now()
	for i := range 35 {
		answer, _ := greeted(t, c, "eve", fmt.Sprintf("ABCDEFGH2345-a guess at a secret, %d", i), elsewhere("203.0.113.9"))
		if answer == "busy" {
			busy++
		}
	}
	if more := int(time.Since(began) / (10 * time.Second)); busy < 4-more || busy > 5 { // one more every ten seconds
		t.Errorf("%d of 35 guesses were too many, want 5", busy)
	}
	if answer, message := greeted(t, c, "ann", invite(t, store, 1, time.Hour)+"-a secret of ann's own", elsewhere("198.51.100.1")); answer != "registered" {
		t.Errorf("from another address: %s, %q", answer, message)
	}
}
