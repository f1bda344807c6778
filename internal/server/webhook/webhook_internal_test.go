package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"versus2048/internal/testkit"
)

// receiver is a server that answers as a test wants, and keeps the requests.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	heads  []http.Header
	came   chan string // each body
}

// receive starts a receiver. answer gets the number of the request, from 1.
func receive(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request)) *receiver {
	t.Helper()
	got := &receiver{came: make(chan string, 1000)}
	got.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got.mu.Lock()
		got.bodies, got.heads = append(got.bodies, string(body)), append(got.heads, r.Header.Clone())
		n := len(got.bodies)
		got.mu.Unlock()
		answer(n, w, r)
		got.came <- string(body)
	}))
	t.Cleanup(got.Close)
	return got
}

// told returns the bodies and the headers of the requests so far.
func (r *receiver) told() ([]string, []http.Header) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.bodies), slices.Clone(r.heads)
}

func status(code int) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// started starts hooks with short pauses for addresses, and returns a function that ends them.
func started(t *testing.T, secret Secret, addresses ...string) (h *Hooks, log *testkit.Transcript, end func()) {
	t.Helper()
	c, log := Config{Secret: secret}, &testkit.Transcript{}
	for _, address := range addresses {
		target, err := ParseTarget(address)
		if err != nil {
			t.Fatal(err)
		}
		c.Targets = append(c.Targets, target)
	}
	c.Log = slog.New(slog.NewTextHandler(log, nil))
	h = New(c)
	h.firstPause = time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); h.Run(ctx) }()
	end = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(end)
	return h, log, end
}

func notice(n int) Notice {
	return Notice{Type: "event_finished", Time: time.Unix(1.8e9, 0).UTC(), Text: fmt.Sprintf("notice %d", n)}
}

func TestDelivery(t *testing.T) {
	got := receive(t, status(204))
	h, log, end := started(t, nil, got.URL+"/hook?key=open-sesame")
	for n := range 20 {
		h.Send(notice(n))
	}
	end()
	bodies, heads := got.told()
	if len(bodies) != 20 {
		t.Fatalf("%d notices arrived, want 20", len(bodies))
	}
	for n, body := range bodies {
		if want := fmt.Sprintf(`{"type":"event_finished","timestamp":"2027-01-15T08:00:00Z","text":"notice %d"}`, n); body != want {
			t.Errorf("%s, want %s", body, want)
		}
	}
	if heads[0].Get("Content-Type") != "application/json" || heads[0].Get("webhook-id") == heads[1].Get("webhook-id") || heads[0].Get("webhook-signature") != "" {
		t.Errorf("headers %v", heads[0])
	}
	if log.String() != "" {
		t.Error(log)
	}
}

// An address that fails is tried again with the same id, and later notices wait for their turn.
func TestRetries(t *testing.T) {
	got := receive(t, func(n int, w http.ResponseWriter, r *http.Request) {
		switch n {
		case 1:
			w.WriteHeader(500)
		case 2:
			panic(http.ErrAbortHandler) // hangs up
		case 3:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(429)
		}
	})
	h, log, end := started(t, nil, got.URL)
	h.Send(notice(1))
	h.Send(notice(2))
	for arrived := 0; arrived < 4; arrived++ { // the one that is hung up on is not counted
		<-got.came
	}
	end()
	bodies, heads := got.told()
	var texts []string
	for _, body := range bodies {
		texts = append(texts, body[strings.Index(body, "notice"):len(body)-2])
	}
	if want := "notice 1, notice 1, notice 1, notice 1, notice 2"; strings.Join(texts, ", ") != want {
		t.Errorf("%q, want %s", texts, want)
	}
	if heads[0].Get("webhook-id") != heads[3].Get("webhook-id") {
		t.Error("a notice that is sent again has another id")
	}
	if text := log.String(); strings.Count(text, "does not take a notice") != 1 || strings.Count(text, "takes notices again") != 1 || len(h.Failing()) != 0 {
		t.Errorf("failing %v, log:\n%s", h.Failing(), text)
	}
}

