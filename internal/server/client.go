package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"versus2048/internal/server/gate"
	"versus2048/internal/server/operator"
	"versus2048/internal/server/rounds"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
	"versus2048/tournament/standing"
)

// Client sends commands to a running arena over HTTP. Its methods return a *RequestError with the arena's own text if
// the arena refuses the request.
//
// If a command to an arena on this machine needs an operator, the client proves with the arena's operator.File that it
// is one. It can do so if it runs as the user who started the arena.
type Client struct {
	URL   string // such as http://127.0.0.1:2048
	Token string // an operator's token, or the secret of an operator.File; "" reads that file when a request needs it

	mu    sync.Mutex
	local operator.File // as read; zero before that
}

// ErrLost means that the connection to the arena was lost while a client
// followed an event.
var ErrLost = errors.New("the connection to the arena was lost")

// Bots returns the connected bots, sorted by name.
func (c *Client) Bots(ctx context.Context) (bots []BotInfo, err error) {
	return bots, c.call(ctx, http.MethodGet, "/api/bots", nil, &bots)
}

// Events returns the events played since the arena started.
func (c *Client) Events(ctx context.Context) (events []Progress, err error) {
	return events, c.call(ctx, http.MethodGet, "/api/events", nil, &events)
}

// ArenaStatus returns the status of the arena. It needs an operator.
func (c *Client) ArenaStatus(ctx context.Context) (s Status, err error) {
	return s, c.call(ctx, http.MethodGet, "/api/status", nil, &s)
}

// Workers returns the workers of the arena's farm, by name.
func (c *Client) Workers(ctx context.Context) (workers []Worker, err error) {
	return workers, c.call(ctx, http.MethodGet, "/api/workers", nil, &workers)
}

// Start records a new event, starts to play it and returns its number. The arena sets the event's creation time and
// grace period, and resolves its Bots as Resolve does.
func (c *Client) Start(ctx context.Context, e tournament.Event) (int64, error) {
	var created struct{ Event int64 }
	err := c.call(ctx, http.MethodPost, "/api/events", e, &created)
	return created.Event, err
}

// Book asks the arena to play an event by itself, once its time has come and its bots are connected, and returns its
// number. The event may name bots that are not connected yet.
func (c *Client) Book(ctx context.Context, b Booking) (int64, error) {
	var created struct{ Event int64 }
	err := c.call(ctx, http.MethodPost, "/api/queue", b, &created)
	return created.Event, err
}

// Queue returns the events that wait for their time or for their bots, in the order of the queue.
func (c *Client) Queue(ctx context.Context) (events []Progress, err error) {
	return events, c.call(ctx, http.MethodGet, "/api/queue", nil, &events)
}

// Requeue puts a recorded event back in the queue after it was interrupted, stopped or canceled. If the event is being
// played or waits already, nothing changes.
func (c *Client) Requeue(ctx context.Context, event int64) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/queue", event), nil, nil)
}

// Cancel takes an event out of the queue. If it is the next one of a series, the series ends.
func (c *Client) Cancel(ctx context.Context, event int64) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/cancel", event), nil, nil)
}

// Skip makes a series leave out the time of its next event: the event waits for the time after that.
func (c *Client) Skip(ctx context.Context, event int64) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/skip", event), nil, nil)
}

// Status returns an event's progress with the games in progress and the
// standings, whether or not the event is being played.
func (c *Client) Status(ctx context.Context, event int64) (p Progress, err error) {
	return p, c.call(ctx, http.MethodGet, fmt.Sprintf("/api/events/%d", event), nil, &p)
}

// Pause stops new games of an event from starting; games in progress continue.
func (c *Client) Pause(ctx context.Context, event int64) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/pause", event), nil, nil)
}

// Resume resumes an event that is interrupted or paused. If the event is running
// or finished, nothing changes.
func (c *Client) Resume(ctx context.Context, event int64) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/resume", event), nil, nil)
}

// Extend gives a recorded event that is not being played more matches of each pairing; it never takes any away.
func (c *Client) Extend(ctx context.Context, event int64, matches int) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/extend", event), map[string]int{"matches": matches}, nil)
}

// ReplayMatch voids a match that was lost by a fault, and plays its event on, so that the match is played again.
func (c *Client) ReplayMatch(ctx context.Context, event int64, match int) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/replay-match", event), map[string]int{"match": match}, nil)
}

// Stop interrupts an event and waits until it has stopped.
func (c *Client) Stop(ctx context.Context, event int64) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/stop", event), nil, nil)
}

// Join adds a bot to a ladder that is being played. bot is the name of a
// connected bot, a bot for the arena to start (SPEC or NAME=SPEC), or the name of
// a bot that has left the ladder.
func (c *Client) Join(ctx context.Context, event int64, bot string) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/join", event), map[string]string{"bot": bot}, nil)
}

// Leave lets a bot leave an event that is being played. In a ladder the bot first plays the matches that it was given, in
// other formats the matches that it has begun.
func (c *Client) Leave(ctx context.Context, event int64, bot string) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/leave", event), map[string]string{"bot": bot}, nil)
}

