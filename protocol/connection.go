package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/players/clock"
)

// Conn is one WebSocket connection. While it runs, one goroutine reads from it and another writes to it.
type Conn struct {
	ws         *websocket.Conn
	socket     *batchConn // the connection below ws
	parallel   bool       // whether the connection carries several games at once
	limits     Limits
	pings      *pings       // sent by this end; nil at a bot's end, which only answers pings
	from       sender       // the other end, which sends the messages that are read
	in         bytes.Buffer // the last message; decoded messages do not refer to it
	registered bool         // the welcome is to say that the bot has registered its name
	due        time.Time    // when the message that is being read must be complete; zero between messages
	out        chan frame
	turns      []*clock.Turn // the turns of requests that the writer has taken from the queue and not sent yet

	heard  atomic.Int64  // the time of the last sign of life, in nanoseconds of the Unix time
	alive  func()        // called at each sign of life, unless nil; set before run
	probes chan struct{} // makes the writer send a ping at once

	fault atomic.Pointer[error] // the error that ended writing; nil while messages can be written

	closeOnce   sync.Once
	closing     chan struct{} // closed when the connection is to end
	closeCode   int           // of the close frame; this and the next are set before closing is closed
	closeReason string
	closeTimer  *time.Timer // closes the socket if the other end does not answer the close frame
}

// frame is a message that waits to be written.
type frame struct {
	text []byte
	turn *clock.Turn // the turn of a request, which begins when the frame is sent; nil for any other message
}

// handler receives the messages and the errors of a connection, from the goroutine that reads.
type handler interface {
	// handle processes a message, and reports whether it answers a request. Answers are not throttled, since the
	// sender of the requests sets the pace. A *FormatError goes to strike; any other error ends the connection.
	handle(m Message) (answers bool, err error)
	// strike receives each *FormatError, and reports whether it is a strike. The third strike ends the connection.
	strike(f *FormatError) bool
	// lost is called once nothing more can be read, with the reason.
	lost(why error)
}

// maxStrikes is the number of strikes after which a connection ends.
const maxStrikes = 3

var (
	errStrikes  = errors.New("three strikes")
	errOverflow = errors.New("the other end reads too slowly")
	errNoPong   = errors.New("the other end does not answer pings")
	errTooLong  = errors.New("it sent a message of more than max_frame_bytes")
	errSilent   = errors.New("no sign of life for too long")
	errTooSlow  = errors.New("a message was not complete in time")
)

// newConn returns a connection to a bot, which gets pings, or to an arena.
func newConn(ws *websocket.Conn, socket *batchConn, limits Limits, from sender) *Conn {
	c := &Conn{
		ws: ws, socket: socket, limits: limits, from: from,
		out: make(chan frame, limits.Queue), probes: make(chan struct{}, 1), closing: socket.pace.ended,
	}
	if from == fromBot {
		c.pings = &pings{}
	}
	c.watchPings()
	return c
}

// Refuse sends a refusal to the bot and closes the connection. Do not call it for a connection that Session.Serve has
// accepted.
func (c *Conn) Refuse(code Code, message string) {
	_ = c.send(Refusal{code, message}) // the empty queue has room
	c.end(websocket.ClosePolicyViolation, string(code))
	c.write()
	c.close()
}

// Registered makes the welcome say that the bot has registered its name. It must be called before Session.Attach.
func (c *Conn) Registered() { c.registered = true }

// host returns the address of the machine at the other end, "" if it has none.
func (c *Conn) host() string {
	host, _, err := net.SplitHostPort(c.ws.RemoteAddr().String())
	if err != nil {
		return "" // the connection has no network address
	}
	return host
}

// makeRoom makes the queue long enough for the messages of that many games, which are queued at
// once after a reconnect. It must be called before the first message is sent.
func (c *Conn) makeRoom(games int) { c.out = make(chan frame, c.limits.Queue+4*games) }

// run reads messages until the connection ends, and returns the reason.
func (c *Conn) run(ctx context.Context, h handler) error {
	stop := context.AfterFunc(ctx, func() { c.end(websocket.CloseGoingAway, "closing") })
	defer stop()
	var writer sync.WaitGroup
	writer.Go(c.write)
	err := c.read(h)
	c.socket.in.Close()
	if fault := c.fault.Load(); fault != nil && (errors.Is(err, net.ErrClosed) || errors.Is(err, io.ErrClosedPipe)) {
		err = *fault // the reader knows only that this end has closed the socket
	}
	h.lost(err)
	if form := (*FormatError)(nil); errors.Is(err, errStrikes) && errors.As(err, &form) {
		c.end(websocket.ClosePolicyViolation, fmt.Sprintf("%v: %s", errStrikes, form.repeated()))
	}
	c.end(websocket.CloseNormalClosure, "")
	writer.Wait()
	c.close()
	return err
}