// A notice that an address rejects is lost and counted; a redirect is not followed.
func TestRefusals(t *testing.T) {
	other := receive(t, status(200))
	for code, why := range map[int]string{301: "leads to another address", 307: "leads to another address", 400: "400 Bad Request", 404: "404", 410: "410"} {
		got := receive(t, func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				w.Header().Set("Location", other.URL)
				w.WriteHeader(code)
			}
		})
		h, log, end := started(t, nil, got.URL)
		h.Send(notice(1))
		<-got.came
		h.Send(notice(2))
		<-got.came
		end()
		if bodies, _ := got.told(); len(bodies) != 2 || !strings.Contains(bodies[1], `"missed":1`) || !strings.Contains(log.String(), why) {
			t.Errorf("status %d: the bodies %q, log:\n%s", code, bodies, log)
		}
	}
	if bodies, _ := other.told(); len(bodies) > 0 {
		t.Errorf("a redirect was followed: %q", bodies)
	}
}

// An address that does not answer delays neither the sender nor other addresses.
func TestSilence(t *testing.T) {
	release := make(chan struct{})
	silent := receive(t, func(int, http.ResponseWriter, *http.Request) { <-release })
	open := receive(t, status(200))
	h, _, end := started(t, nil, silent.URL, open.URL)
	for n := range 10 {
		h.Send(notice(n))
	}
	for range 10 {
		<-open.came
	}
	if n := h.queues[0].left(); n != 10 {
		t.Errorf("%d notices wait for the silent address, want 10", n)
	}
	close(release)
	end()
	if bodies, _ := silent.told(); len(bodies) != 10 {
		t.Errorf("the silent address has got %d notices in the end, want 10", len(bodies))
	}
}

// Beyond a bound notices are lost, and counted.
func TestLongQueue(t *testing.T) {
	got := receive(t, status(200))
	h, _, end := started(t, nil)
	end()
	target, err := ParseTarget(got.URL)
	if err != nil {
		t.Fatal(err)
	}
	q := newQueue(target)
	h.queues = []*queue{q}
	for n := range longestQueue + 7 {
		h.Send(notice(n))
	}
	if q.left() != longestQueue || q.missed != 7 {
		t.Errorf("%d notices wait and %d are lost, want %d and 7", q.left(), q.missed, longestQueue)
	}
	for range 2 {
		h.deliverNext(t.Context(), t.Context(), q, patience)
	}
	if bodies, _ := got.told(); len(bodies) != 2 || !strings.Contains(bodies[0], `"missed":7`) || strings.Contains(bodies[1], "missed") {
		t.Errorf("%q", bodies)
	}
}

// The end waits for an address that does not answer for a while only.
func TestEndIsNotHeldUp(t *testing.T) {
	got := receive(t, func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	h, log, end := started(t, nil)
	end()
	target, err := ParseTarget(got.URL)
	if err != nil {
		t.Fatal(err)
	}
	q := newQueue(target)
	h.queues = []*queue{q}
	h.Send(notice(1))
	ctx, cancel := context.WithCancel(t.Context())
	last, hangUp := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer hangUp()
	cancel()
	h.deliverAll(ctx, last, q)
	if !strings.Contains(log.String(), "before the arena ended") {
		t.Error(log)
	}
}

// An answer that does not come in time is a failure.
func TestSlowAnswer(t *testing.T) {
	got := receive(t, func(n int, _ http.ResponseWriter, r *http.Request) {
		if n == 1 {
			<-r.Context().Done()
		}
	})
	h, log, end := started(t, nil)
	end()
	target, err := ParseTarget(got.URL)
	if err != nil {
		t.Fatal(err)
	}
	h.client.Timeout, h.queues = 50*time.Millisecond, []*queue{newQueue(target)}
	h.Send(notice(1))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	delivered := h.deliverNext(ctx, ctx, h.queues[0], patience)
	if bodies, _ := got.told(); !delivered || len(bodies) < 2 || !strings.Contains(log.String(), "Timeout") {
		t.Errorf("%d requests, log:\n%s", len(bodies), log)
	}
}

// No notice and no log has the secret parts of an address.
func TestAddressesStaySecret(t *testing.T) {
	const address = "slack=http://me:sesame@127.0.0.1:1/services/T0/B0/sesame?token=sesame" // where nothing listens
	h, log, end := started(t, nil, address)
	h.Send(notice(1))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for len(h.Failing()) == 0 && ctx.Err() == nil {
		<-time.After(time.Millisecond)
	}
	failing := h.Failing()
	failed := h.Ping(t.Context(), notice(2))
	end()
	target, err := ParseTarget("discord=https://me:sesame@example.org/" + "sesame")
	_, wrong := ParseTarget("ftp://me:sesame@example.org/sesame%")
	shown := fmt.Sprint(failing, failed, target, err, wrong, log)
	if strings.Contains(shown, "sesame") || !strings.Contains(shown, "http://127.0.0.1") || wrong == nil || !strings.Contains(shown, "connection refused") {
		t.Errorf("shown: %s", shown)
	}
}

// Two chats of one service differ only in their secrets, and still have different texts.
func TestChatsOfOneService(t *testing.T) {
	var config Config
	for _, address := range []string{"slack=https://chat.example.org/sesame", "slack=https://chat.example.org/open", "https://chat.example.org"} {
		target, err := ParseTarget(address)
		if err != nil {
			t.Fatal(err)
		}
		config.Targets = append(config.Targets, target)
	}
	var shown []string
	for _, q := range New(config).queues {
		shown = append(shown, q.target.String())
	}
	if want := []string{"https://chat.example.org/...", "https://chat.example.org/... (number 2)", "https://chat.example.org"}; !slices.Equal(shown, want) {
		t.Errorf("they are shown as %q, want %q", shown, want)
	}
}

// An answer without an end is not read to its end.
func TestEndlessAnswer(t *testing.T) {
	got := receive(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		for err := error(nil); err == nil; {
			_, err = w.Write(make([]byte, 4<<10))
		}
	})
	h, log, end := started(t, nil, got.URL)
	h.Send(notice(1))
	<-got.came // the arena has hung up
	end()
	if bodies, _ := got.told(); len(bodies) != 1 || log.String() != "" {
		t.Errorf("%d requests, log:\n%s", len(bodies), log)
	}
}

