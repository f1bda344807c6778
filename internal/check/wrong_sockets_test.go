package check

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
	"versus2048/rules"
)

// pipeListener is a listener. Its connections are pipes.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// dial connects to the listener.
func (l *pipeListener) dial(ctx context.Context) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.conns <- there:
		return here, nil
	case <-l.closed:
	case <-ctx.Done():
	}
	return nil, net.ErrClosed
}

// wrongSocketBot returns a wrong bot that connects to the checker. The checker starts it.
func wrongSocketBot(name string) *SocketBot { return socketBotIn(name, newWorld()) }

func socketBotIn(name string, w *world) *SocketBot {
	listener := newPipeListener()
	b := NewSocketBot(listener, nil)
	b.begin = func() (program, error) { return startSocketWrong(name, w, listener), nil }
	return b
}

// socketWrong speaks the WebSocket protocol for a wrong bot.
type socketWrong struct {
	*wrongBot
	pipeProgram // ends the bot
	listener    *pipeListener
	ws          *websocket.Conn
	writing     sync.Mutex
	busy        sync.WaitGroup
	stops       map[string]chan struct{}
	secret      *string
	answered    map[string]int
	reads       *sniffer
}

func startSocketWrong(name string, w *world, l *pipeListener) program {
	ctx, cancel := context.WithCancel(context.Background())
	empty := ""
	s := &socketWrong{wrongBot: newWrongBot(name, w), listener: l, stops: map[string]chan struct{}{}, secret: &empty, answered: map[string]int{}}
	s.pipeProgram = pipeProgram{ended: make(chan struct{}), ctx: ctx, cancel: cancel, bot: s.wrongBot}
	s.wrongBot.send = s.say
	w.running.Add(1)
	go func() {
		defer close(s.ended)
		defer w.running.Add(-1)
		s.run()
		s.busy.Wait()
	}()
	return s
}

func (s *socketWrong) kill() { s.cancel() }

// run connects again and again.
func (s *socketWrong) run() {
	for s.ctx.Err() == nil {
		again := s.connect()
		s.closeStops()
		if !again {
			return
		}
		select {
		case <-time.After(time.Second):
		case <-s.ctx.Done():
		}
	}
}

func (s *socketWrong) closeStops() {
	for name, stop := range s.stops {
		close(stop)
		delete(s.stops, name)
	}
}

// connect plays over one connection. It reports whether to connect again.
func (s *socketWrong) connect() (again bool) {
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}, NetDialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := s.listener.dial(ctx)
		if err != nil {
			return nil, err
		}
		s.reads = &sniffer{Conn: conn, one: s.is("reads one line of each read")}
		return s.reads, nil
	}}
	if s.is("offers no subprotocol") {
		dialer.Subprotocols = nil
	}
	ws, _, err := dialer.DialContext(s.ctx, "ws://arena/bot", http.Header{})
	if err != nil {
		return true
	}
	s.writing.Lock()
	s.ws = ws
	s.writing.Unlock()
	defer ws.Close()
	defer context.AfterFunc(s.ctx, func() { ws.Close() })()
	if s.is("has a short buffer") {
		ws.SetReadLimit(64 << 10)
	}
	s.pings(ws)
	if s.is("never is ready") {
		<-s.ctx.Done()
		return false
	}
	s.hello()
	for {
		_, text, err := ws.ReadMessage()
		if err != nil {
			return !s.is("ends when the connection is lost")
		}
		done, back := s.handle(string(text))
		if done {
			return back
		}
	}
}

// pings answers pings.
func (s *socketWrong) pings(ws *websocket.Conn) {
	ws.SetPingHandler(func(payload string) error {
		if s.is("answers pings with something else") && strings.Contains(payload, "check") {
			payload = ""
		}
		return ws.WriteControl(websocket.PongMessage, []byte(payload), time.Now().Add(time.Second))
	})
}

