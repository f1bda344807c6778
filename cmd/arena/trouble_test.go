package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/trouble"
	"versus2048/internal/server/webhook"
	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/tournament"
)

// told is a notice that a webhook got.
type told struct {
	Type, Text string
	Data       struct {
		Kind  trouble.Kind
		State server.State
		Bot   string
		Why   trouble.Why
	}
}

// receiver is a webhook that checks the signatures of its notices.
type receiver struct {
	url  string
	came chan told
	kept []told // received, but not awaited yet
}

// newReceiver starts a webhook with the secret in the file.
func newReceiver(t *testing.T, secretFile string) *receiver {
	t.Helper()
	text, err := os.ReadFile(secretFile)
	if err != nil {
		t.Fatal(err)
	}
	key, err := webhook.ParseSecret(string(text))
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{came: make(chan told, 1000)}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		h, code := request.Header, hmac.New(sha256.New, key)
		code.Write([]byte(h.Get("webhook-id") + "." + h.Get("webhook-timestamp") + "." + string(body)))
		if want := "v1," + base64.StdEncoding.EncodeToString(code.Sum(nil)); h.Get("webhook-signature") != want {
			t.Errorf("signature %q, want %q", h.Get("webhook-signature"), want)
		}
		var n told
		if err := json.Unmarshal(body, &n); err != nil {
			t.Errorf("%v: %s", err, body)
		}
		r.came <- n
	}))
	t.Cleanup(server.Close)
	r.url = server.URL + "/hook?key=sesame"
	return r
}

// await waits for a notice of that type, about a trouble of that kind if it is not empty.
func (r *receiver) await(t *testing.T, kind string, about trouble.Kind) told {
	t.Helper()
	timeout := time.After(2 * time.Minute)
	for {
		if i := slices.IndexFunc(r.kept, func(n told) bool { return n.Type == kind && n.Data.Kind == about }); i >= 0 {
			n := r.kept[i]
			r.kept = slices.Delete(r.kept, i, i+1)
			return n
		}
		select {
		case n := <-r.came:
			r.kept = append(r.kept, n)
		case <-timeout:
			t.Fatalf("no notice %s %s", kind, about)
		}
	}
}

// A bot stalls its event until it answers; another bot fails in game after game, and is then excluded. The arena tells
// of each trouble, and of its end, to a webhook, in its log and by its status. All are real processes or sockets.
func TestTroubleIsTold(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if _, stderr, code := run(t, "arena", "webhook", "secret", secret); code != 0 {
		t.Fatal(stderr)
	}
	hook := newReceiver(t, secret)
	h.serve(t, "--webhook", hook.url, "--webhook-secret-file", secret, "--stalled-after", "30ms", "--faulty", "2/4", "--disk-free", "0B")
	hook.await(t, webhook.ArenaStarted, "")
	start := func(e tournament.Event) int64 {
		e.Size, e.Concurrency, e.InProcess = rules.Size{Width: 2, Height: 2}, 1, true
		event, err := h.client.Start(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		hook.await(t, webhook.EventStarted, "")
		return event
	}

	url := "ws://" + h.Address + "/bot"
	mute, answer := dial(t, url, "mute", ""), make(chan bool)
	go mute.from(2, func(b *rawBot, request map[string]any) {
		<-answer
		b.answer(request)
	})
	h.await(t, 1)
	start(tournament.Event{Bots: []string{"mute", "greedy"}, Matches: 1})
	for n := hook.await(t, webhook.TroubleRaised, trouble.EventStalled); !strings.Contains(n.Text, "no move has been played in game"); {
		n = hook.await(t, webhook.TroubleRaised, trouble.EventStalled) // the arena began the game slowly
	}
	stdout, stderr, code := run(t, "arena", "status", "--server", h.client.URL)
	if code != 1 || !strings.Contains(stdout, "TROUBLE event_stalled since") || !strings.Contains(stdout, "open for") {
		t.Errorf("arena status exits with %d, want 1: %s%s", code, stdout, stderr)
	}
	close(answer)
	hook.await(t, webhook.TroubleCleared, trouble.EventStalled)
	if n := hook.await(t, webhook.EventFinished, ""); n.Data.State != server.Finished {
		t.Errorf("notice %+v", n)
	}

	liar := dial(t, url, "liar", "")
	go liar.from(2, func(b *rawBot, request map[string]any) { with(b, request, "move", "up") })
	h.await(t, 2)
	faulty := tournament.Event{Bots: []string{"liar", "greedy"}, Matches: 100_000, Clock: tournament.Clock{PerMove: 10 * time.Second}}
	event := start(faulty)
	if n := hook.await(t, webhook.TroubleRaised, trouble.BotFaults); n.Data.Bot != "liar" {
		t.Errorf("notice %+v", n)
	}
	if err := h.client.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	hook.await(t, webhook.TroubleCleared, trouble.BotFaults)

	faulty.Settings.Strikes.Faults, faulty.Bots = 4, []string{"liar", "greedy", "slow=mcts:time=20"}
	event = start(faulty)
	if n := hook.await(t, webhook.BotLost, ""); n.Data.Bot != "liar" || n.Data.Why != trouble.Excluded {
		t.Errorf("notice %+v", n)
	}
	if err := h.client.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	h.server.Interrupt(t)
	hook.await(t, webhook.ArenaStopped, "")
	if err := h.server.Wait(); err != nil {
		t.Errorf("the arena ends with %v", err)
	}
	log := h.server.Output.String()
	if !strings.Contains(log, "msg=trouble kind=event_stalled") || !strings.Contains(log, `msg="trouble is over" kind=bot_faults`) || strings.Contains(log, "sesame") {
		t.Errorf("the log:\n%s", log)
	}
}

// Wrong flags for watching end the arena before it creates a database.
func TestWrongWatching(t *testing.T) {
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret")
	if err := os.WriteFile(secret, []byte("sesame"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, flags := range map[string][]string{
		"an address of a webhook is no URL": {"--webhook", "ftp://sesame.example.org"},
		"a secret begins with whsec_":       {"--webhook-secret-file", secret},
		"no such file":                      {"--webhook-secret-file", folder + "/none"},
		`--faulty "many": want K/N`:         {"--faulty", "many"},
		"9 faults in 3 games":               {"--faulty", "9/3"},
		"--disk-free":                       {"--disk-free", "much"},
		"an event stalls after 0s":          {"--stalled-after", "0s"},
		"a bot is missing after -1s":        {"--missing-after", "-1s"},
	} {
		db := filepath.Join(folder, "arena.db")
		_, stderr, code := run(t, "arena", append([]string{"serve", "--addr", "127.0.0.1:0", "--db", db}, flags...)...)
		if code == 0 || !strings.Contains(stderr, want) || strings.Contains(stderr, "sesame") {
			t.Errorf("%q: exit code %d: %s", flags, code, stderr)
		}
		if _, err := os.Stat(db); err == nil {
			t.Errorf("%q: there is a database", flags)
		}
	}
}
