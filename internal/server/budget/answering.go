package budget

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// Patience is the longest time that a request waits for its first turn.
const Patience = 10 * time.Second

// The numbers of bytes that are kept in memory for a request: of its body, which is read before the turn, and of its
// answer, which is sent after the turn. So a client that sends or reads slowly does not hold a turn.
const (
	keptBody   = 16 << 10
	keptAnswer = 256 << 10
)

// Answering gives the requests of strangers their turns.
type Answering struct {
	Budget *Budget
	// Free reports whether a request need not wait, because it is not a stranger's, and returns the context to answer
	// it with.
	Free func(*http.Request) (context.Context, bool)
	From func(*http.Request) netip.Prefix // the addresses of the sender
	// Same names the answer to a request if every sender of this request gets the same answer, and returns "" for
	// other requests. Requests that wait for the same answer at the same moment get it together. If Same is nil, all
	// answers differ.
	Same func(*http.Request) string

	crowds crowds
}

// Handler returns a handler that waits for a turn before next answers a request. It refuses a request that waits longer
// than [Patience] with status 503.
func (a *Answering) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ctx, free := a.Free(r); free {
			within(ctx, next, w, r)
			return
		}
		if r.ContentLength != 0 {
			r.Body = keepBody(r.Body)
		}
		waiting, end := context.WithTimeout(r.Context(), Patience)
		defer end()
		if key := a.same(r); key != "" {
			a.together(waiting, key, w, r, next)
			return
		}
		a.alone(waiting, newCrowd(""), w, r, next)
	})
}

// within lets next answer a request with another context. It changes the caller's request in place, because
// http.ServeMux notes its pattern there.
func within(ctx context.Context, next http.Handler, w http.ResponseWriter, r *http.Request) {
	*r = *r.WithContext(ctx)
	next.ServeHTTP(w, r)
}

// same returns the name of an answer that several requests may wait for, "" for none. While no event is played, nobody
// waits.
func (a *Answering) same(r *http.Request) string {
	if a.Same == nil || !a.Budget.Playing() {
		return ""
	}
	return a.Same(r)
}

// alone waits for the turn of the first request of a crowd, at most until waiting ends, and answers the request. It
// settles the crowd before it sends anything, since the client may read slowly.
func (a *Answering) alone(waiting context.Context, c *crowd, w http.ResponseWriter, r *http.Request, next http.Handler) {
	turn, err := a.Budget.Begin(waiting, Answers, a.From(r))
	a.crowds.begin(c)
	if err != nil {
		c.settle(nil)
		refuse(w)
		return
	}
	c.begun = true
	defer c.settle(nil) // if the handler panics
	answer := &answer{ResponseWriter: w, request: r, turn: turn, crowd: c}
	defer func() { answer.turn.End() }() // even if the handler panics; the answer may have another turn by then
	within(With(r.Context(), turn), next, answer, r)
	answer.finish()
}

// together answers a request with all others that wait for the same answer.
func (a *Answering) together(waiting context.Context, key string, w http.ResponseWriter, r *http.Request, next http.Handler) {
	c, first := a.crowds.join(key)
	if first {
		a.alone(waiting, c, w, r, next)
		return
	}
	select {
	case <-c.done:
	case <-waiting.Done():
		refuse(w)
		return
	}
	switch {
	case c.answer != nil:
		r.Pattern = c.answer.route
		a.Budget.charge(Answers)
		c.answer.send(w)
	case c.begun: // the answer cannot be shared: each of the other requests waits for its own turn
		a.alone(waiting, newCrowd(""), w, r, next)
	default: // the first one got no turn
		a.together(waiting, key, w, r, next)
	}
}

// keepBody reads the beginning of a body into memory, as a rule all of it, and returns a reader of the whole body.
func keepBody(body io.ReadCloser) io.ReadCloser {
	kept, err := io.ReadAll(io.LimitReader(body, keptBody))
	rest := io.Reader(body)
	if err != nil {
		rest = failing{err}
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(kept), rest), body}
}

// failing is the rest of a body that could not be read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// refuse answers a request that got no turn.
func refuse(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "5")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = fmt.Fprintln(w, `{"error":"this arena plays an event, which goes first, and others ask for much: try again later"}`) // the client may be gone
}

