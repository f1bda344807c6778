package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Client asks a running arena over HTTP. Its methods return a *RequestError
// with the arena's own words where the arena declines.
type Client struct {
	URL   string // such as http://127.0.0.1:2048
	Token string // an operator's; needed from another machine only
}

// Bots lists the connected bots.
func (c *Client) Bots(ctx context.Context) (bots []BotInfo, err error) {
	return bots, c.call(ctx, http.MethodGet, "/api/bots", nil, &bots)
}

// Events lists the events played since the arena was started.
func (c *Client) Events(ctx context.Context) (events []Progress, err error) {
	return events, c.call(ctx, http.MethodGet, "/api/events", nil, &events)
}

// Start records an event, begins to play it and returns its number. The arena sets its creation time
// and its grace period, and resolves its Bots: see Resolve.
func (c *Client) Start(ctx context.Context, e tournament.Event) (int64, error) {
	var created struct{ Event int64 }
	err := c.call(ctx, http.MethodPost, "/api/events", e, &created)
	return created.Event, err
}

// Status is how an event stands, with its games in progress and its standings,
// also if it is not being played.
func (c *Client) Status(ctx context.Context, event int64) (p Progress, err error) {
	return p, c.call(ctx, http.MethodGet, fmt.Sprintf("/api/events/%d", event), nil, &p)
}

// Pause lets no new games of an event begin; those in progress go on.
func (c *Client) Pause(ctx context.Context, event int64) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/pause", event), nil, nil)
}

// Resume goes on with an event that is interrupted or paused. If it is being
// played, nothing changes.
func (c *Client) Resume(ctx context.Context, event int64) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/resume", event), nil, nil)
}

// Stop interrupts an event and waits until it has stopped.
func (c *Client) Stop(ctx context.Context, event int64) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/stop", event), nil, nil)
}

// Join lets a bot join a ladder that is being played: one that is connected, a
// spec to be started, NAME=SPEC, or the name of one that has left.
func (c *Client) Join(ctx context.Context, event int64, bot string) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/join", event), map[string]string{"bot": bot}, nil)
}

// Leave lets a bot leave a ladder that is being played, once it has played the
// matches that it was given.
func (c *Client) Leave(ctx context.Context, event int64, bot string) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/leave", event), map[string]string{"bot": bot}, nil)
}

// Standings are an event's places by its format's rules, from its finished games.
func (c *Client) Standings(ctx context.Context, event int64) (s tournament.Standings, err error) {
	return s, c.call(ctx, http.MethodGet, fmt.Sprintf("/api/events/%d/standings", event), nil, &s)
}

// Crosstable is who has made what against whom in an event's finished games.
func (c *Client) Crosstable(ctx context.Context, event int64) (table report.Crosstable, err error) {
	return table, c.call(ctx, http.MethodGet, fmt.Sprintf("/api/events/%d/crosstable", event), nil, &table)
}

// HeadToHeads compares every two bots of an event by its finished games.
func (c *Client) HeadToHeads(ctx context.Context, event int64) (all []report.HeadToHead, err error) {
	return all, c.call(ctx, http.MethodGet, fmt.Sprintf("/api/events/%d/heads", event), nil, &all)
}

// call asks and decodes the answer into reply, unless that is nil.
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
		return fmt.Errorf("the answer of %s%s: %w", c.URL, path, err)
	}
	return nil
}

// open asks and returns the body of a good answer.
func (c *Client) open(ctx context.Context, method, path string, body any) (io.ReadCloser, error) {
	var text bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+path, &text)
	if err != nil {
		return nil, fmt.Errorf("the arena's address: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, unreachable(c.URL, err)
	}
	if response.StatusCode == http.StatusOK {
		return response.Body, nil
	}
	defer response.Body.Close()
	var problem struct{ Error string }
	if json.NewDecoder(response.Body).Decode(&problem) != nil || problem.Error == "" {
		return nil, fmt.Errorf("%s%s answers %s: is that an arena?", c.URL, path, response.Status)
	}
	return nil, &RequestError{errors.New(problem.Error)}
}

// unreachable is the error of a request that got no answer.
func unreachable(address string, err error) error {
	if u := new(url.Error); errors.As(err, &u) {
		err = u.Err
	}
	return fmt.Errorf("no arena answers at %s (start one with: arena serve): %w", address, err)
}
