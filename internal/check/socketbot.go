package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
)

// SocketBot is a bot that connects to the checker as to an arena.
type SocketBot struct {
	address string
	begin   func() (program, error) // nil if somebody else starts the bot
	server  *http.Server
	arrived chan *socketChannel
	running program // nil before the first start
	met     bool    // the bot has connected before
}

// NewSocketBot serves the checker's arena on a listener. If there is a command, the checker starts the bot
// by it, and starts it again when the bot has ended or does not connect. The variable VERSUS2048_URL in the bot's
// environment is the address.
func NewSocketBot(listener net.Listener, command []string) *SocketBot {
	b := &SocketBot{address: "ws://" + listener.Addr().String() + "/bot", arrived: make(chan *socketChannel, 16)}
	if len(command) > 0 {
		b.begin = func() (program, error) { return startProcess(command, []string{"VERSUS2048_URL=" + b.address}) }
	}
	b.server = &http.Server{Handler: b, ReadHeaderTimeout: patience}
	go func() { _ = b.server.Serve(listener) }() // returns when finish closes the server
	return b
}

// URL returns the address for the bot to connect to.
func (b *SocketBot) URL() string { return b.address }

func (b *SocketBot) String() string { return b.address }
func (*SocketBot) media() Media     { return Sockets }
func (b *SocketBot) starts() bool   { return b.begin != nil }

// finish closes the arena and ends the bot, if the checker started it.
func (b *SocketBot) finish() {
	_ = b.server.Close()
	b.stop(quitTime)
}

// stop waits for the program to end, if there is one, and kills it after the given time. Then it closes the program's
// connections.
func (b *SocketBot) stop(after time.Duration) {
	if b.running == nil {
		return
	}
	select {
	case <-b.running.done():
	case <-time.After(after):
		b.running.kill()
		<-b.running.done()
	}
	b.running = nil
	for { // closes the connections that the program made
		select {
		case c := <-b.arrived:
			c.ws.Close()
		case <-time.After(aMoment):
			return
		}
	}
}

// ServeHTTP accepts a bot's connection.
func (b *SocketBot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{Subprotocols: []string{protocol.Subprotocol}, HandshakeTimeout: patience}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	c := &socketChannel{
		ws: ws, heard: make(chan received, 4096), pongs: make(chan string, 16),
		closed: make(chan struct{}), ready: make(chan struct{}),
	}
	select {
	case b.arrived <- c:
	default:
		ws.Close() // a bot that connects again and again
	}
}

// open waits for a connection of the bot and welcomes it.
func (b *SocketBot) open(ctx context.Context, on *bench) (*talk, error) {
	t, err := b.await(ctx, on)
	if err != nil {
		return nil, err
	}
	if err := t.welcome(ctx, nil); err != nil {
		t.close()
		on.absent = cmp.Or(on.absent, "the bot sent no valid hello")
		return nil, err
	}
	return t, nil
}

// await waits for the bot's next connection. It starts the bot's command if it is not running. If no connection comes,
// await ends the command, starts it once more and waits again.
func (b *SocketBot) await(ctx context.Context, on *bench) (*talk, error) {
	if on.absent != "" {
		return nil, skipf("%s", on.absent)
	}
	var absence Failure
	for range 2 {
		if err := b.launch(); err != nil {
			on.absent = "the bot cannot be started"
			return nil, &finding{Failure{Problem: "the bot cannot be started: " + err.Error()}, "handshake.ready"}
		}
		t, err := b.arrival(ctx, on, on.options.Wait)
		if t != nil || err != nil {
			return t, err
		}
		absence = b.absence(on.options.Wait)
		if b.begin == nil {
			break
		}
		b.stop(0)
	}
	on.absent = "the bot does not connect"
	if b.met {
		return nil, skipf("%s, although one did before", absence.Problem)
	}
	return nil, &finding{absence, "handshake.ready"}
}

// absence returns the failure that no bot has come, with possible reasons: how its command ended, and the text that it
// wrote.
func (b *SocketBot) absence(within time.Duration) Failure {
	f := Failure{Problem: fmt.Sprintf("no bot connects to %s within %v", b.address, within)}
	if b.running == nil {
		return f
	}
	f.Stderr = b.running.stderr()
	select {
	case <-b.running.done():
		f.Problem = fmt.Sprintf("no bot connects to %s: its command ends (%s)", b.address, cmp.Or(b.running.exit(), "exit status 0"))
	default:
	}
	return f
}

// launch starts the program, unless it runs or somebody else starts it.
func (b *SocketBot) launch() error {
	if b.begin == nil {
		return nil
	}
	if b.running != nil {
		select {
		case <-b.running.done():
		default:
			return nil
		}
	}
	p, err := b.begin()
	if err != nil {
		return err
	}
	b.running = p
	// The standard output of a bot on a socket is read and dropped, so that it never blocks the bot.
	go func() { _, _ = io.Copy(io.Discard, p.stdout()) }() // ends with the process, or when kill closes the pipe
	return nil
}

