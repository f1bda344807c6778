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
	"time"
)

// Patience is how long a request waits for its turn.
const Patience = 10 * time.Second

// Lengths that are kept for a request: its body before it has its turn, and its answer, which is sent once the
// turn has ended. So nobody who sends or reads slowly holds one.
const (
	keptBody   = 16 << 10
	keptAnswer = 256 << 10
)

// Answering gives the requests of strangers their turns.
type Answering struct {
	Budget *Budget
	Free   func(*http.Request) bool         // whether a request need not wait: it is no stranger's
	From   func(*http.Request) netip.Prefix // who asks
}

// Handler returns a handler that waits for a turn before next answers a request. What takes longer than
// [Patience] is refused with status 503.
func (a Answering) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.Free(r) {
			next.ServeHTTP(w, r)
			return
		}
		if r.ContentLength != 0 {
			r.Body = keepBody(r.Body)
		}
		waiting, end := context.WithTimeout(r.Context(), Patience)
		turn, err := a.Budget.Begin(waiting, Answers, a.From(r))
		end()
		if err != nil {
			refuse(w)
			return
		}
		answer := &answer{ResponseWriter: w, turn: turn, ctx: r.Context()}
		defer turn.End()
		serve(next, answer, r, turn)
		_ = answer.send() // the client may be gone
	})
}

// serve lets next answer a request that has a turn. The request itself is the caller's: http.ServeMux notes its pattern in it.
func serve(next http.Handler, w http.ResponseWriter, r *http.Request, turn *Turn) {
	*r = *r.WithContext(With(r.Context(), turn))
	next.ServeHTTP(w, r)
}

// keepBody reads the beginning of a body, as a rule all of it.
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

// refuse answers a request whose turn did not come.
func refuse(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "5")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = fmt.Fprintln(w, `{"error":"this arena plays an event, which goes first, and others ask for much: try again later"}`) // the client may be gone
}

// answer keeps what a handler answers until the turn has ended, and a stream until it is flushed.
type answer struct {
	http.ResponseWriter
	turn   *Turn
	ctx    context.Context // of the request
	status int             // 0 before the answer begins
	body   bytes.Buffer
	begun  bool // the header is sent
	stream bool // the handler has flushed: it waits for news, and has no turn meanwhile
}

// WriteHeader notes the status.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write keeps p. It sends what is kept once that is much, and then waits for another turn.
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
	return http.NewResponseController(a.ResponseWriter).Hijack()
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// send ends the turn and sends what is kept.
func (a *answer) send() error {
	a.turn.End()
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

// again waits for another turn.
func (a *answer) again() error {
	next, err := a.turn.budget.Begin(a.ctx, Answers, a.turn.from)
	if err == nil {
		a.turn = next
	}
	return err
}