func TestParseTarget(t *testing.T) {
	for text, want := range map[string]string{
		"https://example.org":                    "https://example.org",
		"http://127.0.0.1:8080/x":                "http://127.0.0.1:8080/...",
		"slack=https://hooks.slack.com/services": "https://hooks.slack.com/...",
		"discord=https://discord.com/api?x":      "https://discord.com/...",
		"teams=https://example.org":              "", "example.org/hook": "", "file:///etc/passwd": "", "https://": "", "https:///x": "",
		"https://example.org/#x": "", "": "", "slack=": "", "slack=discord=https://example.org": "",
	} {
		target, err := ParseTarget(text)
		if (err != nil) != (want == "") || err == nil && target.String() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The known signature of the libraries for the Standard Webhooks
// (https://github.com/standard-webhooks/standard-webhooks, as all of them test it).
func TestSignature(t *testing.T) {
	secret, err := ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	secret.sign(header, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if got, want := header.Get("webhook-signature"), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want || header.Get("webhook-timestamp") != "1614265330" {
		t.Errorf("signature %s, want %s", got, want)
	}
	if shown := fmt.Sprintf("%v %s", secret, secret); strings.Contains(shown, "Mf") || secret.Text() != "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" {
		t.Error(shown)
	}
	for _, wrong := range []string{"", "sesame", "whsec_", "whsec_sesame!", "whsec_c2VzYW1l"} {
		if _, err := ParseSecret(wrong); err == nil || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// The texts for chats mention nobody.
func TestChats(t *testing.T) {
	n := Notice{Text: "bot \"<!channel> & @all\" <https://evil.example.org|win>", Arena: "https://arena.example.org"}
	slack, err := Slack.body(n)
	if err != nil {
		t.Fatal(err)
	}
	var text struct{ Text string }
	if err := json.Unmarshal(slack, &text); err != nil || text.Text != "bot \"&lt;!channel&gt; &amp; @\u200ball\" &lt;https://evil.example.org|win&gt;\nhttps://arena.example.org" {
		t.Errorf("%v: %q", err, text.Text)
	}
	n.Text = strings.Repeat("ä", 3000)
	discord, err := Discord.body(n)
	if err != nil {
		t.Fatal(err)
	}
	var content struct {
		Content  string
		Mentions struct{ Parse []string } `json:"allowed_mentions"`
	}
	if err := json.Unmarshal(discord, &content); err != nil || len([]rune(content.Content)) != longestChat || content.Mentions.Parse == nil {
		t.Errorf("%v: %d characters, %s", err, len([]rune(content.Content)), discord[len(discord)-60:])
	}
}

func TestNoHooks(t *testing.T) {
	var none *Hooks
	none.Send(notice(1))
	none.Run(t.Context())
	if none.Failing() != nil {
		t.Error("nobody fails")
	}
	if err := judge(&http.Response{StatusCode: 200}); err != nil {
		t.Error(err)
	}
	if judge(&http.Response{StatusCode: 500}) == nil {
		t.Error("the status 500 is no failure")
	}
}
