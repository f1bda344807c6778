package farm

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"versus2048/internal/testkit"
	"versus2048/tournament"
)

// link is the connection from a worker to a NATS server. It can be cut, so that nothing comes through and neither end
// is told, and it can be slow.
type link struct {
	listener net.Listener
	server   string
	delay    time.Duration

	mu   sync.Mutex
	open chan struct{} // closed while the link is whole
}

func newLink(t *testing.T, url string, delay time.Duration) *link {
	t.Helper()
	l := &link{server: strings.TrimPrefix(url, "nats://"), delay: delay, open: make(chan struct{})}
	close(l.open)
	var err error
	if l.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.listener.Close() })
	go l.accept()
	return l
}

func (l *link) url() string { return "nats://" + l.listener.Addr().String() }

func (l *link) accept() {
	for {
		worker, err := l.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", l.server)
		if err != nil {
			worker.Close()
			continue
		}
		go l.carry(worker, server)
		go l.carry(server, worker)
	}
}

// carry carries the bytes from one end to the other.
func (l *link) carry(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		l.mu.Lock()
		open := l.open
		l.mu.Unlock()
		<-open
		<-time.After(l.delay)
		if _, err := to.Write(buffer[:n]); err != nil && err != io.EOF {
			return
		}
	}
}

// cut cuts the link until the returned function is called.
func (l *link) cut() (mend func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = make(chan struct{})
	return func() { close(l.open) }
}

// workerOver returns a worker at the other end of a link.
func (g *ground) workerOver(t *testing.T, l *link, name string) *Worker {
	t.Helper()
	conn, err := nats.Connect(l.url(), admit(name, g.key), nats.Timeout(20*time.Second), nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond), nats.PingInterval(time.Second), nats.MaxPingsOutstanding(2))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return &Worker{Card: card(name), NATS: conn, Log: quiet}
}

// Messages about a connection name its server, and neither its user nor its password nor its token.
func TestServerIsShownWithoutSecrets(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() { // a NATS server that lets everybody in
		for conn, err := listener.Accept(); err == nil; conn, err = listener.Accept() {
			defer conn.Close()
			_, _ = io.WriteString(conn, `INFO {"max_payload":1048576}`+"\r\nPONG\r\n")
		}
	}()
	at := listener.Addr().String()
	for _, user := range []string{"", "s3cret@", "s3cret:s3cret@"} {
		conn, err := nats.Connect("nats://" + user + at)
		if err != nil {
			t.Fatal(err)
		}
		if shown := server(conn); shown != "nats://"+at {
			t.Errorf("shown is %q", shown)
		}
		conn.Close()
		if shown := server(conn); shown != "no server now" {
			t.Errorf("of a closed connection %q is shown", shown)
		}
	}
}

