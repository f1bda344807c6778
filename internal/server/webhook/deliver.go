package webhook

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// A notice that was not delivered is sent again after a second, then after twice as long and so on. The pauses are
// partly random, so that arenas do not all send at the same moment.
const (
	firstPause   = time.Second
	longestPause = 2 * time.Minute
	patience     = 30 * time.Minute // for one notice; then it is lost
)

// deliverNext waits for the next notice of a queue and delivers it within patience. If patience is 0, it tries once. It
// returns false if ctx ends before the notice is delivered or lost. A request under way may then go on until last ends.
func (h *Hooks) deliverNext(ctx, last context.Context, q *queue, patience time.Duration) bool {
	n, ok := q.next(ctx)
	if !ok {
		return false
	}
	body, err := q.target.form.body(n)
	if err == nil {
		err = h.deliver(ctx, last, q, body, patience)
	}
	switch {
	case err == nil:
		if f, failing := q.failure(); failing {
			h.config.Log.Info("the webhook takes notices again", "webhook", q.target, "after", time.Since(f.Since).Round(time.Second), "missed", f.Missed)
		}
		q.done(n.Missed)
	case ctx.Err() != nil:
		return false
	default:
		h.config.Log.Warn("a notice is lost: the webhook did not take it", "webhook", q.target, "type", n.Type, "why", err)
		q.drop()
	}
	return true
}

// deliver sends a body until the address accepts it or refuses it for good, or until patience or ctx ends.
func (h *Hooks) deliver(ctx, last context.Context, q *queue, body []byte, patience time.Duration) error {
	id, tries := newID(), backoff.WithMaxElapsedTime(patience)
	if patience == 0 {
		tries = backoff.WithMaxTries(1)
	}
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval, pauses.Multiplier = h.firstPause, longestPause, 2
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := h.post(last, q.target, id, body)
		if err != nil && last.Err() == nil && q.failed(err) == 1 {
			h.config.Log.Warn("a webhook does not take a notice", "webhook", q.target, "why", err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(pauses), tries)
	return err
}

// newID returns the id of a notice for one address. The id stays the same when the notice is sent again.
func newID() string { return "msg_" + rand.Text() }

// longestAnswer is the largest number of bytes of an answer that are read: its connection can be used again only if the
// whole answer was read.
const longestAnswer = 16 << 10

// post sends a body once. If it would be useless to send the body again, the error is a backoff.PermanentError. No
// error contains the address.
func (h *Hooks) post(ctx context.Context, t Target, id string, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.address.String(), bytes.NewReader(body))
	if err != nil {
		return backoff.Permanent(errors.New("its address cannot be used"))
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", h.config.Agent)
	h.config.Secret.sign(request.Header, id, time.Now(), body)
	answer, err := h.client.Do(request)
	if err != nil {
		if inner := (*url.Error)(nil); errors.As(err, &inner) {
			err = inner.Err
		}
		return err
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, longestAnswer) // the text does not matter
	return judge(answer)
}

// judge returns nil if the status of an answer means that the notice was accepted.
func judge(answer *http.Response) error {
	err := fmt.Errorf("it answers with status %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	switch status := answer.StatusCode; {
	case status >= 200 && status < 300:
		return nil
	case status >= 300 && status < 400:
		return backoff.Permanent(fmt.Errorf("%w: it leads to another address, which is not followed; give that one instead", err))
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		return whenAsked(err, answer)
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusTooEarly:
		return err
	}
	return backoff.Permanent(err)
}

// whenAsked adds to an error the pause that the answer asks for, if it gives one of a second or more, in seconds.
func whenAsked(err error, answer *http.Response) error {
	seconds, wrong := strconv.Atoi(answer.Header.Get("Retry-After"))
	if wrong != nil || seconds < 1 {
		return err
	}
	pause := time.Duration(min(seconds, int(longestPause.Seconds()))) * time.Second
	return fmt.Errorf("%w: %w", err, &backoff.RetryAfterError{Duration: pause})
}

// Target is an address that gets notices. It is a secret: everybody who knows the address of a chat can write there.
// Its String can be shown.
type Target struct {
	form    Form
	address *url.URL
	nth     int // number among the targets that are shown alike; 0 for the first
}

// ParseTarget reads an address, http or https, with an optional form of its bodies before it: slack=URL or discord=URL.
// Errors do not contain the address.
func ParseTarget(text string) (Target, error) {
	var t Target
	for _, form := range []Form{Slack, Discord} {
		if rest, found := strings.CutPrefix(text, string(form)+"="); found {
			t.form, text = form, rest
			break
		}
	}
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" || address.Fragment != "" {
		return t, errors.New("an address of a webhook is no URL: want https://HOST/PATH, slack=https://HOST/PATH or discord=https://HOST/PATH")
	}
	t.address = address
	return t, nil
}

// String returns the address without the parts that may be secret: its user, path and query. All targets of Hooks have
// different texts: where the texts of two targets would be the same, a number is added.
func (t Target) String() string {
	shown := t.address.Scheme + "://" + t.address.Host
	if t.address.User != nil || len(t.address.Path) > 1 || t.address.RawQuery != "" {
		shown += "/..."
	}
	if t.nth > 0 {
		shown += fmt.Sprintf(" (number %d)", t.nth+1)
	}
	return shown
}

// LogValue is for slog.
func (t Target) LogValue() slog.Value { return slog.StringValue(t.String()) }
