package protocol

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/players/clock"
	"versus2048/rules"
)

// ErrNameInUse means that the bot already has another connection.
var ErrNameInUse = errors.New("the bot is connected already")

// ErrNameKept means that the arena keeps the name for a bot that has lost its connection, until the bot's grace period
// is over. A new connection without the bot's secret may replace the bot only as Serve says.
var ErrNameKept = errors.New("the name is kept for a bot that has lost its connection")

// errLeft means that the bot left on purpose.
var errLeft = errors.New("the bot said goodbye")

// Session is a bot in the arena, across all its connections. While the bot is
// disconnected, its games wait for the grace period.
type Session struct {
	mu        sync.Mutex
	grace     time.Duration
	hello     Hello
	host      string           // the address of the last connection; "" if unknown
	secret    string           // the bot's proof of its identity; "" if the bot does not use secrets
	replaced  string           // the secret of an earlier bot that this one has replaced; "" for none
	reclaimed bool             // the replaced bot has come back; only that bot may connect now
	conn      *Conn            // nil while disconnected
	connected chan struct{}    // closed while connected
	absence   *clock.Countdown // of the grace period; runs while disconnected
	hasLeft   bool             // the bot is disconnected on purpose
	cause     string           // the reason why the bot is disconnected, "" if it has not connected yet
	met       bool             // the bot has connected
	since     time.Time        // when it connected last
	onConnect func()           // called when the bot has connected, and when it is not silent any more
	onLost    func()           // called when the bot has lost its connection
	onAccount func()           // called when the account has changed, with the lock held
	stalls    clock.Source     // knows when the arena stalls; nil means never
	seats     map[string]*Seat // by game; the games in progress
	account   Account
	silent    atomic.Bool // the bot may have lost its connection; see doubt
	credit    int         // the number of answers, right or wrong, that the bot may still send; see answer
}

// Account counts the games and the faults of a bot since its session began.
type Account struct {
	Games      int    `json:"games"`          // games that have begun
	Faults     int    `json:"faults"`         // games that it has lost by a fault, such as an illegal move
	Complaints int    `json:"complaints"`     // wrong messages of the bot, and errors that it reported
	Last       string `json:"last,omitempty"` // the last fault or complaint, a text partly from the bot
}

// Account returns the bot's account so far.
func (s *Session) Account() Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.account
}

// NewSession returns the session of a bot that is not connected yet. Its grace
// period begins now. Hello returns the given hello until the bot sends its own.
func NewSession(hello Hello, grace time.Duration) *Session {
	s := &Session{
		grace: grace, hello: hello,
		connected: make(chan struct{}), seats: map[string]*Seat{},
	}
	s.SetClock(nil)
	return s
}

// SetClock makes the grace period leave out the arena's own stalls, which the source measures. It
// starts the grace period again, and must be called before the bot connects.
func (s *Session) SetClock(stalls clock.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.absence != nil {
		s.absence.Stop()
	}
	s.stalls, s.absence = stalls, clock.NewCountdown(stalls, s.grace)
	s.absence.Start()
}

// Away reports whether the bot is disconnected, and for how long it may stay away before it loses a game.
func (s *Session) Away() (rest time.Duration, away bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		return 0, false
	}
	rest = s.absence.Left()
	for _, t := range s.seats {
		if t.absence != nil {
			rest = min(rest, t.absence.Left())
		}
		if t.open != nil && t.away != nil && t.open.turn.Limited() {
			rest = min(rest, t.away.Left())
		}
	}
	return rest, true
}

// Since returns the time at which the bot connected last, the zero time if it never did.
func (s *Session) Since() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.since
}

// Games returns the number of games that the bot is playing.
func (s *Session) Games() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seats)
}

// Hello returns the bot's last hello.
func (s *Session) Hello() Hello {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hello
}

// SetGrace changes the grace period. It takes effect when the bot loses its connection the next time.
func (s *Session) SetGrace(grace time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grace = grace
}

// remaining returns the part of a grace period that is left for a bot that is disconnected now. The
// caller holds the lock.
func (s *Session) remaining(grace time.Duration) time.Duration {
	if s.hasLeft {
		return 0
	}
	return max(0, grace-s.absence.Read().Used)
}

// Gone reports whether the bot has been disconnected for longer than a grace period, or has left on purpose.
func (s *Session) Gone(grace time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn == nil && s.remaining(grace) == 0
}

