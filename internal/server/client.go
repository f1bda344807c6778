package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"versus2048/internal/server/gate"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
	"versus2048/tournament/standing"
)

// Client sends commands to a running arena over HTTP. Its methods return a *RequestError with the arena's own text if
// the arena refuses the request.
//
// If a command to an arena on this machine needs an operator, the client proves by the arena's gate.OperatorFile that
// it is an operator. It can do so if it runs as the user who started the arena.
type Client struct {
	URL string // such as http://127.0.0.1:2048
	// Token is an operator's token, or the secret of a gate.OperatorFile. If it is "", the client reads that file
	// when a request needs an operator.
	Token string
	// NoFile keeps the client from reading the operator's file, so that it has only the rights of Token. It is for
	// programs that act for other people than the user.
	NoFile bool

	mu    sync.Mutex
	local gate.OperatorFile // zero until the client has read it
}

// ErrLost means that the connection to the arena was lost while a client followed an event or a round.
var ErrLost = errors.New("the connection to the arena was lost")

// Bots returns the connected bots, sorted by name.
func (c *Client) Bots(ctx context.Context) ([]BotInfo, error) {
	return fetch[[]BotInfo](ctx, c, "/api/bots")
}

// Events returns the progress of the events that wait or are being played, and of about the last thousand others that
// ended since the arena started, by number.
func (c *Client) Events(ctx context.Context) ([]Progress, error) {
	return fetch[[]Progress](ctx, c, "/api/events")
}

// ArenaStatus returns the status of the arena. It needs an operator.
func (c *Client) ArenaStatus(ctx context.Context) (Status, error) {
	return fetch[Status](ctx, c, "/api/status")
}

// Workers returns the workers of the arena's farm, by name.
func (c *Client) Workers(ctx context.Context) ([]Worker, error) {
	return fetch[[]Worker](ctx, c, "/api/workers")
}

// Start records a new event, starts to play it and returns its number. The arena sets the event's creation time and
// grace period, and resolves its Bots as Resolve does.
func (c *Client) Start(ctx context.Context, e tournament.Event) (int64, error) {
	return c.create(ctx, "/api/events", e)
}

// Book puts an event into the arena's queue and returns its number. The arena plays the event once its time has come
// and its bots are connected. The event may name bots that are not connected yet.
func (c *Client) Book(ctx context.Context, b Booking) (int64, error) {
	return c.create(ctx, "/api/queue", b)
}

// Queue returns the events that wait for their time or for their bots, in the order of the queue.
func (c *Client) Queue(ctx context.Context) ([]Progress, error) {
	return fetch[[]Progress](ctx, c, "/api/queue")
}

// StartLobby begins the event of the lobby with the bots that are there and have passed their check, and returns its
// number. With withoutCheck it also takes the bots that have not passed.
func (c *Client) StartLobby(ctx context.Context, withoutCheck bool) (int64, error) {
	return c.create(ctx, "/api/lobby/start", map[string]bool{"without_check": withoutCheck})
}

// CheckInLobby makes the lobby check a bot once more. The bot must be in the lobby.
func (c *Client) CheckInLobby(ctx context.Context, bot string) error {
	return c.call(ctx, http.MethodPost, "/api/lobby/check", map[string]string{"bot": bot}, nil)
}

// Requeue puts a recorded event back in the queue, such as an interrupted, stopped, canceled or failed one. If the
// event is being played or waits already, nothing changes.
func (c *Client) Requeue(ctx context.Context, event int64) error {
	return c.command(ctx, event, "queue", nil)
}

// Cancel takes an event out of the queue, or a failed one off the agenda. The event's series ends.
func (c *Client) Cancel(ctx context.Context, event int64) error {
	return c.command(ctx, event, "cancel", nil)
}

// Skip makes a series leave out the time of its next event: the event waits for the time after that.
func (c *Client) Skip(ctx context.Context, event int64) error {
	return c.command(ctx, event, "skip", nil)
}

// Status returns an event's progress with the games in progress and the standings, whether or not the event is being
// played.
func (c *Client) Status(ctx context.Context, event int64) (Progress, error) {
	return fetch[Progress](ctx, c, fmt.Sprintf("/api/events/%d", event))
}

// Pause stops new games of an event from starting; games in progress continue.
func (c *Client) Pause(ctx context.Context, event int64) error {
	return c.command(ctx, event, "pause", nil)
}

