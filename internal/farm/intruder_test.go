package farm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"versus2048/internal/testkit"
)

// Strangers without a credential are not let in, and their messages disturb no event: its games are the same,
// and the arena keeps its connection.
func TestStrangersChangeNothing(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	g := newGround(t, 0)
	e := g.duel(t, 4)
	want := g.expected(t, e)
	if _, err := nats.Connect(g.url); !errors.Is(err, nats.ErrAuthorization) {
		t.Fatalf("a stranger is let in: %v", err)
	}
	over := make(chan struct{})
	var strangers sync.WaitGroup
	for i := range uint64(8) {
		strangers.Go(func() {
			for random := rand.New(rand.NewPCG(i, 2048)); ; {
				select {
				case <-over:
					return
				default:
					g.sendJunk(random)
				}
			}
		})
	}
	ended := g.play(t, e)
	g.work(t, "honest")
	err := <-ended
	close(over)
	strangers.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if got := g.moves(t, e.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("the games are %v, want %v", got, want)
	}
	if n := g.coordinator.nats.Stats().Reconnects; n != 0 {
		t.Errorf("the arena has lost its connection %d times", n)
	}
	if aside, all := g.coordinator.Aside(), g.coordinator.Workers(); len(aside) > 0 || len(all) > 1 {
		t.Errorf("workers %+v, set aside %v", all, aside)
	}
}

// sendJunk sends bytes that no worker sends to the NATS server, until that hangs up.
func (g *ground) sendJunk(random *rand.Rand) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "nats://"))
	if err != nil {
		return
	}
	defer conn.Close()
	junk := make([]byte, 1<<16)
	for i := range junk {
		junk[i] = byte(random.Uint32())
	}
	text := string(junk)
	for _, line := range [][]string{
		{text},
		{"PUB versus2048.start.x.honest _INBOX.honest.x 2\r\n{}\r\n"},
		{"CONNECT {}\r\n", "SUB _INBOX.> 1\r\n", "PUB versus2048.report.x.honest 5\r\n{\"x\"}\r\n"},
		{`CONNECT {"user":"arena","pass":""}` + "\r\n", "PING\r\n", strings.Repeat("PUB $JS.ACK.versus2048-tasks.plain.1.1.1.1.1 5\r\n+TERM\r\n", 100)},
		{"CONNECT {\"auth_token\":\"" + strings.Repeat("x", 3000) + "\"}\r\nPING\r\n"},
		{"PUB x 8388608\r\n", text},
	}[random.IntN(6)] {
		if _, err := conn.Write([]byte(line)); err != nil {
			return
		}
	}
	_ = conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	_, _ = conn.Read(junk)
}

// intruder is a worker on another machine, with the farm's token: it has another key.
func (g *ground) intruder(t *testing.T, name string, refused func(error)) (*nats.Conn, error) {
	t.Helper()
	key, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := nats.Connect(g.url, admit(name, key), nats.Timeout(20*time.Second),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused(err) }))
	if err == nil {
		t.Cleanup(conn.Close)
	}
	return conn, err
}