// Absent returns the time for which the bot has been disconnected, 0 while it is connected. The arena's own stalls do
// not count.
func (s *Session) Absent() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		return 0
	}
	return s.absence.Read().Used
}

// OnConnect makes the session call do each time that the bot has connected, and when the bot is not silent any
// more. OnConnect must be called before the first Serve.
func (s *Session) OnConnect(do func()) { s.onConnect = do }

// OnLost makes the session call do each time that the bot has lost its connection. OnLost must be
// called before the first Serve.
func (s *Session) OnLost(do func()) { s.onLost = do }

// OnAccount makes the session call do each time that the bot's account has changed. do must not call the
// session. OnAccount must be called before the first Serve.
func (s *Session) OnAccount(do func()) { s.onAccount = do }

// enter changes the account. The caller holds the lock.
func (s *Session) enter(change func(*Account)) {
	change(&s.account)
	if s.onAccount != nil {
		s.onAccount()
	}
}

// HasConnected reports whether the bot is connected, or was.
func (s *Session) HasConnected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.met
}

// Connected reports whether the bot has a connection.
func (s *Session) Connected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn != nil
}

// Silent reports whether the bot has not answered in time and has given no sign of life since it was asked. The silence
// ends with the next sign of life, or with the connection.
func (s *Session) Silent() bool { return s.silent.Load() }

// doubt notes that the bot has not answered a request in time; asked is the time of the request. If the bot has given
// no sign of life since then, it counts as silent: when a cable is pulled out, the connection lasts until the arena
// notices, and the bot should not lose one game after the other meanwhile.
func (s *Session) doubt(asked time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil || s.conn.heardSince(asked) {
		return
	}
	s.silent.Store(true)
	s.conn.probe()
}

// revive ends the bot's silence. It is called at each sign of life.
func (s *Session) revive() {
	if s.silent.Load() && s.silent.Swap(false) && s.onConnect != nil {
		s.onConnect()
	}
}

// Wait waits until the bot is connected. It returns ctx's error if ctx ends first.
func (s *Session) Wait(ctx context.Context) error {
	s.mu.Lock()
	connected := s.connected
	s.mu.Unlock()
	select {
	case <-connected:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Serve lets the bot play over conn until the connection ends, and returns the reason. If the bot
// already has another connection, Serve returns ErrNameInUse; if hello is not the bot's own, Serve
// returns ErrNameKept. In both cases Serve does not touch conn. A bot from the same address may
// replace a disconnected bot, until that bot comes back with its secret.
func (s *Session) Serve(ctx context.Context, conn *Conn, hello Hello) error {
	if err := s.Attach(conn, hello); err != nil {
		return err
	}
	return s.Run(ctx, conn)
}

// Attach is the first half of Serve. It returns at once, with the same errors. If it returns nil, conn is the bot's
// connection from then on, and the caller must call Run.
func (s *Session) Attach(conn *Conn, hello Hello) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reclaim(hello)
	switch {
	case s.conn != nil:
		return ErrNameInUse
	case !s.isOwn(hello) && !s.mayReplace(conn):
		return ErrNameKept
	}
	s.attach(conn, hello)
	return nil
}

// Run is the second half of Serve: it lets the bot play over the connection that Attach has accepted.
func (s *Session) Run(ctx context.Context, conn *Conn) error {
	if s.onConnect != nil {
		s.onConnect()
	}
	return conn.run(ctx, s)
}

// StartGame starts a game from position p, and returns the bot's seat in it. It fills in the board,
// score, ply, rules and size of start, and sends start to the bot.
func (s *Session) StartGame(start Start, p rules.Position) *Seat {
	seat := &Seat{session: s, start: start, position: p}
	seat.start.Rules, seat.start.Size = p.Rules(), p.Size()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seats[start.Game] = seat
	s.enter(func(a *Account) { a.Games++ })
	s.send(seat.currentStart())
	return seat
}

// Goodbye sends a goodbye to the bot and closes the connection. reconnect asks the
// bot to try again later. Goodbye reports whether there was a connection.
func (s *Session) Goodbye(reason string, reconnect bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return false
	}
	s.end(reason, reconnect)
	return true
}

// end sends a goodbye and closes the connection. The caller holds the lock.
func (s *Session) end(reason string, reconnect bool) {
	s.send(Goodbye{reason, reconnect})
	s.cause = "the arena said goodbye: " + reason
	s.conn.end(websocket.CloseGoingAway, "goodbye")
}

