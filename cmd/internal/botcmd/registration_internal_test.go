package botcmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"versus2048/protocol"
)

// visits is an arena in the eyes of a client. It answers one run after the other, and notes the tokens.
type visits struct {
	answers []error // nil for a welcome
	tokens  []string
}

func (v *visits) run(_ context.Context, c protocol.Client) error {
	v.tokens = append(v.tokens, c.Hello.Token)
	if len(v.tokens) > len(v.answers) {
		return fmt.Errorf("run %d: want %d runs", len(v.tokens), len(v.answers))
	}
	answer := v.answers[len(v.tokens)-1]
	if answer == nil && c.Admitted != nil {
		c.Admitted(true)
	}
	return answer
}

// newcomer returns a client of a user without files, and the files of its token.
func newcomer(t *testing.T) (protocol.Client, ownToken) {
	t.Helper()
	settings := t.TempDir()
	for _, variable := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} { // each system has its own
		t.Setenv(variable, settings)
	}
	client := protocol.Client{URL: "ws://arena/bot", Hello: protocol.Hello{Name: "ann"}, Log: slog.New(slog.DiscardHandler)}
	return client, findToken(client.URL, client.Hello.Name)
}

// The codes of two invitations.
const invitation, otherInvitation = "KQ7M2XWDPA5C", "ABCDEFGHIJKL"

// The ends of runs without a welcome.
var (
	errLost        = errors.New("the connection is lost")
	errWrong error = &protocol.RefusedError{Code: protocol.BadToken, Message: "the token is wrong"}
)

// wantFiles fails the test unless the files have these tokens, "" for no file.
func wantFiles(t *testing.T, files ownToken, kept, pending string) {
	t.Helper()
	if gotKept, gotPending := files.kept.read(), files.pending.read(); gotKept != kept || gotPending != pending {
		t.Errorf("the token %q is kept and %q pending, want %q and %q", gotKept, gotPending, kept, pending)
	}
}

// A token that may have registered the name is pending until a welcome comes, and the next run has it without the
// invitation.
func TestPendingToken(t *testing.T) {
	for name, why := range map[string]error{
		"lost welcome": errLost,
		"interrupted":  context.Canceled,
		"busy":         fmt.Errorf("not admitted within 1m0s: %w", &protocol.RefusedError{Code: protocol.Busy}),
		"name in use":  &protocol.RefusedError{Code: protocol.NameInUse},
		"name alike":   &protocol.RefusedError{Code: protocol.NameAlike},
	} {
		t.Run(name, func(t *testing.T) {
			client, files := newcomer(t)
			arena := &visits{answers: []error{why, why, nil, nil}}
			for i, code := range []string{invitation, "", "", invitation} {
				if err := registered(t.Context(), client, code, arena.run); !errors.Is(err, arena.answers[i]) {
					t.Errorf("run %d: error %v, want %v", i, err, arena.answers[i])
				}
				token := arena.tokens[0]
				if !strings.HasPrefix(token, invitation+"-") || arena.tokens[i] != token {
					t.Fatalf("run %d has the token %q, the first one %q", i, arena.tokens[i], token)
				}
				if i < 2 {
					wantFiles(t, files, "", token)
				} else {
					wantFiles(t, files, token, "")
				}
			}
		})
	}
}

// A new token is dropped if the arena says that it is wrong.
func TestWrongNewToken(t *testing.T) {
	client, files := newcomer(t)
	arena := &visits{answers: []error{errWrong}}
	if err := registered(t.Context(), client, invitation, arena.run); !errors.Is(err, errWrong) {
		t.Error(err)
	}
	wantFiles(t, files, "", "")
}

// A pending token is dropped if the arena says that it is wrong. The same run goes on without it: with an invitation,
// if there is one.
func TestWrongPendingToken(t *testing.T) {
	for _, code := range []string{"", otherInvitation} {
		client, files := newcomer(t)
		arena := &visits{answers: []error{errLost, errWrong, nil}}
		_ = registered(t.Context(), client, invitation, arena.run) // fails: the welcome is lost
		if err := registered(t.Context(), client, code, arena.run); err != nil || len(arena.tokens) != 3 {
			t.Fatalf("code %q: error %v after %d runs", code, err, len(arena.tokens))
		}
		last := arena.tokens[2]
		if !strings.HasPrefix(last, code) || (last == "") != (code == "") || arena.tokens[1] != arena.tokens[0] {
			t.Errorf("code %q: the tokens are %q", code, arena.tokens)
		}
		wantFiles(t, files, last, "")
	}
}

// The kept token of another arena at the same address stays until the arena welcomes the pending one.
func TestPendingTokenBesideKeptOne(t *testing.T) {
	client, files := newcomer(t)
	old := protocol.OwnToken(invitation)
	if err := files.kept.save(old); err != nil {
		t.Fatal(err)
	}
	arena := &visits{answers: []error{errWrong, errLost, errWrong, nil}}
	if err := registered(t.Context(), client, otherInvitation, arena.run); !errors.Is(err, errLost) {
		t.Fatal(err)
	}
	wantFiles(t, files, old, arena.tokens[1])
	if err := registered(t.Context(), client, "", arena.run); err != nil {
		t.Fatal(err)
	}
	if got := arena.tokens; got[0] != old || got[1] == old || got[2] != got[1] || got[3] != old {
		t.Errorf("the tokens are %q", got)
	}
	wantFiles(t, files, old, "")
}

// A token that the user gives replaces a pending one, once the arena has welcomed the bot with it.
func TestGivenTokenReplacesPendingOne(t *testing.T) {
	client, files := newcomer(t)
	arena := &visits{answers: []error{errLost, nil, nil}}
	_ = registered(t.Context(), client, invitation, arena.run) // fails: the welcome is lost
	given := client
	given.Hello.Token = "v2048_new"
	for _, c := range []protocol.Client{given, client} {
		if err := registered(t.Context(), c, "", arena.run); err != nil {
			t.Fatal(err)
		}
	}
	if arena.tokens[2] != given.Hello.Token {
		t.Errorf("the tokens are %q", arena.tokens)
	}
	wantFiles(t, files, given.Hello.Token, "")
}

// If a full disk has no room for a given token, the files of the name stay, and the log advises the user.
func TestGivenTokenIsNotKept(t *testing.T) {
	client, files := newcomer(t)
	var log strings.Builder
	client.Log = slog.New(slog.NewTextHandler(&log, nil))
	if err := errors.Join(files.pending.save("pending"), os.Mkdir(files.kept.path, 0o700)); err != nil {
		t.Fatal(err)
	}
	client.Hello.Token = "v2048_new"
	if err := registered(t.Context(), client, "", (&visits{answers: []error{nil}}).run); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, files, "", "pending")
	if !strings.Contains(log.String(), "give it again with --token") {
		t.Errorf("it logs %q", log.String())
	}
}

// A secret is replaced whole: a process that is killed meanwhile leaves the old one.
func TestSecretIsReplacedWhole(t *testing.T) {
	_, files := newcomer(t)
	if err := files.kept.save("old"); err != nil {
		t.Fatal(err)
	}
	before := secretFile{files.kept.path + ".link"}
	if err := errors.Join(os.Link(files.kept.path, before.path), files.kept.save("new")); err != nil {
		t.Fatal(err)
	}
	if old, kept := before.read(), files.kept.read(); old != "old" || kept != "new" {
		t.Errorf("the old file has %q, the new one %q", old, kept)
	}
}
