package protocol

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/players"
)

// Client serves players to an arena. It is the bot's counterpart of a Session.
type Client struct {
	URL   string // for example ws://127.0.0.1:2048/bot
	Hello Hello
	// New returns the player for a game. If New or its player fails, the bot
	// gives up that game and sends the error to the arena.
	New       func(Start) (players.Player, error)
	Margin    time.Duration // the time left before the deadline when a move is sent
	Reconnect time.Duration // the time that Run keeps trying to reach an arena
	Log       *slog.Logger  // nil discards the log
	// Resume is the secret from an earlier Welcome, or "". With it, a restarted bot returns to its
	// games within the grace period.
	Resume string
	// OtherNames reports whether the caller can offer another name for the bot. If so, Run returns the refusal of a name
	// that is in use, unless it was the bot's before a lost connection. Otherwise Run waits for the name.
	OtherNames bool
	// Welcomed is called with each secret that the arena gives, so that the caller can keep the
	// secret. If it is nil, the secret is kept only while Run runs.
	Welcomed func(resume string)
	// Admitted is called with each welcome, unless it is nil. registered is true if the name has just become the bot's
	// own.
	Admitted func(registered bool)
}

// Ender is a player that learns when its game has ended, for example to stop a process.
type Ender interface {
	players.Player
	// Ended is called once, after the last Choose. o is nil if the game was given up.
	Ended(o *Over)
}

// RefusedError means that the arena does not admit the bot.
type RefusedError struct {
	Code    Code
	Message string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the arena refuses the bot (%s): %s", e.Code, e.Message)
}

// Temporary reports whether the bot should try again. The arena may not have noticed yet that an
// earlier connection of the bot, perhaps from another process, is lost.
func (e *RefusedError) Temporary() bool {
	return e.Code == NameInUse || e.Code == InternalError || e.Code == Busy
}

// errGoodbye means that the arena does not need the bot any more.
var errGoodbye = errors.New("the arena said goodbye")

// errNotForBots means that a server answers at the address, but does not admit bots there. Another
// try would not help.
var errNotForBots = errors.New("the address of bots ends in /bot, such as ws://127.0.0.1:2048/bot")

// The pause between attempts to reach the arena doubles from firstPause up to lastPause.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = time.Second
)

// Run connects to the arena and plays all games that the arena starts. Run returns nil when the arena says goodbye and
// does not ask the bot to reconnect, and ctx's error when ctx ends. It returns a *RefusedError if the arena does not
// admit the bot; if the name is in use, the arena has no room or the arena failed, Run first tries again for Reconnect.
// It returns another error if the address is not for bots, or if the arena cannot be reached for longer than Reconnect.
func (c *Client) Run(ctx context.Context) error {
	log := c.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	games := newClientGames(c.New, c.Margin, log)
	defer games.close()
	lost, pause, everWelcomed, resume := time.Now(), firstPause, false, c.Resume
	for {
		welcomed, err := c.connect(ctx, games, &resume, log)
		if welcomed {
			lost, pause, everWelcomed = time.Now(), firstPause, true
		}
		var refused *RefusedError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errGoodbye):
			return nil
		case errors.As(err, &refused) && (!refused.Temporary() || c.OtherNames && !everWelcomed && refused.Code == NameInUse):
			return err
		case errors.Is(err, errNotForBots) && !everWelcomed: // a server that was an arena before may become one again
			return err
		case time.Since(lost) >= c.Reconnect && refused != nil:
			return fmt.Errorf("not admitted within %v: %w", c.Reconnect, err)
		case refused != nil:
			log.Info("not admitted, trying again", "in", pause, "why", err)
		case time.Since(lost) >= c.Reconnect:
			return fmt.Errorf("no arena at %s for %v: %w", c.URL, c.Reconnect, err)
		default:
			log.Info("no arena, trying again", "in", pause, "why", err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		pause = min(2*pause, lastPause)
	}
}

// maxArenaFrame is the length in bytes of the longest message that a client reads. It
// exceeds the limit for messages from bots, since bots can trust their arena.
const maxArenaFrame = 1 << 20