// attach makes conn the bot's connection, and sends the welcome and the state of
// its games. The caller holds the lock.
func (s *Session) attach(conn *Conn, hello Hello) {
	s.renewSecret(hello)
	s.host, s.reclaimed = conn.host(), false
	conn.makeRoom(max(hello.Slots, len(s.seats))) // the bot may offer fewer slots than before
	s.conn, s.hello, s.credit, s.hasLeft, s.met, s.cause = conn, hello, hello.Slots, false, true, ""
	conn.alive = s.revive
	s.since = time.Now()
	s.absence.Stop()
	if isClosed(s.absence.Over()) {
		s.absence = clock.NewCountdown(s.stalls, s.grace)
	}
	close(s.connected)
	games := slices.AppendSeq([]string{}, maps.Keys(s.seats)) // empty, not nil: the JSON is [], not null
	slices.Sort(games)
	s.send(Welcome{
		Name:          hello.Name,
		PingMS:        conn.limits.PingEvery.Milliseconds(),
		GraceMS:       s.grace.Milliseconds(),
		MaxFrameBytes: conn.limits.MaxFrame,
		Games:         games,
		Resume:        s.secret,
		Registered:    conn.registered,
	})
	for _, game := range games {
		s.seats[game].resume()
	}
}

// isOwn reports whether a hello is from the bot that lost its connection, as far as
// that bot can prove it. After its grace period the name is free.
func (s *Session) isOwn(hello Hello) bool {
	return s.secret == "" || isClosed(s.absence.Over()) || subtle.ConstantTimeCompare([]byte(hello.resume()), []byte(s.secret)) == 1
}

// mayReplace reports whether a bot without the secret may replace the disconnected one. A program
// that died and was started again has forgotten the secret, but comes from the same address.
func (s *Session) mayReplace(conn *Conn) bool {
	return !s.reclaimed && s.host != "" && s.host == conn.host()
}

// reclaim gives the session back to a bot that another bot has replaced, if hello has the secret of the first
// bot. It sends the other bot away; once that bot has gone, the first one will be admitted. The caller holds the
// lock.
func (s *Session) reclaim(hello Hello) {
	if s.replaced == "" || subtle.ConstantTimeCompare([]byte(hello.resume()), []byte(s.replaced)) == 0 {
		return
	}
	s.secret, s.replaced, s.reclaimed = s.replaced, "", true
	if s.conn != nil {
		s.end("the bot that this one replaced is back", false)
	}
}

// renewSecret makes a secret for a bot that uses secrets. A bot that came back keeps its secret,
// because the welcome with a new one might not arrive.
func (s *Session) renewSecret(hello Hello) {
	switch {
	case isClosed(s.absence.Over()): // the name was free
		s.replaced = ""
	case s.replaced == "" && !s.isOwn(hello):
		s.replaced = s.secret
	}
	switch {
	case hello.Resume == nil:
		s.secret = ""
	case s.secret == "" || hello.resume() != s.secret:
		s.secret = rand.Text()
	}
}

// Vouch makes the session accept the next hello without the secret: the bot has proved
// in another way that the name is its own.
func (s *Session) Vouch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secret, s.replaced = "", ""
}

// send sends a message if the bot is connected. The caller holds the lock. A message that does not
// arrive is lost, but when the bot connects again, attach sends the state of each game.
func (s *Session) send(m Message) {
	if s.conn != nil {
		_ = s.conn.send(m)
	}
}

// ask sends a request if the bot is connected. The turn begins once the request is sent. The caller
// holds the lock.
func (s *Session) ask(r Request, turn *clock.Turn) {
	if s.conn == nil {
		return
	}
	s.credit = min(s.credit+1, 2*s.hello.Slots)
	_ = s.conn.queue(r, turn)
}

// drained returns a channel that is closed once all messages that had arrived from the bot have been handled.
func (s *Session) drained() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		closed := make(chan struct{})
		close(closed)
		return closed
	}
	return s.conn.socket.in.Drained()
}

// roundTrip returns the round trip of the bot's connection, or 0 without one.
func (s *Session) roundTrip() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return 0
	}
	return s.conn.pings.roundTrip()
}

// lost implements handler.
func (s *Session) lost(why error) {
	s.lose(why)
	if s.onLost != nil {
		s.onLost()
	}
}