// answer keeps the bytes that a handler writes until the turn has ended, or for a stream until the handler flushes.
type answer struct {
	http.ResponseWriter
	request *http.Request
	turn    *Turn
	crowd   *crowd // the requests that wait for this answer
	status  int    // 0 before the answer begins
	body    bytes.Buffer
	begun   bool // the header is sent
	stream  bool // the handler has flushed: it waits for news, and has no turn meanwhile
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write keeps p. Once keptAnswer bytes are kept, Write sends them and, unless the answer is a stream, waits for another
// turn.
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	n, _ := a.body.Write(p) // it takes everything
	if a.body.Len() < keptAnswer {
		return n, nil
	}
	if err := a.send(); err != nil || a.stream {
		return n, err
	}
	return n, a.again()
}

// FlushError is for http.ResponseController.
func (a *answer) FlushError() error {
	a.WriteHeader(http.StatusOK)
	if a.stream { // each piece of a stream has a turn of its own
		if err := a.again(); err != nil {
			return err
		}
	}
	a.stream = true
	if err := a.send(); err != nil {
		return err
	}
	return http.NewResponseController(a.ResponseWriter).Flush()
}

// Hijack takes over the connection.
func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	a.turn.End()
	a.crowd.settle(nil)
	return http.NewResponseController(a.ResponseWriter).Hijack()
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// send ends the turn and sends the bytes that are kept. The other requests of the crowd do not wait for this client:
// unless they have the answer by now, they do not get it.
func (a *answer) send() error {
	a.turn.End()
	a.crowd.settle(nil)
	if !a.begun && a.status != 0 {
		a.begun = true
		a.ResponseWriter.WriteHeader(a.status)
	}
	if a.body.Len() == 0 {
		return nil
	}
	_, err := a.ResponseWriter.Write(a.body.Bytes())
	a.body.Reset()
	return err
}

// finish gives a complete answer to the other requests that wait for it, and sends the rest of the answer.
func (a *answer) finish() {
	if !a.begun && a.status != 0 && a.request.Context().Err() == nil {
		a.crowd.settle(a.copied())
	}
	_ = a.send() // the client may be gone
}

// copied returns a copy of an answer that is complete and not sent. The copy shares the bytes of the body: nothing is
// written over them any more.
func (a *answer) copied() *copied {
	return &copied{a.request.Pattern, a.status, a.Header().Clone(), a.body.Bytes()}
}

// again waits for another turn.
func (a *answer) again() error {
	next, err := a.turn.budget.Begin(a.request.Context(), Answers, a.turn.from)
	if err == nil {
		a.turn = next
	}
	return err
}

// crowd stands for the requests that wait for the same answer. The first of them waits for the turn.
type crowd struct {
	key     string        // the answer's name; "" if nobody can join
	done    chan struct{} // closed when the first one has its answer, or got none
	settled sync.Once

	// Set before done is closed:
	begun  bool    // the first one got its turn
	answer *copied // nil if the others cannot have it
}

func newCrowd(key string) *crowd { return &crowd{key: key, done: make(chan struct{})} }

// settle ends the wait of the other requests. They get the answer, unless it is nil. Only the first call has an effect.
func (c *crowd) settle(answer *copied) {
	c.settled.Do(func() {
		c.answer = answer
		close(c.done)
	})
}

// crowds has the crowds that still wait, by the answer's name. Its methods may be called from several goroutines.
type crowds struct {
	mu   sync.Mutex
	open map[string]*crowd
}

// join returns the crowd that waits for an answer. first reports whether the caller is its first member. The other
// members wait for the answer to the first one.
func (c *crowds) join(key string) (joined *crowd, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.open[key]; known != nil {
		return known, false
	}
	if c.open == nil {
		c.open = map[string]*crowd{}
	}
	c.open[key] = newCrowd(key)
	return c.open[key], true
}

// begin lets nobody join any more: a request that comes later must not get an answer that is older than the request.
func (c *crowds) begin(begun *crowd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, begun.key)
}

// copied is an answer that several requests get.
type copied struct {
	route  string // the pattern of the route that answered
	status int
	header http.Header
	body   []byte
}

func (c *copied) send(w http.ResponseWriter) {
	own := w.Header()
	for key, values := range c.header {
		if own[key] == nil { // each request keeps its own id
			own[key] = values
		}
	}
	w.WriteHeader(c.status)
	_, _ = w.Write(c.body) // the client may be gone
}
