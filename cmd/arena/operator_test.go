package main

import (
	"errors"
	"io/fs"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/results"
)

// startEventFlags start an event of two bots, both processes of the arena.
func startEventFlags(server string) []string {
	return []string{"event", "run", "--server", server, "--bot", "random", "--bot", "greedy", "--matches", "1", "--size", "2x2", "--quiet"}
}

// The user who started the arena can operate it by commands without any option, from any folder.
func TestOperatorProvesItselfByFile(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	secretFile := h.db + ".operator"
	for _, server := range []string{h.client.URL, strings.Replace(h.client.URL, "127.0.0.1", "localhost", 1)} {
		if _, stderr, code := run(t, "arena", startEventFlags(server)...); code != 0 {
			t.Errorf("%s: exit code %d: %s", server, code, stderr)
		}
	}
	secret, err := os.ReadFile(secretFile)
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func() error{
		"no such file":          func() error { return os.Remove(secretFile) },
		"can be read by others": func() error { return errors.Join(replaced(secretFile, string(secret)), os.Chmod(secretFile, 0o644)) },
		"is of an arena at":     func() error { return replaced(secretFile, `{"address":"127.0.0.1:1","secret":"x"}`) },
		"the token is not an op": func() error {
			return replaced(secretFile, strings.Replace(string(secret), `"secret":"`, `"secret":"X`, 1))
		},
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := run(t, "arena", startEventFlags(h.client.URL)...)
		if code != 1 || !strings.Contains(stderr, want) || !strings.Contains(stderr, "operator") {
			t.Errorf("exit code %d, want %q: %s%s", code, want, stdout, stderr)
		}
		// Looking needs no proof.
		if _, stderr, code := run(t, "arena", "bots", "--server", h.client.URL); code != 0 {
			t.Errorf("arena bots exits with %d: %s", code, stderr)
		}
	}
	made, _, _ := run(t, "arena", "token", "new", "--operator", "olga", "--db", h.db)
	if _, stderr, code := run(t, "arena", append(startEventFlags(h.client.URL), "--token", strings.TrimSpace(made))...); code != 0 {
		t.Errorf("with a token: exit code %d: %s", code, stderr)
	}
	if err := replaced(secretFile, string(secret)); err != nil {
		t.Fatal(err)
	}
	h.server.Interrupt(t)
	if err := h.server.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(secretFile); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the secret outlives the arena: %v", err)
	}
}

// replaced puts a file in the place of another, as its owner would.
func replaced(path, text string) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// A client that has read the file of an arena reads the file of the next arena on the same address.
func TestOperatorSurvivesRestartOfArena(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for range 2 {
		h.serve(t)
		if _, err := h.client.Start(t.Context(), formatSetup("round-robin")); err != nil {
			t.Fatal(err)
		}
		h.server.Kill()
	}
}

// A stock reverse proxy on the arena's machine, which rewrites the host and adds no header, makes
// nobody an operator: a stranger starts no process.
func TestStrangerBehindProxyStartsNoProcess(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{nil, {"--require-tokens"}, {"--behind-proxy", "127.0.0.1", "--behind-proxy", "10.0.0.0/8"}} {
		h := newHost(t)
		h.serve(t, flags...)
		target, err := url.Parse(h.client.URL)
		if err != nil {
			t.Fatal(err)
		}
		proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }})
		t.Cleanup(proxy.Close)
		stranger := &server.Client{URL: proxy.URL}
		if event, err := stranger.Start(t.Context(), formatSetup("round-robin")); err == nil {
			t.Errorf("%v: a stranger has started event %d", flags, event)
		}
		// The proxy's port is not the arena's, so not even the user's own command is an operator through it.
		if _, stderr, code := run(t, "arena", startEventFlags(proxy.URL)...); code != 1 || !strings.Contains(stderr, "is of an arena at "+h.Address) {
			t.Errorf("%v: exit code %d: %s", flags, code, stderr)
		}
		if events, err := h.client.Events(t.Context()); err != nil || len(events) != 0 {
			t.Errorf("%v: events %+v, error %v", flags, events, err)
		}
	}
}

func TestLogHasAddressBehindProxy(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t, "--behind-proxy", "127.0.0.0/8")
	target, err := url.Parse(h.client.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Header.Set("X-Forwarded-For", "127.0.0.1, 203.0.113.9")
	}})
	t.Cleanup(proxy.Close)
	_, stderr, code := run(t, "bot", "run", "random", "--name", "ann", "--url", "ws"+strings.TrimPrefix(proxy.URL, "http")+"/bot", "--reconnect", "0s")
	if code != 3 || !strings.Contains(stderr, "token_required") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	h.server.AwaitOutput(t, "203.0.113.9 through 127.0.0.1:")
}

func TestOperatorFileIsWrittenBesideDatabase(t *testing.T) {
	t.Parallel()
	if _, stderr, code := run(t, "arena", "serve", "--behind-proxy", "everybody"); code != 2 || !strings.Contains(stderr, "want a network such as") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	h := newHost(t)
	if err := os.MkdirAll(filepath.Join(h.db+".operator", "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.serve(t)
	h.server.AwaitOutput(t, "commands on this machine need an operator's token")
	if _, stderr, code := run(t, "arena", startEventFlags(h.client.URL)...); code != 1 || !strings.Contains(stderr, "arena token new --operator") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestTokensAreForNamesThatCanBeUsed(t *testing.T) {
	t.Parallel()
	inDatabase := []string{"--db", t.TempDir() + "/arena.db"}
	store, err := results.Open(t.Context(), inDatabase[1])
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	arenaCommand(t, "", append([]string{"token", "new", "carol"}, inDatabase...)...)
	arenaCommand(t, "", append([]string{"token", "new", "carol"}, inDatabase...)...) // a second one
	for name, want := range map[string]string{"caroI": `looks like "carol"`, "Carol": `looks like "carol"`, "random": "is a spec", "a\u200bb": "U+200B"} {
		if stdout, stderr, code := run(t, "arena", append([]string{"token", "new", name}, inDatabase...)...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d, want %q: %s%s", name, code, want, stdout, stderr)
		}
	}
	arenaCommand(t, "", append([]string{"token", "new", "--operator", "random"}, inDatabase...)...)
	arenaCommand(t, "", append([]string{"token", "revoke", "carol"}, inDatabase...)...)
	arenaCommand(t, "", append([]string{"token", "new", "Carol"}, inDatabase...)...)
}

// "arena token revoke" is another process than the arena.
func TestRevokedBotHasToLeave(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t, "--require-tokens")
	made, _, _ := run(t, "arena", "token", "new", "ann", "--db", h.db)
	bot := h.bot(t, "ann", "random", "--token", strings.TrimSpace(made))
	h.await(t, 1)
	revoked := time.Now()
	arenaCommand(t, "1 revoked", "token", "revoke", "ann", "--db", h.db)
	if err := bot.Wait(); err != nil {
		t.Errorf("the bot ends with %v: %s", err, bot.Output.String())
	}
	h.await(t, 0)
	t.Logf("it had to leave after %v", time.Since(revoked).Round(time.Millisecond))
	h.server.AwaitOutput(t, "token revoked")
}