// send queues a message that has no turn.
func (c *Conn) send(m Message) error { return c.queue(m, nil) }

// queue queues a message. turn is the turn of a request, nil for any other message. queue never waits for a slow
// reader: if the queue is full, the connection ends.
func (c *Conn) queue(m Message, turn *clock.Turn) error {
	text, err := Encode(m)
	if err != nil {
		return err
	}
	select {
	case c.out <- frame{text, turn}:
		return nil
	default:
		c.fault.Store(&errOverflow)
		c.end(websocket.ClosePolicyViolation, errOverflow.Error())
		return errOverflow
	}
}

// end makes the connection end once the queued messages are written. Only the first call has an effect.
func (c *Conn) end(code int, reason string) {
	c.closeOnce.Do(func() {
		c.closeCode, c.closeReason = code, reason
		c.closeTimer = time.AfterFunc(c.limits.CloseWait, func() { c.ws.Close() })
		close(c.closing)
	})
}

// maxDrained is the greatest number of bytes that are still read from a connection that ends. Only a client that
// ignores the close frame sends more.
const maxDrained = 128 << 10

// close waits for the other end's close frame and closes the socket. Closing a socket with unread data resets
// it, and the other end might then miss the last messages.
func (c *Conn) close() {
	var err error
	for err == nil {
		_, _, err = c.ws.NextReader()
	}
	if closed := (*websocket.CloseError)(nil); !errors.As(err, &closed) {
		_, _ = io.CopyN(io.Discard, c.ws.NetConn(), maxDrained) // or until the other end or closeTimer closes the socket
	}
	c.closeTimer.Stop()
	c.ws.Close()
}

// read passes messages to h until the connection ends, and returns the reason.
func (c *Conn) read(h handler) error {
	c.ws.SetReadLimit(c.limits.MaxFrame)
	for strikes := 0; ; {
		answers := false
		m, err := c.receive()
		if err == nil {
			answers, err = h.handle(m)
		}
		var form *FormatError
		if err != nil && !errors.As(err, &form) {
			return err
		}
		if form != nil && h.strike(form) {
			strikes++
		}
		if strikes == maxStrikes {
			return fmt.Errorf("%w, the last: %w", errStrikes, form)
		}
		if !answers {
			c.socket.pace.waitAfterUnasked()
		}
	}
}

// receive reads one message. After a *FormatError the next message can be read.
func (c *Conn) receive() (Message, error) {
	c.extendReadDeadline()
	kind, frame, err := c.ws.NextReader()
	if err == nil {
		c.noteSign()
		if c.due.IsZero() {
			c.due = time.Now().Add(c.limits.MessageTime)
		}
		c.extendReadDeadline()
		c.in.Reset()
		_, err = c.in.ReadFrom(frame)
	}
	switch {
	case isTimeout(err) && !c.due.IsZero():
		return nil, fmt.Errorf("%w: %w", errTooSlow, err)
	case isTimeout(err):
		return nil, fmt.Errorf("%w: %w", errSilent, err)
	case errors.Is(err, websocket.ErrReadLimit):
		return nil, fmt.Errorf("%w: %w", errTooLong, err)
	case err != nil:
		return nil, fmt.Errorf("the connection is lost: %w", err)
	}
	c.due = time.Time{}
	if kind != websocket.TextMessage {
		return nil, malformedf("a binary frame, want text")
	}
	return decode(c.in.Bytes(), c.from)
}

// watchPings extends the read deadline with every ping and pong, and measures the round trip of
// this end's pings. Pings and pongs count as unasked messages.
func (c *Conn) watchPings() {
	c.ws.SetPongHandler(func(data string) error {
		c.noteSign()
		c.extendReadDeadline()
		c.socket.pace.waitAfterUnasked()
		if c.pings != nil {
			c.pings.recordPong(data, time.Now())
		}
		return nil
	})
	answer := c.ws.PingHandler()
	c.ws.SetPingHandler(func(data string) error {
		c.noteSign()
		c.extendReadDeadline()
		c.socket.pace.waitAfterUnasked()
		return answer(data)
	})
}