// Standings returns an event's standings by the rules of its format, from its
// finished games.
func (c *Client) Standings(ctx context.Context, event int64) (s tournament.Standings, err error) {
	return s, c.call(ctx, http.MethodGet, fmt.Sprintf("/api/events/%d/standings", event), nil, &s)
}

// Crosstable returns each bot's results against each other bot in an event's
// finished games.
func (c *Client) Crosstable(ctx context.Context, event int64) (table report.Crosstable, err error) {
	return table, c.call(ctx, http.MethodGet, fmt.Sprintf("/api/events/%d/crosstable", event), nil, &table)
}

// HeadToHeads compares each pair of an event's bots that has met by its finished games.
func (c *Client) HeadToHeads(ctx context.Context, event int64) (all []report.HeadToHead, err error) {
	return all, c.call(ctx, http.MethodGet, fmt.Sprintf("/api/events/%d/heads", event), nil, &all)
}

// Ratings returns the standing list of some conditions, by their description, and the conditions of all lists. ""
// stands for the conditions with the most matches.
func (c *Client) Ratings(ctx context.Context, conditions string) (r Ratings, err error) {
	return r, c.call(ctx, http.MethodGet, "/api/ratings?"+url.Values{"conditions": {conditions}}.Encode(), nil, &r)
}

// Statistics returns the statistics of an event's matches. It waits until the arena has computed them.
func (c *Client) Statistics(ctx context.Context, event int64) (s Statistics, err error) {
	for range mostAsked {
		err = c.Read(ctx, fmt.Sprintf("/api/events/%d/statistics", event), &s)
		if !errors.As(err, new(*laterError)) {
			s.Explain()
			return s, err
		}
		select {
		case <-ctx.Done():
			return s, ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return s, err
}

// mostAsked is how often the client asks for an answer that the arena is still computing.
const mostAsked = 60

// Statistics are the statistics of an event's matches, with its board.
type Statistics struct {
	report.Statistics
	Rules rules.Ruleset `json:"rules"`
	Size  rules.Size    `json:"size"`
}

// laterError means that the arena has no answer yet.
type laterError struct{ text string }

func (e *laterError) Error() string { return e.text }

// Record returns the record of a game, with the search reports that the caller may see.
func (c *Client) Record(ctx context.Context, game int64) (r record.Record, err error) {
	return r, c.Read(ctx, fmt.Sprintf("/api/games/%d/record", game), &r)
}

// Read requests a path of the arena or of its pages and decodes the answer, which is JSON.
func (c *Client) Read(ctx context.Context, path string, into any) error {
	return c.call(ctx, http.MethodGet, path, nil, into)
}

// Tokens returns all tokens, by role and name.
func (c *Client) Tokens(ctx context.Context) (tokens []Token, err error) {
	return tokens, c.Read(ctx, "/api/tokens", &tokens)
}

// NewToken makes a token for a bot or an operator, and returns its secret.
func (c *Client) NewToken(ctx context.Context, role Role, name string) (string, error) {
	var made struct{ Token string }
	err := c.call(ctx, http.MethodPost, "/api/tokens", map[string]string{"role": string(role), "name": name}, &made)
	return made.Token, err
}

// RevokeTokens makes the tokens of a name invalid, and returns their number.
func (c *Client) RevokeTokens(ctx context.Context, role Role, name string) (int64, error) {
	var done struct{ Revoked int64 }
	err := c.call(ctx, http.MethodPost, "/api/tokens/revoke", map[string]string{"role": string(role), "name": name}, &done)
	return done.Revoked, err
}

// Download returns the file of an event with all its games. If only operators may have it, the operator's file proves
// that the caller is one. The caller closes the file.
func (c *Client) Download(ctx context.Context, event int64) (io.ReadCloser, error) {
	path := fmt.Sprintf("/events/%d/export", event)
	file, err := c.open(ctx, http.MethodGet, path, nil)
	if refused := (*RequestError)(nil); !errors.As(err, &refused) || c.Token != "" {
		return file, err
	}
	// Answers of the pages do not name the operator's file. A request that only operators may send makes the arena name
	// it.
	if _, unproven := c.ArenaStatus(ctx); unproven != nil {
		return nil, err
	}
	return c.open(ctx, http.MethodGet, path, nil)
}

// Ratings are the standing lists of an arena.
type Ratings struct {
	All []standing.Summary `json:"all"` // the lists with the most matches first
	// List is the list that was asked for, nil if no match has been played.
	List *standing.List `json:"list"`
}

// Follow calls show after each change until the event's state is final, and
// returns the final progress. It returns ErrLost if the arena stops answering.
func (c *Client) Follow(ctx context.Context, event int64, show func(Progress)) (last Progress, err error) {
	return last, readLines(ctx, c, http.MethodGet, fmt.Sprintf("/api/events/%d/progress", event), nil, func(now Progress) (bool, error) {
		last = now
		show(now)
		return now.State.Final(), nil
	})
}

// FollowNews calls show with all news of an event, from its start or resume on
// this arena until its end. It returns the error of show, or ErrLost if the arena
// stops answering.
func (c *Client) FollowNews(ctx context.Context, event int64, show func(News) error) error {
	return readLines(ctx, c, http.MethodGet, fmt.Sprintf("/api/events/%d/news", event), nil, func(n News) (bool, error) {
		return n.Type == EventFinished, show(n)
	})
}

// Do has the workers of the arena do a round, and calls show with all news of it. It returns ErrLost if the arena stops
// answering. The batches that have no result by then can be sent in another round.
func (c *Client) Do(ctx context.Context, r rounds.Round, show func(rounds.News)) error {
	return readLines(ctx, c, http.MethodPost, "/api/rounds", r, func(n rounds.News) (bool, error) {
		if n.Failed != "" {
			return true, &RequestError{errors.New(n.Failed)}
		}
		show(n)
		return n.Over, nil
	})
}

// readLines requests a stream of lines and calls each with every line, until
// each reports that the line was the last.
func readLines[T any](ctx context.Context, c *Client, method, path string, question any, each func(T) (last bool, err error)) error {
	body, err := c.open(ctx, method, path, question)
	if err != nil {
		return err
	}
	defer body.Close()
	for stream := json.NewDecoder(body); ; {
		var line T
		if err := stream.Decode(&line); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("%w: %w", ErrLost, err)
		}
		if last, err := each(line); err != nil || last {
			return err
		}
	}
}

// call sends a request and decodes the answer into reply, unless reply is nil.
func (c *Client) call(ctx context.Context, method, path string, body, reply any) error {
	answer, err := c.open(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer answer.Close()
	if reply == nil {
		return nil
	}
	if err := json.NewDecoder(answer).Decode(reply); err != nil {
		return fmt.Errorf("the answer from %s%s: %w", c.URL, path, err)
	}
	return nil
}

// open sends a request and returns the body of the answer. The caller closes it.
func (c *Client) open(ctx context.Context, method, path string, body any) (io.ReadCloser, error) {
	var text bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			return nil, err
		}
	}
	base, token := c.credentials()
	answer, refused, err := c.send(ctx, method, base+path, token, text.Bytes())
	if refused == nil || refused.OperatorFile == "" || c.Token != "" {
		return answer, err
	}
	// The proof may be missing, or be of an arena that is gone.
	if unproven := c.prove(refused.OperatorFile); unproven != nil {
		return nil, &RequestError{fmt.Errorf("%w; the operator's file: %w", err, unproven)}
	}
	base, token = c.credentials()
	answer, _, err = c.send(ctx, method, base+path, token, text.Bytes())
	return answer, err
}

