package webhook

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Config is the configuration of Hooks.
type Config struct {
	Targets []Target
	Secret  Secret // signs the requests; empty for none
	Agent   string // the name of the sender in requests, such as versus2048-arena/1.2
	Log     *slog.Logger
}

// Hooks sends notices to addresses. Its methods may be called by several goroutines. Send, Run and Failing may be
// called on nil Hooks, which have no address.
type Hooks struct {
	config Config
	client *http.Client
	queues []*queue

	firstPause time.Duration // before a notice is sent again for the first time; tests shorten it
}

// answerTime is the longest time that an address may take for its answer.
const answerTime = 10 * time.Second

// New returns hooks that deliver nothing before Run.
func New(c Config) *Hooks {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxConnsPerHost, transport.MaxResponseHeaderBytes = 4, 64<<10
	h := &Hooks{config: c, firstPause: firstPause, client: &http.Client{
		Transport: transport,
		Timeout:   answerTime,
		// Follow no redirections: the host has named one address and no other.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	alike := map[string]int{} // the number of targets so far with the same shown text
	for _, target := range c.Targets {
		shown := target.String()
		target.nth = alike[shown]
		alike[shown]++
		h.queues = append(h.queues, newQueue(target))
	}
	return h
}

// Send sends a notice to all addresses, in the background. It never waits.
func (h *Hooks) Send(n Notice) {
	if h == nil {
		return
	}
	for _, q := range h.queues {
		q.add(n)
	}
}

// lastTime is the longest time that requests may take once Run's context has ended.
const lastTime = 5 * time.Second

// Run delivers notices until ctx ends. Then it tries each waiting notice once more, for five seconds at most, and
// returns.
func (h *Hooks) Run(ctx context.Context) {
	if h == nil {
		return
	}
	defer h.client.CloseIdleConnections()
	last, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastTime, hangUp) })()
	var running sync.WaitGroup
	for _, q := range h.queues {
		running.Go(func() { h.deliverAll(ctx, last, q) })
	}
	running.Wait()
}

// deliverAll delivers the notices of a queue until ctx ends. Then it tries each remaining notice once, until last ends.
func (h *Hooks) deliverAll(ctx, last context.Context, q *queue) {
	for h.deliverNext(ctx, last, q, patience) {
	}
	for q.left() > 0 && h.deliverNext(last, last, q, 0) {
	}
	if left := q.left(); left > 0 {
		h.config.Log.Warn("notices are lost: the webhook did not take them before the arena ended", "webhook", q.target, "notices", left)
	}
}

// Failure is an address that does not accept notices.
type Failure struct {
	Webhook string    // can be shown
	Since   time.Time // the time of the first failed request since the last notice was delivered
	Tries   int       // the number of failed requests from then on
	Missed  int       // notices that are lost
	Why     string    // the reason why the last request failed
}

// Failing returns the addresses that did not accept the last request.
func (h *Hooks) Failing() (all []Failure) {
	if h == nil {
		return nil
	}
	for _, q := range h.queues {
		if f, failing := q.failure(); failing {
			all = append(all, f)
		}
	}
	return all
}

// Pinged is the result of a Ping for one address.
type Pinged struct {
	Webhook string // can be shown
	Err     error  // why it does not accept notices, nil if it does
}

// Ping sends a notice to each address once. It does not need Run.
func (h *Hooks) Ping(ctx context.Context, n Notice) (all []Pinged) {
	for _, q := range h.queues {
		body, err := q.target.form.body(n)
		if err == nil {
			err = h.post(ctx, q.target, newID(), body)
		}
		all = append(all, Pinged{q.target.String(), err})
	}
	return all
}

// Notice is a message to an address.
type Notice struct {
	Type  string    `json:"type"`
	Time  time.Time `json:"timestamp"`
	Arena string    `json:"arena,omitempty"` // the address of its pages
	Text  string    `json:"text"`            // a sentence for people
	Data  any       `json:"data,omitempty"`  // depends on the type
	// Missed is the number of notices that were lost before this one, because the queue of the address was full or the
	// address did not accept them in time.
	Missed int `json:"missed,omitempty"`
}

// Form is the form of the bodies that an address understands.
type Form string

// The forms.
const (
	JSON    Form = ""        // the whole notice
	Slack   Form = "slack"   // {"text": ...}: Slack, Mattermost, Rocket.Chat, Google Chat
	Discord Form = "discord" // {"content": ...}
)

// longestChat is the largest number of characters that Discord accepts.
const longestChat = 2000

// body returns the body of a request that carries a notice.
func (f Form) body(n Notice) ([]byte, error) {
	switch f {
	case Slack:
		return json.Marshal(map[string]string{"text": harmless.Replace(chat(n))})
	case Discord:
		return json.Marshal(map[string]any{"content": chat(n), "allowed_mentions": map[string][]string{"parse": {}}})
	}
	return json.Marshal(n)
}

// chat returns the text of a notice, and the address of the arena that sends it.
func chat(n Notice) string {
	text := n.Text
	if n.Arena != "" {
		text += "\n" + n.Arena
	}
	if runes := []rune(text); len(runes) > longestChat {
		text = string(runes[:longestChat-1]) + "…"
	}
	return text
}

// harmless keeps the names of bots from calling a whole channel: chats recognise mentions and links by these characters
// (https://api.slack.com/reference/surfaces/formatting).
var harmless = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@\u200b")