// noteSign notes a sign of life of the other end: a message, a ping or a pong.
func (c *Conn) noteSign() {
	c.heard.Store(time.Now().UnixNano())
	if c.alive != nil {
		c.alive()
	}
}

// heardSince reports whether there was a sign of life since a time.
func (c *Conn) heardSince(t time.Time) bool { return c.heard.Load() >= t.UnixNano() }

// probe sends a ping at once. That ping is not counted as unanswered, and its round trip is not measured.
func (c *Conn) probe() {
	select {
	case c.probes <- struct{}{}:
	default: // one is about to be sent
	}
}

// extendReadDeadline lets the other end be silent for PongWait from now, but not
// beyond the time when the present message is due.
func (c *Conn) extendReadDeadline() {
	deadline := time.Now().Add(c.limits.PongWait)
	if !c.due.IsZero() && c.due.Before(deadline) {
		deadline = c.due
	}
	_ = c.ws.SetReadDeadline(deadline) // fails only on a closed connection
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// write writes queued messages and pings until the connection ends, then the remaining messages and a close frame.
func (c *Conn) write() {
	var ping <-chan time.Time
	var err error
	if c.pings != nil {
		ticker := time.NewTicker(c.limits.PingEvery)
		defer ticker.Stop()
		ping = ticker.C
		if !isClosed(c.closing) {
			err = c.ping() // measures the round trip before the first request
		}
	}
	for {
		if err != nil {
			c.fault.Store(&err)
			c.ws.Close() // so that the reader fails
			return
		}
		select {
		case f := <-c.out:
			err = c.writeBatch(f)
		case <-ping:
			err = c.ping()
		case <-c.probes:
			err = c.ws.WriteControl(websocket.PingMessage, []byte("probe"), time.Now().Add(c.limits.WriteWait))
		case <-c.closing:
			c.writeLast()
			return
		}
	}
}

func (c *Conn) ping() error {
	now := time.Now()
	if time.Duration(c.pings.missed())*c.limits.PingEvery >= c.limits.PongWait {
		return errNoPong
	}
	return c.ws.WriteControl(websocket.PingMessage, c.pings.recordPing(now), now.Add(c.limits.WriteWait))
}

// maxBatch limits a batch: once it has this many bytes, it takes no more frames.
const maxBatch = 16 << 10

// writeBatch writes a message together with the messages that are queued behind it.
func (c *Conn) writeBatch(f frame) error {
	if c.parallel {
		runtime.Gosched() // lets other games queue their messages first
	}
	c.socket.hold()
	err := c.writeFrame(f)
	for err == nil && len(c.out) > 0 && c.socket.buffered() < maxBatch {
		err = c.writeFrame(<-c.out)
	}
	c.beginTurns() // now, before the system call: in an overloaded process a batch can take long
	return errors.Join(err, c.socket.flush())
}

// beginTurns starts the turns of the requests that have been written to the batch and are about to be sent.
func (c *Conn) beginTurns() {
	for _, turn := range c.turns {
		turn.Sent()
	}
	clear(c.turns)
	c.turns = c.turns[:0]
}

func (c *Conn) writeFrame(f frame) error {
	if f.turn != nil {
		c.turns = append(c.turns, f.turn)
	}
	return c.ws.WriteMessage(websocket.TextMessage, f.text)
}

// writeLast writes the messages still queued and a close frame. Errors do not matter: the other end may be gone.
func (c *Conn) writeLast() {
	for {
		select {
		case f := <-c.out:
			err := c.writeFrame(f)
			c.beginTurns()
			if err != nil {
				return
			}
		default:
			last := websocket.FormatCloseMessage(c.closeCode, c.closeReason)
			_ = c.ws.WriteControl(websocket.CloseMessage, last, time.Now().Add(c.limits.WriteWait))
			return
		}
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// batchConn is a network connection that can buffer frames and write them in one
// piece: the system call costs more than all other work on a frame.
type batchConn struct {
	net.Conn
	in        *clock.Reader // reads from the connection
	pace      *pacer        // sets the pace of reading
	drained   int           // bytes read since the connection began to end; only the reader uses it
	writeWait time.Duration // the longest time for a write
	lock      chan struct{} // holds an element during a write and while holding or buffer are in use
	holding   bool
	buffer    []byte
	deadline  atomic.Pointer[time.Time] // of Read; nil once Read has exceeded it
}

// newBatchConn returns a connection with its throttles, which set the pace of reading.
func newBatchConn(c net.Conn, writeWait time.Duration, throttles ...*Throttle) *batchConn {
	in := clock.NewReader(c)
	pace := &pacer{throttles: throttles, onWait: in.Release, ended: make(chan struct{})}
	return &batchConn{Conn: c, in: in, pace: pace, writeWait: writeWait, lock: make(chan struct{}, 1)}
}

// Read reads into p, then waits if the connection reads too fast.
func (b *batchConn) Read(p []byte) (int, error) {
	n, err := b.readInTime(p)
	if isClosed(b.pace.ended) { // from now on the throttles do not wait any more
		if b.drained += n; b.drained > maxDrained && err == nil {
			err = net.ErrClosed
		}
	}
	b.pace.waitAfterRead(n)
	return n, err
}

// Write writes p, or buffers it between hold and flush.
func (b *batchConn) Write(p []byte) (int, error) {
	b.lock <- struct{}{}
	defer func() { <-b.lock }()
	if b.holding {
		b.buffer = append(b.buffer, p...)
		return len(p), nil
	}
	return b.write(p)
}

func (b *batchConn) write(p []byte) (int, error) {
	if err := b.Conn.SetWriteDeadline(time.Now().Add(b.writeWait)); err != nil {
		return 0, err
	}
	return b.Conn.Write(p)
}

// A read that returns more than lateness after its deadline is tried again, for at most secondTry.
const (
	lateness  = 50 * time.Millisecond
	secondTry = time.Second
)

// readInTime reads as net.Conn does. If this process stood still while the deadline passed,
// readInTime reads again, to get the bytes that arrived meanwhile.
func (b *batchConn) readInTime(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	if d := b.deadline.Swap(nil); d == nil || time.Since(*d) < lateness {
		return n, err
	}
	if err := b.in.SetReadDeadline(time.Now().Add(secondTry)); err != nil {
		return 0, err
	}
	return b.in.Read(p)
}

// SetReadDeadline sets the deadline of Read.
func (b *batchConn) SetReadDeadline(t time.Time) error {
	b.deadline.Store(&t)
	return b.in.SetReadDeadline(t)
}

// SetWriteDeadline does nothing: each write sets its own deadline.
func (b *batchConn) SetWriteDeadline(time.Time) error { return nil }

// hold buffers all writes until flush.
func (b *batchConn) hold() {
	b.lock <- struct{}{}
	b.holding = true
	<-b.lock
}

// buffered returns the number of bytes buffered.
func (b *batchConn) buffered() int {
	b.lock <- struct{}{}
	defer func() { <-b.lock }()
	return len(b.buffer)
}

// flush writes the buffer and ends buffering.
func (b *batchConn) flush() error {
	b.lock <- struct{}{}
	defer func() { <-b.lock }()
	b.holding = false
	if len(b.buffer) == 0 {
		return nil
	}
	_, err := b.write(b.buffer)
	b.buffer = b.buffer[:0]
	return err
}

// pings measures the round trip of a connection: the time from a ping to its answer.
// The zero value has no measurements.
type pings struct {
	mu         sync.Mutex
	number     int       // of the last ping
	sent       time.Time // the time of the last ping; zero once that ping is answered
	unanswered int       // pings since the last pong
	roundTrips []time.Duration
}

// keptRoundTrips is the number of measurements kept.
const keptRoundTrips = 8

// recordPing records that a ping is sent now, and returns its payload.
func (p *pings) recordPing(now time.Time) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.number++
	p.sent = now
	p.unanswered++
	return strconv.AppendInt(nil, int64(p.number), 10)
}

// recordPong records a pong with the payload data. After any pong no ping counts as unanswered; only the first
// answer to the last ping is measured.
func (p *pings) recordPong(data string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unanswered = 0
	if p.sent.IsZero() || data != strconv.Itoa(p.number) {
		return
	}
	p.roundTrips = append(p.roundTrips, now.Sub(p.sent))
	p.roundTrips = p.roundTrips[max(0, len(p.roundTrips)-keptRoundTrips):]
	p.sent = time.Time{}
}

// missed returns the number of pings sent since the last pong. It counts pings instead of
// time, because this process sends none while it stands still.
func (p *pings) missed() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unanswered
}

// roundTrip returns the shortest of the last measurements, or 0 if there are none. The shortest
// measurement is the closest to the network's delay: longer ones may include waiting at either end.
func (p *pings) roundTrip() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.roundTrips) == 0 {
		return 0
	}
	return slices.Min(p.roundTrips)
}