// A message under a worker's name, from a connection with another key, is not accepted: it sets nobody aside,
// and nobody loses a task by it.
func TestNobodySpeaksForAnotherWorker(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.reopen(t, time.Minute) // the task changes hands only when the test says so
	e := g.duel(t, 1)
	ended := g.play(t, e)
	honest := g.impostor(t, "honest")
	_, of, s := honest.takeGames()
	refused := make(chan error, 10)
	if _, err := g.intruder(t, "honest", nil); !errors.Is(err, nats.ErrAuthorization) {
		t.Fatalf("another key has the name, too: %v", err)
	}
	conn, err := g.intruder(t, "intruder", func(err error) { refused <- err })
	if err != nil {
		t.Fatal(err)
	}
	illegal, err := json.Marshal(report{Game: s.Games[0].ID, Plies: plies{Moves: []byte{255}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, subject := range []string{g.coordinator.name.report(of.ID, "honest"), g.coordinator.name.start(of.ID, "honest"), g.coordinator.name.hello("honest")} {
		if err := conn.PublishRequest(subject, Inbox("intruder")+".x", illegal); err != nil {
			t.Fatal(err)
		}
		if err := <-refused; !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s: %v", subject, err)
		}
	}
	thief := newImpostor(t, "intruder", conn)
	if answer := thief.tell(of, report{Game: s.Games[0].ID, Plies: plies{Moves: []byte{255}}}); answer.Refused != taken {
		t.Errorf("under its own name it is answered %+v", answer)
	}
	if s := thief.begin(of); s.Refused != taken {
		t.Errorf("it takes the task: %+v", s)
	}
	for _, game := range honest.otherGames(s) {
		if answer := honest.tell(of, report{Game: game.ID, Plies: plies{Moves: bytesOf(game.Record.Moves)}, End: &ending{Ending: game.Record.Ending}}); !answer.Ended {
			t.Fatalf("the honest worker is answered %+v", answer)
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if aside := g.coordinator.Aside(); len(aside) > 0 {
		t.Errorf("set aside are %v", aside)
	}
}

// The arena itself counts how often a task was given out: a worker that claims to begin the last attempt of all
// loses the task like any other.
func TestRequestsCountNoAttempts(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	e := g.duel(t, 1)
	want := g.expected(t, e)
	ended := g.play(t, e)
	liar := g.impostor(t, "liar")
	message, of := liar.take()
	var s matchWork
	liar.ask(g.coordinator.name.start(of.ID, "liar"), map[string]any{"worker": "liar", "attempt": uint64(1) << 62, "nonce": "x"}, &s)
	if len(s.Games) == 0 {
		t.Fatalf("the liar is answered %+v", s)
	}
	if err := message.NakWithDelay(time.Millisecond); err != nil {
		t.Fatal(err)
	}
	g.work(t, "honest")
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("the event stands still")
	}
	if got := g.moves(t, e.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("the games are %v, want %v", got, want)
	}
}

// The arena answers nowhere but in the inbox of the worker that asks: elsewhere its answer would be a message of its
// own.
func TestAnswersGoToWhoAsks(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	arena := g.dialAnywhere(t, "arena")
	elsewhere, err := arena.SubscribeSync("elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if err := arena.Flush(); err != nil {
		t.Fatal(err)
	}
	i := g.impostor(t, "w")
	for _, subject := range []string{g.coordinator.name.hello("w"), g.coordinator.name.start("x", "w"), g.coordinator.name.report("x", "w")} {
		if err := i.conn.PublishRequest(subject, "elsewhere", []byte("{}")); err != nil {
			t.Fatal(err)
		}
		var answer receipt
		i.ask(subject, nil, &answer) // which comes later
	}
	if err := arena.Flush(); err != nil {
		t.Fatal(err)
	}
	if n, _, err := elsewhere.Pending(); n > 0 || err != nil {
		t.Errorf("%d answers have come elsewhere, error %v", n, err)
	}
}

// However many cards somebody with the token writes, they take little memory.
func TestForgedCardsTakeLittle(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.reopen(t, time.Minute) // a card lives for a lease
	forger := newImpostor(t, "forger", g.dialAnywhere(t, "forger"))
	const cards = 2 * allCards / longestCard
	refused := 0
	for i := range cards {
		name := fmt.Sprintf("w%d", i)
		text, err := json.Marshal(Card{Worker: name, Trouble: strings.Repeat("x", longestCard-1000)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := forger.js.Publish(t.Context(), "$KV."+g.coordinator.name.workers()+"."+name, text); err != nil {
			refused++
		}
	}
	bucket, err := forger.js.KeyValue(t.Context(), g.coordinator.name.workers())
	if err != nil {
		t.Fatal(err)
	}
	status, err := bucket.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kept := status.(*jetstream.KeyValueBucketStatus).StreamInfo().State
	if kept.Bytes > allCards || refused < cards/3 {
		t.Errorf("of %d cards %d are refused, and the others take %d bytes, want at most %d", cards, refused, kept.Bytes, allCards)
	}
	for _, c := range g.coordinator.Workers() {
		if len(c.Trouble) > mostText {
			t.Fatalf("the arena keeps a card with %d bytes of trouble", len(c.Trouble))
		}
	}
}