// lose starts the grace period, unless the bot left on purpose: then the bot is gone at once.
func (s *Session) lose(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn = nil
	s.silent.Store(false)
	s.connected = make(chan struct{})
	s.hasLeft, s.cause = errors.Is(why, errLeft), cmp.Or(s.cause, causeOf(why))
	grace := s.grace
	if s.hasLeft {
		grace = 0
	}
	s.absence.Reset(grace)
	s.absence.Start()
	for _, t := range s.seats {
		t.lose()
	}
}

// causeOf says in a game's record why a connection has ended. The error itself may have addresses of machines.
func causeOf(why error) string {
	if errors.Is(why, errLeft) || errors.Is(why, errStrikes) {
		return fmt.Sprintf("%.300s", why)
	}
	for _, known := range []error{errTooLong, errOverflow, errNoPong, errSilent, errTooSlow} {
		if errors.Is(why, known) {
			return known.Error()
		}
	}
	var closed *websocket.CloseError
	if errors.As(why, &closed) && closed.Code != websocket.CloseAbnormalClosure {
		return fmt.Sprintf("it closed the connection with code %d", closed.Code)
	}
	return "its connection was lost"
}

// handle implements handler for the messages of the bot.
func (s *Session) handle(m Message) (answers bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m := m.(type) {
	case Move:
		return s.answer(m, m.Game, m.Ply)
	case Resign:
		return s.answer(m, m.Game, m.Ply)
	case Error:
		return s.handleError(m)
	case Goodbye:
		return false, fmt.Errorf("%w: %.200q", errLeft, m.Reason)
	}
	return false, unknownTypef("a bot must not send a %s now", m.kind())
}

// strike implements handler: every malformed frame counts, and the bot gets an error for it.
func (s *Session) strike(f *FormatError) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sendError(Error{Code: f.Code, Message: f.Problem, Game: f.game, Ply: f.ply})
	return true
}

// handleError handles an error message of the bot.
func (s *Session) handleError(e Error) (answers bool, err error) {
	if e.Code == CannotMove && e.Ply != nil {
		return s.answer(e, e.Game, *e.Ply)
	}
	s.setComplaint(e.Game, fmt.Sprintf("the bot reports %.40q: %.200q", e.Code, e.Message))
	return false, nil
}

// answer passes an answer to the seat with the open request. If there is none,
// it sends an error, or returns one that counts as a strike.
//
// An answer may cross with the end of its game or of its time, and a bot that comes back may repeat
// an answer. Such answers are honest. Their number is limited: a bot may send one answer for each
// request, and one more for each slot after it has connected. Further answers count as strikes.
func (s *Session) answer(m Message, game string, ply int) (answers bool, err error) {
	s.credit--
	seat, e := s.seats[game], Error{Code: NotAsked, Game: game, Ply: &ply}
	switch {
	case seat == nil:
		e.Code, e.Message = UnknownGame, fmt.Sprintf("%s for game %.40q, which is not in progress", m.kind(), game)
	case seat.open == nil:
		e.Message = fmt.Sprintf("%s for ply %d: no request is open", m.kind(), ply)
	case seat.open.request.Ply != ply:
		e.Message = fmt.Sprintf("%s for ply %d: the request is for ply %d", m.kind(), ply, seat.open.request.Ply)
	case m.kind() == Resign{}.kind() && !seat.start.Resign:
		e.Code, e.Message = NoResign, "the event takes no resignations: answer with a move"
	default:
		s.credit = max(s.credit, 0)
		seat.open.turn.Arrived(s.conn.socket.in.LastRead())
		seat.open.answer <- m // has room: each request is answered once
		seat.open = nil
		return true, nil
	}
	if s.credit < 0 && e.Code != NoResign {
		s.credit = 0
		return false, &FormatError{Code: e.Code, Problem: e.Message, game: game, ply: e.Ply}
	}
	s.credit = max(s.credit, 0)
	s.sendError(e)
	return false, nil
}

// sendError sends an error to the bot and records it as a complaint.
func (s *Session) sendError(e Error) {
	s.send(e)
	s.setComplaint(e.Game, "the bot's last error: "+e.Message)
}

// setComplaint records a mistake of the bot, or an error that it reported, in a game. If that game is not in progress,
// all games in progress get the complaint.
func (s *Session) setComplaint(game, text string) {
	s.enter(func(a *Account) {
		a.Complaints++
		a.Last = text
	})
	if seat := s.seats[game]; seat != nil {
		seat.complaint = text
		return
	}
	for _, seat := range s.seats {
		seat.complaint = text
	}
}