func (s *socketWrong) hello() {
	h := map[string]any{"type": "hello", "name": "wrong", "version": "1", "slots": 8, "plays": s.world.said()}
	if !s.is("asks for no secret") {
		h["resume"] = *s.secret
	}
	if s.is("is anonymous") {
		delete(h, "version")
	}
	if s.is("has no name") {
		h["name"] = ""
	}
	s.write(h)
	if s.is("speaks first") {
		s.write(map[string]any{"type": "error", "code": "hurry", "message": "where is my game?"})
	}
}

func (s *socketWrong) write(m map[string]any) {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	s.writeText(websocket.TextMessage, string(text))
}

func (s *socketWrong) writeText(kind int, text string) {
	s.writing.Lock()
	defer s.writing.Unlock()
	_ = s.ws.WriteMessage(kind, []byte(text)) // the connection may be lost
}

// dies reports whether the bot cannot bear a message.
func (s *socketWrong) dies(text string) bool {
	head := strings.HasPrefix(text, `{"type":`)
	return s.is("splits at each space") && strings.Contains(text, "\n") ||
		s.is("takes each read for a line") && s.reads.fragmented.Load() ||
		s.is("dies of unknown fields") && strings.Contains(text, "x_before") ||
		s.is("wants fields in order") && !head && !strings.ContainsAny(text, "\n\\") ||
		s.is("reads no escapes") && strings.Contains(text, `\u0067`) ||
		s.is("dies of a field that may be absent") && strings.Contains(text, `"budget"`)
}

// handle handles a message. It reports whether the connection is at its end, and whether to connect again.
func (s *socketWrong) handle(text string) (done, again bool) {
	if s.dies(text) {
		return true, false
	}
	var head struct{ Type string }
	if json.Unmarshal([]byte(text), &head) != nil {
		return true, false
	}
	m, err := protocol.Decode([]byte(text))
	if err != nil {
		return s.is("dies of unknown messages") && head.Type == "future", false
	}
	switch m := m.(type) {
	case protocol.Welcome:
		if m.Resume != "" && !s.is("forgets the secret") {
			s.secret = &m.Resume
		}
		s.mu.Lock()
		for name := range s.games {
			if !slices.Contains(m.Games, name) {
				delete(s.games, name)
			}
		}
		s.mu.Unlock()
	case protocol.Refusal:
		if m.Code == protocol.NameInUse && !s.is("gives up when its name is in use") {
			return true, true
		}
		return true, s.is("connects again after every refusal")
	case protocol.Goodbye:
		return s.part(m)
	case protocol.Error:
		return s.is("dies of an error"), false
	case protocol.Start:
		if s.is("reads only ASCII") && strings.ContainsFunc(m.Opponent, func(r rune) bool { return r > 127 }) {
			return true, false
		}
		s.start(m)
	case protocol.Request:
		s.think(m)
	case protocol.Over:
		return s.finish(m), false
	}
	return false, false
}

// part answers a goodbye.
func (s *socketWrong) part(m protocol.Goodbye) (done, again bool) {
	switch {
	case s.is("ends after every goodbye"):
		return true, false
	case s.is("connects again after every goodbye"):
		return true, true
	case !m.Reconnect && s.is("never closes the connection"):
		s.ws.SetCloseHandler(func(int, string) error { <-s.ctx.Done(); return nil })
		return false, false
	}
	return true, m.Reconnect
}

func (s *socketWrong) start(m protocol.Start) {
	ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
	if g := s.games[m.Game]; g != nil && m.Resumed {
		s.mu.Lock()
		g.asked = 0
		s.mu.Unlock()
		return
	}
	g := &wrongGame{
		name: m.Game, opponent: m.Opponent, role: m.Role, rules: m.Rules, size: m.Size, ply: m.Ply,
		move: ms(m.Clock.MoveMS), base: ms(m.Clock.BaseMS), resumed: m.Resumed, search: m.Search, resign: m.Resign,
	}
	s.begin(g)
	s.stops[g.name] = make(chan struct{})
	if s.is("moves at the beginning") && m.Ply == 0 && m.Role == rules.Defender && m.Rules == rules.GPCC2015 && m.Size == rules.Full {
		stop := s.stops[g.name]
		s.busy.Go(func() {
			select {
			case <-time.After(aMoment / 2):
				s.write(map[string]any{"type": "move", "game": g.name, "ply": 1, "move": "N"})
			case <-stop:
			}
		})
	}
}