// Resume resumes an event that is paused, interrupted, failed or unfinished. If the event is in the queue, waiting,
// running or finished, nothing changes.
func (c *Client) Resume(ctx context.Context, event int64) error {
	return c.command(ctx, event, "resume", nil)
}

// Extend raises the number of matches of each pairing of a recorded event to matches; it never lowers the number. The
// event must not be played meanwhile.
func (c *Client) Extend(ctx context.Context, event int64, matches int) error {
	return c.command(ctx, event, "extend", map[string]int{"matches": matches})
}

// ReplayMatch voids a match that was lost by a fault. The event goes on, and the match is played again.
func (c *Client) ReplayMatch(ctx context.Context, event int64, match int) error {
	return c.command(ctx, event, "replay-match", map[string]int{"match": match})
}

// Stop interrupts an event and waits until it has stopped. The event's series ends. An event that is neither being
// played nor in the queue is only taken off the agenda.
func (c *Client) Stop(ctx context.Context, event int64) error {
	return c.command(ctx, event, "stop", nil)
}

// Join adds a bot to a ladder or a Swiss event that is being played. bot is a bot for the arena to start (SPEC or
// NAME=SPEC), or the name of a connected bot, of a program of the arena's host or of a bot that has left the ladder.
func (c *Client) Join(ctx context.Context, event int64, bot string) error {
	return c.command(ctx, event, "join", map[string]string{"bot": bot})
}

// Leave lets a bot leave an event that is being played. The bot first plays or loses the matches that it has begun, and
// in a closed ladder also the other matches that it was given.
func (c *Client) Leave(ctx context.Context, event int64, bot string) error {
	return c.command(ctx, event, "leave", map[string]string{"bot": bot})
}

// Standings returns an event's standings by the rules of its format, from its finished games.
func (c *Client) Standings(ctx context.Context, event int64) (tournament.Standings, error) {
	return fetch[tournament.Standings](ctx, c, fmt.Sprintf("/api/events/%d/standings", event))
}

// Crosstable returns each bot's results against each other bot in an event's finished games.
func (c *Client) Crosstable(ctx context.Context, event int64) (report.Crosstable, error) {
	return fetch[report.Crosstable](ctx, c, fmt.Sprintf("/api/events/%d/crosstable", event))
}

// HeadToHeads compares the bots of each pair that has met in an event, by their finished games.
func (c *Client) HeadToHeads(ctx context.Context, event int64) ([]report.HeadToHead, error) {
	return fetch[[]report.HeadToHead](ctx, c, fmt.Sprintf("/api/events/%d/heads", event))
}

// Ratings returns a standing list, and a summary of every list. conditions is the description of the list's
// conditions; "" stands for the conditions with the most matches.
func (c *Client) Ratings(ctx context.Context, conditions string) (Ratings, error) {
	return fetch[Ratings](ctx, c, "/api/ratings?"+url.Values{"conditions": {conditions}}.Encode())
}

// Statistics returns the statistics of an event's matches. It asks the arena once a second, 60 times at most, until
// the arena has computed them.
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

// mostAsked is the largest number of requests for statistics that the arena is still computing.
const mostAsked = 60

// Statistics are the statistics of an event's matches, with the event's rules and the size of its board.
type Statistics struct {
	report.Statistics
	Rules rules.Ruleset `json:"rules"`
	Size  rules.Size    `json:"size"`
}

// laterError means that the arena has no answer yet.
type laterError struct{ text string }

func (e *laterError) Error() string { return e.text }

// Record returns the record of a game, with the search reports that the caller may see.
func (c *Client) Record(ctx context.Context, game int64) (record.Record, error) {
	return fetch[record.Record](ctx, c, fmt.Sprintf("/api/games/%d/record", game))
}

// Challenge asks for a game against a bot, as a visitor does, and returns the name and the token of the visitor.
func (c *Client) Challenge(ctx context.Context, asked Challenge) (i Invitation, err error) {
	body := struct {
		Challenge
		MoveMS int64 `json:"move_ms"`
	}{asked, asked.PerMove.Milliseconds()}
	err = c.call(ctx, http.MethodPost, "/api/play", body, &i)
	return i, err
}

// Hint asks a bot for its move in a position.
func (c *Client) Hint(ctx context.Context, bot string, p rules.Position) (h Hint, err error) {
	body := map[string]string{"bot": bot, "rules": p.Rules().String(), "position": p.String()}
	err = c.call(ctx, http.MethodPost, "/api/hint", body, &h)
	return h, err
}