// connect plays over one connection until it ends. It reports whether the arena welcomed the bot.
// resume is the secret to present; the welcome replaces it.
func (c *Client) connect(ctx context.Context, games *clientGames, resume *string, log *slog.Logger) (welcomed bool, err error) {
	limits := DefaultLimits()
	limits.MaxFrame = maxArenaFrame
	conn, err := c.dial(ctx, limits)
	if err != nil {
		return false, err
	}
	conn.parallel = c.Hello.Slots > 1
	hello := c.Hello
	hello.Resume = resume
	_ = conn.send(hello) // the empty queue has room
	defer context.AfterFunc(ctx, func() {
		_ = conn.send(Goodbye{Reason: "interrupted"}) // fails if the arena is lost
		conn.end(websocket.CloseNormalClosure, "")
	})()
	h := &clientHandler{conn: conn, games: games, log: log, resume: resume, keep: c.Welcomed, admitted: c.Admitted}
	err = conn.run(context.WithoutCancel(ctx), h)
	return h.welcomed, err
}

// dial opens a connection to the arena.
func (c *Client) dial(ctx context.Context, limits Limits) (*Conn, error) {
	var socket *batchConn
	dialer := websocket.Dialer{
		Subprotocols:     []string{Subprotocol},
		HandshakeTimeout: limits.HelloTime,
		Proxy:            http.ProxyFromEnvironment,
		NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			socket = newBatchConn(conn, limits.WriteWait)
			return socket, nil
		},
	}
	ws, response, err := dialer.DialContext(ctx, c.URL, nil)
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", c.explain(err, response))
	}
	return newConn(ws, socket, limits, fromArena), nil
}

// explain adds the server's answer, if there was one, and a likely mistake in the address to the
// error of dialing.
func (c *Client) explain(err error, response *http.Response) error {
	if response == nil {
		if wrong := new(tls.CertificateVerificationError); errors.As(err, &wrong) {
			return Untrusted(c.URL, wrong)
		}
		if plain := new(tls.RecordHeaderError); errors.As(err, plain) {
			return fmt.Errorf("%w; if the arena speaks no TLS, use ws://", err)
		}
		return err
	}
	switch code := response.StatusCode; {
	case strings.HasPrefix(c.URL, "ws:") && (code == http.StatusBadRequest || code == http.StatusFound):
		return fmt.Errorf("%w: the answer is %s; if the arena speaks TLS, use wss://", err, response.Status)
	case (code == http.StatusOK || code == http.StatusNotFound) && !strings.HasSuffix(response.Request.URL.Path, "/bot"):
		return fmt.Errorf("%w: %s answers %s", errNotForBots, c.URL, response.Status)
	}
	return fmt.Errorf("%w: the answer is %s", err, response.Status)
}

// Untrusted returns the error for an address with a certificate that is not trusted. The error says
// how to trust an authority that the system does not know.
func Untrusted(address string, why error) error {
	return fmt.Errorf("the certificate of %s is not trusted: %w (to trust an authority of your own, name the file with its certificate in SSL_CERT_FILE)", address, why)
}

// clientHandler handles the messages of one connection of a client.
type clientHandler struct {
	conn     *Conn
	games    *clientGames
	log      *slog.Logger
	welcomed bool                // by the arena
	resume   *string             // receives the secret of the welcome
	keep     func(resume string) // also receives the secret, unless keep is nil
	admitted func(registered bool)
}

// handle implements handler. All messages of an arena count as answers: a client
// reads as fast as its arena sends.
func (h *clientHandler) handle(m Message) (answers bool, err error) {
	return true, h.process(m)
}

func (h *clientHandler) process(m Message) error {
	switch m := m.(type) {
	case Welcome:
		h.log.Info("connected", "name", m.Name, "games", m.Games)
		h.welcomed = true
		if *h.resume = m.Resume; h.keep != nil {
			h.keep(m.Resume)
		}
		if h.admitted != nil {
			h.admitted(m.Registered)
		}
		h.conn.limits.PongWait = max(h.conn.limits.PongWait, 3*time.Duration(m.PingMS)*time.Millisecond)
		h.games.attach(h.conn, m.Games)
	case Refusal:
		return &RefusedError{m.Code, m.Message}
	case Goodbye:
		if m.Reconnect {
			return errors.New("the arena closes: " + m.Reason)
		}
		return errGoodbye
	case Error:
		h.log.Warn("the arena reports an error", "code", m.Code, "message", m.Message, "game", m.Game)
	default:
		return h.games.handle(m)
	}
	return nil
}

// strike logs a malformed frame. An unknown type does not count: it may be from a later version of the arena.
func (h *clientHandler) strike(f *FormatError) bool {
	h.log.Warn("the arena sent a malformed message", "problem", f.Problem)
	return f.Code != UnknownType
}

func (h *clientHandler) lost(error) { h.games.detach() }