// credentials returns the address for requests and the token to send with them.
func (c *Client) credentials() (base, token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Token == "" && c.local.Secret != "" {
		return "http://" + c.local.Address, c.local.Secret
	}
	return strings.TrimSuffix(c.URL, "/"), c.Token
}

// prove reads the operator's file that an arena on this machine has named. From then on the client sends requests to
// the address in the file: so only the arena that wrote the file gets the secret, even if another program answers at
// c.URL.
func (c *Client) prove(path string) error {
	u, err := url.Parse(c.URL)
	if err != nil || !gate.IsLoopback(u.Host) {
		return fmt.Errorf("%s is not an address of this machine", c.URL)
	}
	f, err := operator.Read(path)
	if err != nil {
		return err
	}
	if _, port, err := net.SplitHostPort(f.Address); err != nil || port != u.Port() || !gate.IsLoopback(f.Address) {
		return fmt.Errorf("%s is of an arena at %s, not at %s", path, f.Address, c.URL)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.local = f
	return nil
}

// send sends one request. If the arena refuses it, send also returns the arena's answer.
func (c *Client) send(ctx context.Context, method, address, token string, body []byte) (io.ReadCloser, *problem, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, nil, fmt.Errorf("the arena's address: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, nil, unreachable(c.URL, err)
	}
	if response.StatusCode == http.StatusOK {
		return response.Body, nil, nil
	}
	defer response.Body.Close()
	refused := new(problem)
	if json.NewDecoder(response.Body).Decode(refused) != nil || refused.Error == "" {
		if response.StatusCode == http.StatusBadRequest && request.URL.Scheme == "http" {
			return nil, nil, fmt.Errorf("%s answers %s: is this the address of an arena? If it speaks TLS, use https://", address, response.Status)
		}
		return nil, nil, fmt.Errorf("%s answers %s: is this the address of an arena?", address, response.Status)
	}
	if response.StatusCode == http.StatusServiceUnavailable && response.Header.Get("Retry-After") != "" {
		return nil, refused, &RequestError{&laterError{refused.Error}}
	}
	return nil, refused, &RequestError{errors.New(refused.Error)}
}

// unreachable returns the error for a request that got no answer.
func unreachable(address string, err error) error {
	if u := new(url.Error); errors.As(err, &u) {
		err = u.Err
	}
	if wrong := new(tls.CertificateVerificationError); errors.As(err, &wrong) {
		return protocol.Untrusted(address, wrong)
	}
	return fmt.Errorf("no arena answers at %s (start one with: arena serve): %w", address, err)
}
