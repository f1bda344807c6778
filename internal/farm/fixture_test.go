package farm

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"versus2048/internal/farm/broker"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// ground is a farm without workers, and a database.
type ground struct {
	url         string
	key         nkeys.KeyPair // of the workers: they are on one machine
	server      *broker.Server
	coordinator *Coordinator
	store       *results.Store
}

var quiet = slog.New(slog.DiscardHandler)

// newGround opens a farm with a lease of a second.
func newGround(t *testing.T, check float64) *ground {
	t.Helper()
	server, err := broker.Start(broker.Config{Listen: "127.0.0.1:0", Folder: t.TempDir(), Token: testToken, Permits: Name(DefaultName).Permits})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	conn, err := server.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	g := &ground{url: server.URL(), server: server}
	if g.key, err = nkeys.CreateUser(); err != nil {
		t.Fatal(err)
	}
	if g.coordinator, err = Open(t.Context(), conn, Config{Version: "v1", Lease: time.Second, Check: check, Log: quiet}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.coordinator.Close)
	if g.store, err = results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.store.Close() })
	return g
}

// testToken is the token of the farm.
const testToken = "the farm's token"

// admit gives a connection the credential of a worker with a key.
func admit(name string, key nkeys.KeyPair) nats.Option {
	shown := broker.Credential{Worker: name, Key: key, Token: func() string { return testToken }}
	return func(o *nats.Options) error {
		return errors.Join(shown.Option()(o), nats.CustomInboxPrefix(Inbox(name))(o))
	}
}

