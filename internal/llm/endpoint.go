package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"

	"versus2048/internal/text/plain"
	"versus2048/rules"
)

// Config is an endpoint with the settings of its requests.
type Config struct {
	URL        string            // the base address, such as http://localhost:8080/v1
	Model      string            // as the endpoint calls it
	Key        string            // sent as a bearer token; "" for none
	Form       Form              // the strictest form of answers to ask for
	Stream     bool              // ask for answers in chunks
	PerMinute  int               // the most requests a minute, at equal intervals; 0 for no limit
	Parameters map[string]any    // further fields of each request, such as temperature
	Agent      string            // the name of the program in requests, such as versus2048-bot/1.0
	Transport  http.RoundTripper // makes the requests; nil for the network
	Log        *slog.Logger      // nil discards the log
}

// Endpoint asks a model. Several goroutines may use it: they share the limit of requests, and the pause that the server
// asks for.
type Endpoint struct {
	config  Config
	address string // of chat completions
	client  *http.Client
	pace    *pace
	form    atomic.Int32 // the strictest Form that the endpoint has taken, or the first to try
}

// NewEndpoint returns an endpoint, without asking it. It returns an error for an address that is no URL of HTTP, and
// for an address with a user or a password, which would be shown.
func NewEndpoint(c Config) (*Endpoint, error) {
	address, err := url.Parse(c.URL)
	switch {
	case err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "":
		return nil, fmt.Errorf("address %.100q: want a URL such as http://localhost:8080/v1", withoutSecrets(c.URL))
	case address.User != nil:
		return nil, errors.New("the address has a user or a password in it: leave that out, and give the key by itself")
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	// The escaped path keeps the difference between a slash in a name, %2F, and a slash between names.
	address.RawPath = strings.TrimSuffix(strings.TrimRight(address.EscapedPath(), "/"), "/chat/completions") + "/chat/completions"
	address.Path, _ = url.PathUnescape(address.RawPath) // cannot fail: EscapedPath returns a valid path
	e := &Endpoint{config: c, address: address.String(), pace: newPace(c.PerMinute), client: &http.Client{
		Transport: c.Transport,
		// A key is for the address that the user has named and for no other.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	e.form.Store(int32(c.Form))
	return e, nil
}

// withoutSecrets cuts a password and a query off a text that may be meant as an address.
func withoutSecrets(text string) string {
	text, _, _ = strings.Cut(text, "?")
	return text[strings.LastIndex(text, "@")+1:]
}

// String returns the base address without its query and its fragment, which may have a secret.
func (e *Endpoint) String() string {
	base, _, _ := strings.Cut(e.address, "#")
	base, _, _ = strings.Cut(base, "?")
	return strings.TrimSuffix(base, "/chat/completions")
}

// Message is a part of a conversation with a model.
type Message struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

// Completion is the answer of a model.
type Completion struct {
	Text   string
	Cut    bool // the limit of tokens has ended it
	Tokens Tokens
}

// Tokens counts tokens as the endpoint does; 0 if it does not count them.
type Tokens struct{ Read, Written int64 }

// tries is the number of times that a request is sent if its failures may pass.
const tries = 5

// Ask sends a conversation and returns the model's answer. Where the endpoint offers it, the answer is JSON with one of
// the moves. After a failure that may pass, Ask sends the request again: five tries in all, at most. The pauses between
// them grow, and are at least as long as the endpoint asks for. Ask returns early if ctx ends before the next try. It
// returns a *StatusError if the endpoint refuses the request, ErrNoChat if the answer is no chat completion, and the
// error of the network if there is no answer.
func (e *Endpoint) Ask(ctx context.Context, messages []Message, moves []rules.Move) (Completion, error) {
	return e.ask(ctx, func() (Completion, error) { return e.offer(ctx, messages, moves) }, backoff.WithMaxTries(tries))
}

// Await is Ask for a server that may still be loading its model. It asks again only after a *StatusError that may pass,
// until ctx ends, or for 15 minutes if ctx has no deadline.
func (e *Endpoint) Await(ctx context.Context, messages []Message, moves []rules.Move) (Completion, error) {
	return e.ask(ctx, func() (Completion, error) {
		c, err := e.offer(ctx, messages, moves)
		if refused := (*StatusError)(nil); err != nil && !errors.As(err, &refused) {
			err = backoff.Permanent(err)
		}
		return c, err
	})
}

func (e *Endpoint) ask(ctx context.Context, request backoff.Operation[Completion], limits ...backoff.RetryOption) (Completion, error) {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval, pauses.Multiplier = 500*time.Millisecond, 10*time.Second, 2
	if deadline, ok := ctx.Deadline(); ok {
		limits = append(limits, backoff.WithMaxElapsedTime(time.Until(deadline)))
	}
	return backoff.Retry(ctx, request, append(limits, backoff.WithBackOff(pauses), backoff.WithNotify(func(err error, pause time.Duration) {
		e.config.Log.Info("the endpoint is asked again", "in", pause.Round(time.Millisecond), "why", err)
	}))...)
}

// offer sends a request with the strictest form of answers that the endpoint takes. An endpoint that refuses a form
// gets the next one, and from then on no stricter one.
func (e *Endpoint) offer(ctx context.Context, messages []Message, moves []rules.Move) (Completion, error) {
	for form := Form(e.form.Load()); ; form++ {
		c, err := e.post(ctx, e.body(form, messages, moves))
		if refused := (*StatusError)(nil); form < Text && errors.As(err, &refused) && refused.ofForm() {
			continue
		}
		if err == nil {
			e.form.Store(int32(form))
		}
		return c, lasting(err)
	}
}

// lasting marks an error that another try would not change.
func lasting(err error) error {
	refused := (*StatusError)(nil)
	if errors.As(err, &refused) && !refused.passes() || errors.Is(err, ErrNoChat) || errors.Is(err, errNoTime) {
		return backoff.Permanent(err)
	}
	return err
}

// post sends one request.
func (e *Endpoint) post(ctx context.Context, body []byte) (Completion, error) {
	if err := e.pace.wait(ctx); err != nil {
		return Completion{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address, bytes.NewReader(body))
	if err != nil {
		return Completion{}, errors.New("its address cannot be used")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", e.config.Agent)
	if e.config.Key != "" {
		request.Header.Set("Authorization", "Bearer "+e.config.Key)
	}
	answer, err := e.client.Do(request)
	if err != nil {
		return Completion{}, withoutAddress(err)
	}
	defer answer.Body.Close()
	content := &io.LimitedReader{R: answer.Body, N: longestAnswer}
	if answer.StatusCode != http.StatusOK {
		return Completion{}, e.refusal(answer, content)
	}
	c, err := readCompletion(answer.Header.Get("Content-Type"), content)
	if content.N == 0 && errors.Is(err, io.ErrUnexpectedEOF) { // the limit ends another try, too
		err = ErrNoChat
	}
	c.Text = e.hide(c.Text)
	return c, e.hideIn(err)
}

// longestAnswer is the largest number of bytes that are read from an answer.
const longestAnswer = 4 << 20

// withoutAddress returns the cause of an error of the HTTP client. The error itself names the whole address, which may
// have a secret in it.
func withoutAddress(err error) error {
	if inner := (*url.Error)(nil); errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// hide takes the key out of a text.
func (e *Endpoint) hide(text string) string {
	if e.config.Key == "" {
		return text
	}
	return strings.ReplaceAll(text, e.config.Key, "[key]")
}

// hideIn takes the key out of an error that has a text of the endpoint.
func (e *Endpoint) hideIn(err error) error {
	if said := (*reportedError)(nil); errors.As(err, &said) {
		return &reportedError{e.shown(said.message)}
	}
	return err
}

// shown returns a text of the endpoint for a line of the log or of an error.
func (e *Endpoint) shown(text string) string {
	return plain.Line(cut(strings.Join(strings.Fields(e.hide(text)), " "), 300))
}

// cut returns the first n characters of a longer text, and an ellipsis.
func cut(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return text
}