// Plies that no message has room for all at once are reported in several, and the end with the last ones.
func TestLongReport(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	conn, err := g.server.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	w := &Worker{Name: "other", Card: card("w"), NATS: g.dialAnywhere(t, "w"), Log: quiet}
	w.line = newLine(w.NATS)
	var have, reports atomic.Int64
	_, err = conn.Subscribe(w.Name.report("1", "w"), func(m *nats.Msg) { // answers as an arena does
		var r report
		if err := json.Unmarshal(m.Data, &r); err != nil || int64(r.First) != have.Load() {
			t.Errorf("a report from ply %d on after %d, error %v", r.First, have.Load(), err)
		}
		reports.Add(1)
		g.coordinator.answer(m, receipt{Have: int(have.Add(int64(len(r.Plies.Moves)))), Ended: r.End != nil})
	})
	if err == nil {
		err = conn.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	const plies = 300_000
	r := &reporter{worker: w, task: "1", ctx: ctx, stop: stop, plies: make([]tournament.Ply, plies)}
	for i := range r.plies {
		r.plies[i] = tournament.Ply{Time: time.Hour, Lag: time.Hour, Stall: time.Hour}
	}
	for tries := 0; !r.send(ctx, &ending{}); tries++ {
		if tries > 10 || ctx.Err() != nil {
			t.Fatalf("the end is not reported: %v", context.Cause(ctx))
		}
	}
	if have.Load() != plies || reports.Load() < 2 {
		t.Errorf("the arena has %d plies after %d reports, want %d after some", have.Load(), reports.Load(), plies)
	}
}

// While a worker cannot be reached, another one plays its match. When it can be reached again, the farm plays the next
// event with the same games.
func TestPartition(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	g := newGround(t, 0)
	e := g.duel(t, 12)
	e.Entries[0].Spec = "mcts:playouts=50"
	want := g.expected(t, e)
	far := newLink(t, g.url, 0)
	ended := g.play(t, e)
	g.run(t, g.workerOver(t, far, "far"))
	for len(g.moves(t, e.ID)) == 0 {
		<-time.After(time.Millisecond)
	}
	mend := far.cut()
	g.work(t, "near")
	select {
	case err := <-ended: // near has played the rest, also the games that far had begun
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("the event does not end")
	}
	mend()
	if got := g.moves(t, e.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("%d games, other than the %d expected", len(got), len(want))
	}
	again := g.duel(t, 12)
	again.Entries[0].Spec = e.Entries[0].Spec
	if err := <-g.play(t, again); err != nil {
		t.Fatal(err)
	}
	if got := g.moves(t, again.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("after the partition: %d games, other than the %d expected", len(got), len(want))
	}
}

// A slow link changes no game.
func TestSlowLink(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	e := g.duel(t, 2)
	want := g.expected(t, e)
	ended := g.play(t, e)
	g.run(t, g.workerOver(t, newLink(t, g.url, 50*time.Millisecond), "slow"))
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := g.moves(t, e.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("%d games, other than the %d expected", len(got), len(want))
	}
}

// A NATS server that starts again has lost the workers' cards. They come back, and the cards of new workers are seen,
// too.
func TestLostCards(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	executor := g.coordinator.Executor()
	defer executor.Close()
	here := func(names ...string) bool {
		all := g.coordinator.Workers()
		return slices.EqualFunc(all, names, func(c Card, name string) bool { return c.Worker == name })
	}
	await := func(names ...string) {
		t.Helper()
		for deadline := time.After(time.Minute); !here(names...); {
			select {
			case <-executor.Changed():
			case <-deadline:
				t.Fatalf("the workers are %+v, want %q", g.coordinator.Workers(), names)
			}
		}
	}
	g.work(t, "w1")
	await("w1")
	back := g.coordinator.nats.StatusChanged(nats.CONNECTED)
	defer g.coordinator.nats.RemoveStatusListener(back)
	if err := g.server.Restart(); err != nil {
		t.Fatal(err)
	}
	<-back
	g.work(t, "w2")
	await("w1", "w2")
}

// A task that is sent again because no answer came is in the stream once. A task that is given out again is there under
// another number.
func TestTaskIsSentOnce(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	e, err := g.coordinator.publish(t.Context(), plainLane, Match)
	if err != nil {
		t.Fatal(err)
	}
	defer e.drop()
	wantOne := func() {
		t.Helper()
		if info, err := g.coordinator.stream.Info(t.Context()); err != nil || info.State.Msgs != 1 || info.State.LastSeq != e.sequence {
			t.Errorf("the stream has %+v, error %v, want one task, number %d", info.State, err, e.sequence)
		}
	}
	for range 2 {
		before := e.sequence
		if err := e.again(t.Context()); err != nil || e.sequence == before {
			t.Errorf("given out again it is number %d after %d, error %v", e.sequence, before, err)
		}
		wantOne()
		if err := e.send(t.Context()); err != nil { // the arena does not know that it worked
			t.Fatal(err)
		}
		wantOne()
	}
}

// If NATS has lost the stream, tasks in the next stream have the numbers of earlier tasks. The earlier tasks are given
// out again, and none takes another one away.
func TestNumbersOfALostStream(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	publish := func() *pendingTask {
		t.Helper()
		e, err := g.coordinator.publish(t.Context(), plainLane, Match)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	tasks := func() uint64 {
		t.Helper()
		info, err := g.coordinator.stream.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return info.State.Msgs
	}
	first, over := publish(), publish()
	if err := g.coordinator.js.DeleteStream(t.Context(), Name(DefaultName).tasks()); err != nil {
		t.Fatal(err)
	}
	next, last := publish(), publish()
	if next.sequence != first.sequence || last.sequence != over.sequence {
		t.Fatalf("the tasks %d and %d have become %d and %d", first.sequence, over.sequence, next.sequence, last.sequence)
	}
	if over.drop(); tasks() != 2 {
		t.Error("a task that is over takes another one away")
	}
	if there, err := first.there(t.Context()); there || err != nil {
		t.Errorf("a task that is lost is there: %v, error %v", there, err)
	}
	if err := first.again(t.Context()); err != nil || tasks() != 3 {
		t.Errorf("a task that is lost is not given out again: error %v", err)
	}
	if there, err := first.there(t.Context()); !there || err != nil {
		t.Errorf("a task that is given out again is there: %v, error %v", there, err)
	}
	for _, e := range []*pendingTask{first, next, last} {
		e.drop()
	}
	if left := tasks(); left != 0 {
		t.Errorf("%d tasks are left", left)
	}
}

// A stream that NATS has lost is made again, with the tasks that the arena waits for.
func TestLostStream(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	e := g.duel(t, 1)
	want := g.expected(t, e)
	ended := g.play(t, e)
	for {
		info, err := g.coordinator.stream.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if info.State.Msgs == 1 {
			break
		}
		<-time.After(time.Millisecond)
	}
	if err := g.coordinator.js.DeleteStream(t.Context(), Name(DefaultName).tasks()); err != nil {
		t.Fatal(err)
	}
	g.work(t, "w")
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := g.moves(t, e.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("%d games, other than the %d expected", len(got), len(want))
	}
}