// Hint is the move that a bot would play.
type Hint struct {
	Move   rules.Move           `json:"move"`
	Search *record.SearchReport `json:"search"` // nil if the bot has none
}

// Read requests a path of the arena or of its pages and decodes the answer, which is JSON.
func (c *Client) Read(ctx context.Context, path string, into any) error {
	return c.call(ctx, http.MethodGet, path, nil, into)
}

// Tokens returns all tokens, by role and name.
func (c *Client) Tokens(ctx context.Context) ([]Token, error) {
	return fetch[[]Token](ctx, c, "/api/tokens")
}

// NewToken makes a token for a bot or an operator, and returns its secret.
func (c *Client) NewToken(ctx context.Context, role Role, name string) (string, error) {
	return c.makeToken(ctx, "/api/tokens", role, name)
}

// ResetToken makes a token as NewToken does. All other tokens of the name become invalid.
func (c *Client) ResetToken(ctx context.Context, role Role, name string) (string, error) {
	return c.makeToken(ctx, "/api/tokens/reset", role, name)
}

func (c *Client) makeToken(ctx context.Context, path string, role Role, name string) (string, error) {
	var made struct{ Token string }
	err := c.call(ctx, http.MethodPost, path, map[string]string{"role": string(role), "name": name}, &made)
	return made.Token, err
}

// Invite makes an invitation and returns its code.
func (c *Client) Invite(ctx context.Context, terms gate.InvitationTerms) (string, error) {
	var made struct{ Code string }
	err := c.call(ctx, http.MethodPost, "/api/invitations", terms, &made)
	return made.Code, err
}

// Invitations returns all invitations, the latest last.
func (c *Client) Invitations(ctx context.Context) ([]gate.Invitation, error) {
	return fetch[[]gate.Invitation](ctx, c, "/api/invitations")
}

// RevokeInvitation makes an invitation invalid, and reports whether it was valid.
func (c *Client) RevokeInvitation(ctx context.Context, id int64) (bool, error) {
	var done struct{ Revoked bool }
	err := c.call(ctx, http.MethodPost, "/api/invitations/revoke", map[string]int64{"id": id}, &done)
	return done.Revoked, err
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

// Report returns the report of an event in a format: html or markdown. The caller closes it.
func (c *Client) Report(ctx context.Context, event int64, format string) (io.ReadCloser, error) {
	return c.open(ctx, http.MethodGet, fmt.Sprintf("/events/%d/report?format=%s", event, url.QueryEscape(format)), nil)
}

// Ratings are the standing lists of an arena.
type Ratings struct {
	All []standing.Summary `json:"all"` // the lists with the most matches first
	// List is the list that was asked for, nil if no match has been played.
	List *standing.List `json:"list"`
}

// Follow calls show with an event's progress until the event's state is final: at once, after each change, and at least
// every ten seconds. It returns the last progress, and ErrLost if the arena stops answering.
func (c *Client) Follow(ctx context.Context, event int64, show func(Progress)) (last Progress, err error) {
	err = readLines(ctx, c, http.MethodGet, fmt.Sprintf("/api/events/%d/progress", event), nil, func(now Progress) (bool, error) {
		last = now
		show(now)
		return now.State.Ended(), nil
	})
	return last, err
}

// FollowNews calls show with all news of an event, from its start or resume on this arena until its end. It returns the
// error of show, or ErrLost if the arena stops answering.
func (c *Client) FollowNews(ctx context.Context, event int64, show func(News) error) error {
	return readLines(ctx, c, http.MethodGet, fmt.Sprintf("/api/events/%d/news", event), nil, func(n News) (bool, error) {
		return n.Type == EventFinished, show(n)
	})
}

// Do gives a round to the workers of the arena, and calls show with all news of it. It returns a *RequestError if the
// round fails, and ErrLost if the arena stops answering. The batches without a result can then be sent in another
// round.
func (c *Client) Do(ctx context.Context, r Round, show func(RoundNews)) error {
	return readLines(ctx, c, http.MethodPost, "/api/rounds", r, func(n RoundNews) (bool, error) {
		if n.Failed != "" {
			return true, &RequestError{errors.New(n.Failed)}
		}
		show(n)
		return n.Over, nil
	})
}