// arrival waits for a connection. It returns nil if none comes in time, or before the command ends.
func (b *SocketBot) arrival(ctx context.Context, on *bench, within time.Duration) (*talk, error) {
	var ended <-chan struct{}
	if b.running != nil {
		ended = b.running.done()
	}
	select {
	case c := <-b.arrived:
		b.met = true
		c.running = b.running
		go c.read(on.now)
		return on.newTalk(c, objectForm{}), nil
	case <-time.After(within):
	case <-ended:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return nil, nil
}

// welcome reads the hello and welcomes the bot. games are its games in progress.
func (t *talk) welcome(ctx context.Context, games []string) error {
	if err := t.readHello(ctx); err != nil {
		return err
	}
	if s, spoke, err := t.hear(ctx, aMoment/4); err == nil && spoke {
		t.intro.early = append(t.intro.early, s)
	}
	return t.admit(games)
}

func (t *talk) readHello(ctx context.Context) error {
	s, ok, err := t.hear(ctx, patience)
	switch {
	case errors.Is(err, errEnded):
		return t.unready("the bot ends before its hello")
	case err != nil:
		return err
	case !ok:
		return t.unready("no hello within %v", patience)
	case s.kind != saidHello:
		return t.unready("the first message is no hello: %s", s.invalid)
	}
	h := s.hello
	if err := protocol.CheckName(h.Name); err != nil {
		return t.unready("the hello: %v", err)
	}
	if h.Slots < 0 || h.Slots > protocol.MaxSlots {
		return t.unready("the hello has slots %d: want 1 to %d", h.Slots, protocol.MaxSlots)
	}
	t.intro = intro{name: h.Name, version: h.Version, slots: max(1, h.Slots), plays: h.Plays}
	t.resume = h.Resume
	return t.meet()
}

func (t *talk) admit(games []string) error {
	m := message{word: "welcome"}.
		add("name", t.intro.name).add("ping_ms", 5000).add("grace_ms", 30000).add("max_frame_bytes", 65536).
		add("games", append([]string{}, games...))
	if t.resume != nil {
		m = m.add("resume", resumeSecret)
	}
	return t.say(m)
}

// resumeSecret is the secret for a bot that asks for one.
const resumeSecret = "THECHECKERSSECRET"

// leave says goodbye so that the bot comes back.
func (b *SocketBot) leave(_ context.Context, t *talk) {
	if t.broken {
		return
	}
	_ = t.say(goodbye("the next check", true)) // it may have gone
	t.socket().end(websocket.CloseGoingAway)
}

func goodbye(reason string, reconnect bool) message {
	return message{word: "goodbye"}.add("reason", reason).add("reconnect", reconnect)
}

// socket returns the channel of a conversation over a WebSocket.
func (t *talk) socket() *socketChannel { return t.channel.(*socketChannel) }

// socketChannel is a WebSocket.
type socketChannel struct {
	ws      *websocket.Conn
	running program // nil if somebody else started the bot
	writing sync.Mutex
	heard   chan received
	pongs   chan string
	ready   chan struct{} // closed when the other side has closed
	closed  chan struct{}
	once    sync.Once
}

// read reads messages until the connection ends.
func (c *socketChannel) read(now func() time.Duration) {
	defer close(c.ready)
	defer close(c.heard)
	c.ws.SetPongHandler(func(payload string) error {
		select {
		case c.pongs <- payload:
		default: // nobody waits for them
		}
		return nil
	})
	for {
		kind, text, err := c.ws.ReadMessage()
		if err != nil {
			return
		}
		r := received{text: string(text), at: now()}
		if kind != websocket.TextMessage {
			r.problem = "a binary frame"
		}
		select {
		case c.heard <- r:
		case <-c.closed:
			return
		}
	}
}

func (c *socketChannel) texts() <-chan received { return c.heard }

func (c *socketChannel) stderr() string {
	if c.running == nil {
		return ""
	}
	return c.running.stderr()
}

// send sends one message, each piece as a frame of its own.
func (c *socketChannel) send(pieces ...string) error {
	for i, piece := range pieces {
		if err := c.write(frame(i == 0, i == len(pieces)-1, piece)); err != nil {
			return err
		}
	}
	return nil
}

// together sends messages in one write.
func (c *socketChannel) together(texts []string) error {
	var frames []byte
	for _, text := range texts {
		frames = append(frames, frame(true, true, text)...)
	}
	return c.write(frames)
}

// write writes whole frames. The library writes each ping and each close frame in a single write, so frames never mix.
func (c *socketChannel) write(frames []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := c.ws.NetConn().SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	_, err := c.ws.NetConn().Write(frames)
	return err
}

// frame returns a frame of a text message (RFC 6455, section 5.2).
func frame(first, last bool, text string) []byte {
	var head byte
	if first {
		head |= websocket.TextMessage
	}
	if last {
		head |= 0x80
	}
	n := len(text)
	switch {
	case n < 126:
		return slices.Concat([]byte{head, byte(n)}, []byte(text))
	case n < 1<<16:
		return slices.Concat([]byte{head, 126, byte(n >> 8), byte(n)}, []byte(text))
	}
	return slices.Concat([]byte{head, 127, 0, 0, 0, 0, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, []byte(text))
}

func (c *socketChannel) ping(payload string) error {
	return c.ws.WriteControl(websocket.PingMessage, []byte(payload), time.Now().Add(writeTime))
}

// pong waits for the pong with a payload and reports whether it comes in time.
func (c *socketChannel) pong(ctx context.Context, payload string, within time.Duration) bool {
	for end := time.After(within); ; {
		select {
		case got := <-c.pongs:
			if got == payload {
				return true
			}
		case <-end:
			return false
		case <-ctx.Done():
			return false
		case <-c.ready:
			return false
		}
	}
}

// end sends a close frame, waits at most a second for the bot's close frame, and closes the connection.
func (c *socketChannel) end(code int) {
	_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second))
	select {
	case <-c.ready:
	case <-time.After(time.Second):
	}
	c.close()
}

func (c *socketChannel) close() {
	c.once.Do(func() {
		close(c.closed)
		c.ws.Close()
	})
}