// dial connects a worker.
func (g *ground) dial(t *testing.T, name string) *nats.Conn {
	t.Helper()
	conn, err := nats.Connect(g.url, nats.Timeout(20*time.Second), admit(name, g.key))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// dialAnywhere connects a worker as to a NATS server that does not know workers apart.
func (g *ground) dialAnywhere(t *testing.T, name string) *nats.Conn {
	t.Helper()
	conn, err := g.server.Connect(nats.CustomInboxPrefix(Inbox(name)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// card returns the card of a worker of the right version.
func card(name string) Card { return Card{Worker: name, Version: "v1", Print: Fingerprint(), Games: 1} }

// addCard gives the coordinator the card of a worker that is not there.
func (g *ground) addCard(c Card) {
	all := g.coordinator.cards
	all.mu.Lock()
	defer all.mu.Unlock()
	all.set(c)
}

// work starts a worker, which works until the test ends.
func (g *ground) work(t *testing.T, name string) {
	t.Helper()
	g.run(t, &Worker{Card: card(name), NATS: g.dial(t, name), Chores: chores, Log: quiet, Cache: Cache{Folder: t.TempDir(), Most: DefaultCacheSize}})
}

// run starts a worker with its settings, and returns a function that ends the worker before the test ends.
func (g *ground) run(t *testing.T, w *Worker) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("worker %s: %v", w.Card.Worker, err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// duel returns an event of two bots that play alike everywhere.
func (g *ground) duel(t *testing.T, matches int) tournament.Event {
	t.Helper()
	e := tournament.Event{
		Name: "duel", Size: rules.Size{Width: 3, Height: 3}, Seed: 7, Matches: matches, Concurrency: 1,
		Entries: []tournament.Entry{{Name: "ann", Spec: "random"}, {Name: "bob", Spec: "greedy"}},
	}
	var err error
	if e.ID, err = g.store.CreateEvent(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	return e
}

// play plays an event on the farm, in the background.
func (g *ground) play(t *testing.T, e tournament.Event) <-chan error {
	t.Helper()
	return g.playAt(t.Context(), t, g.coordinator.Executor(), e)
}

// playAt plays an event at an executor, which it closes, until ctx ends.
func (g *ground) playAt(ctx context.Context, t *testing.T, executor *Executor, e tournament.Event) <-chan error {
	t.Helper()
	ended := make(chan error, 1)
	go func() {
		defer executor.Close()
		r := tournament.Runner{Event: e, Format: format.New, Bots: localBots(t, e), Journal: g.store.Journal(e.ID), Elsewhere: executor}
		ended <- r.Run(ctx)
	}()
	return ended
}

func localBots(t *testing.T, e tournament.Event) (bots []tournament.Bot) {
	for _, entry := range e.Entries {
		bot, err := tournament.NewLocalBot(e, entry, "v1", nil)
		if err != nil {
			t.Error(err)
		}
		bot.Games = tournament.MaxConcurrency
		bots = append(bots, bot)
	}
	return bots
}

// expected returns the moves of the event's games, played in this process.
func (g *ground) expected(t *testing.T, e tournament.Event) map[[2]int][]rules.Move {
	t.Helper()
	id, err := g.store.CreateEvent(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	e.ID = id
	r := tournament.Runner{Event: e, Format: format.New, Bots: localBots(t, e), Journal: g.store.Journal(id)}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return g.moves(t, id)
}

// moves returns the moves of an event's finished games, by match and leg.
func (g *ground) moves(t *testing.T, event int64) map[[2]int][]rules.Move {
	t.Helper()
	games, err := g.store.FinishedGames(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	all := map[[2]int][]rules.Move{}
	for _, game := range games {
		all[[2]int{game.Match, game.Leg}] = game.Record.Moves
	}
	return all
}

// impostor speaks to a farm as a worker does. A test decides its messages.
type impostor struct {
	t    *testing.T
	name string
	conn *nats.Conn
	js   jetstream.JetStream
}

func (g *ground) impostor(t *testing.T, name string) *impostor {
	t.Helper()
	return newImpostor(t, name, g.dial(t, name))
}

func newImpostor(t *testing.T, name string, conn *nats.Conn) *impostor {
	t.Helper()
	i := &impostor{t: t, name: name, conn: conn}
	var err error
	if i.js, err = jetstream.New(conn); err != nil {
		t.Fatal(err)
	}
	return i
}

// take takes a task that is a match.
func (i *impostor) take() (m jetstream.Msg, taken task) { return i.takeFrom(plainLane) }

// takeBatch takes a task that is a batch.
func (i *impostor) takeBatch() (m jetstream.Msg, taken task) { return i.takeFrom(batchLane) }

func (i *impostor) takeFrom(l lane) (m jetstream.Msg, taken task) {
	i.t.Helper()
	consumer, err := i.js.Consumer(i.t.Context(), Name(DefaultName).tasks(), string(l))
	if err != nil {
		i.t.Fatal(err)
	}
	if m, err = consumer.Next(jetstream.FetchMaxWait(time.Minute)); err != nil {
		i.t.Fatal(err)
	}
	if err = json.Unmarshal(m.Data(), &taken); err != nil {
		i.t.Fatal(err)
	}
	return m, taken
}

// takeGames takes a task that has games, and asks for them. The task of a match that has just ended may still be given
// out once more: it has no games, and takeGames takes the next one.
func (i *impostor) takeGames() (m jetstream.Msg, taken task, s matchWork) {
	i.t.Helper()
	for {
		m, taken = i.take()
		if s = i.begin(taken); len(s.Games) > 0 {
			return m, taken, s
		}
		if err := m.Ack(); err != nil {
			i.t.Fatal(err)
		}
	}
}

func (i *impostor) ask(subject string, question, answer any) {
	i.t.Helper()
	data, err := json.Marshal(question)
	if err != nil {
		i.t.Fatal(err)
	}
	m, err := i.conn.Request(subject, data, 20*time.Second)
	if err == nil {
		err = json.Unmarshal(m.Data, answer)
	}
	if err != nil {
		i.t.Fatal(err)
	}
}

// begin asks for the games of a task.
func (i *impostor) begin(of task) (s matchWork) {
	i.t.Helper()
	i.ask(Name(DefaultName).start(of.ID, i.name), nil, &s)
	return s
}

// tell reports plies of a game.
func (i *impostor) tell(of task, r report) (answer receipt) {
	i.t.Helper()
	i.ask(Name(DefaultName).report(of.ID, i.name), r, &answer)
	return answer
}

// playOtherwise plays the games of a match with other seeds, and reports them.
func (i *impostor) playOtherwise(of task, s matchWork) {
	i.t.Helper()
	for _, g := range i.otherGames(s) {
		answer := i.tell(of, report{
			Game: g.ID, Plies: plies{Moves: bytesOf(g.Record.Moves)},
			End: &ending{Ending: g.Record.Ending, Detail: g.Record.Detail},
		})
		if answer.Refused == "" && !answer.Ended {
			i.t.Errorf("game %d: the arena answers %+v", g.ID, answer)
		}
	}
}

// otherGames returns the games of a match as they are with other seeds.
func (i *impostor) otherGames(s matchWork) []tournament.Game {
	i.t.Helper()
	local, err := newLocalExecutor(s.Event, "v1", nil)
	if err != nil {
		i.t.Fatal(err)
	}
	given := s.slowed(1)
	for n := range given.Games {
		given.Games[n].Record.AttackerSeed++
		given.Games[n].Record.DefenderSeed++
	}
	var played transcript
	if err := local.Play(i.t.Context(), given, &played); err != nil {
		i.t.Fatal(err)
	}
	return played.games
}

func bytesOf(moves []rules.Move) (all []byte) {
	for _, m := range moves {
		all = append(all, byte(m))
	}
	return all
}