func (s *socketWrong) think(m protocol.Request) {
	g := s.games[m.Game]
	if g == nil {
		return
	}
	if s.is("ignores a repeated request") && s.answered[m.Game] == m.Ply+1 {
		return
	}
	s.answered[m.Game] = m.Ply + 1
	p, err := rules.PositionFrom(g.rules, m.Board, g.role, m.Score, m.Ply)
	if err != nil {
		panic(err)
	}
	t := &turn{game: g, p: p}
	if m.LeftMS != nil {
		t.left, t.limited = time.Duration(*m.LeftMS)*time.Millisecond, true
	}
	stop := s.stops[m.Game]
	if stop == nil {
		stop = make(chan struct{})
		s.stops[m.Game] = stop
	}
	if s.is("does not read while it thinks") {
		s.answer(s.ctx, t, stop)
		return
	}
	s.busy.Go(func() { s.answer(s.ctx, t, stop) })
}

// finish ends a game. It reports whether the bot dies of it.
func (s *socketWrong) finish(m protocol.Over) bool {
	g := s.games[m.Game]
	if g == nil {
		return false
	}
	if s.is("dies of an end while it thinks") && g.thinking.Load() {
		return true
	}
	if stop := s.stops[m.Game]; stop != nil {
		close(stop)
		delete(s.stops, m.Game)
	}
	if s.is("moves after the end") && s.askedIn(g) == 0 {
		s.write(map[string]any{"type": "move", "game": g.name, "ply": 0, "move": "(1,1)"})
	}
	s.end(m.Game)
	return false
}

func (s *socketWrong) say(kind, text string, t *turn) {
	m := map[string]any{"type": kind, "game": t.game.name, "ply": t.p.Ply()}
	switch kind {
	case "move":
		m["move"], m["spent_us"] = text, 0
	case "error":
		m["code"], m["message"] = "cannot_move", text
	}
	switch s.fault {
	case "forgets the ply":
		m["ply"] = t.p.Ply() % 1000
		if t.p.Ply() < 1000 {
			break
		}
	case "changes the game's name":
		m["game"] = strings.ReplaceAll(t.game.name, "ü", "u")
	case "claims more time than its answer took":
		m["spent_us"] = 1_000_000_000
	case "reports uninvited":
		m["search"] = map[string]any{"nodes": 1}
	case "reports nonsense":
		if t.game.search {
			m["search"] = map[string]any{"pv": []string{"(4,4)", "(4,4)"}}
		}
	case "reports what cannot be read":
		if t.game.search {
			m["search"] = map[string]any{"pv": "north"}
		}
	case "writes binary frames":
		s.writeText(websocket.BinaryMessage, "thinking")
	case "writes no JSON":
		s.writeText(websocket.TextMessage, "thinking")
	}
	s.write(m)
}

// sniffer is a connection that sees how frames arrive.
type sniffer struct {
	net.Conn
	one        bool // drop everything after the first frame of a read
	fragmented flag
}

func (c *sniffer) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n == 0 {
		return n, err
	}
	switch b[0] {
	case 0x01:
		c.fragmented.Store(true)
	case 0x81:
		c.fragmented.Store(false)
		if length := frameLength(b[:n]); c.one && length < n {
			n = length
		}
	}
	return n, err
}

// frameLength returns the length of the first frame.
func frameLength(b []byte) int {
	switch {
	case len(b) < 4 || b[1] == 127:
		return len(b)
	case b[1] == 126:
		return 4 + int(b[2])<<8 + int(b[3])
	}
	return 2 + int(b[1])
}
