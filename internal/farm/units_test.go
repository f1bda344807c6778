package farm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Tasks for other workers come back at different times, a fraction of a lease later.
func TestTasksForOthersComeBackOutOfStep(t *testing.T) {
	var w Worker
	w.lease.Store(int64(time.Second))
	times := map[time.Duration]int{}
	for n := range 400 {
		d := w.away(fmt.Sprint("task ", n))
		if d < time.Second/beatsPerLease || d >= 2*time.Second/beatsPerLease {
			t.Fatalf("a task stays away for %v of a lease of a second", d)
		}
		times[d]++
	}
	if len(times) != steps {
		t.Errorf("400 tasks stay away for %d times, want %d: %v", len(times), steps, times)
	}
}

func TestPliesThereAndBack(t *testing.T) {
	for name, all := range map[string][]tournament.Ply{
		"none":  {},
		"quick": {{Move: rules.Place(3, false)}, {Move: rules.North}},
		"whole": {
			{Move: rules.Place(3, true), Time: time.Second, Lag: 2 * time.Microsecond, Stall: time.Minute, Away: time.Hour},
			{Move: rules.East, Search: &record.SearchReport{Playouts: 3}},
		},
	} {
		got, err := newPlies(all).list()
		if err != nil || !reflect.DeepEqual(got, all) {
			t.Errorf("%s: %+v, error %v, want %+v", name, got, err, all)
		}
	}
}

// quietRecorder takes plies.
type quietRecorder struct{ tournament.Recorder }

func (quietRecorder) Played(*tournament.Game, tournament.Ply) {}

// A game keeps the search reports that a worker sends as long as it has room for them, and all moves.
func TestReportsHaveBounds(t *testing.T) {
	start, err := rules.ParsePosition(rules.GPCC2015, "2,0/0,2 A")
	if err != nil {
		t.Fatal(err)
	}
	place := start.AppendMoves(nil)[0]
	slide := start.Next(place).AppendMoves(nil)[0]
	search := &record.SearchReport{Playouts: 3}
	m := match{recorder: quietRecorder{}, room: 20, position: start} // one has 14 bytes
	m.work.Event.Search = true
	g := tournament.Game{Record: record.Record{Start: start}}
	err = m.enter(&g, report{Plies: newPlies([]tournament.Ply{{Move: place, Search: search}, {Move: slide, Search: search}})})
	if err != nil || len(g.Record.Moves) != 2 || g.Record.Searches[0] == nil || len(g.Record.Searches) > 1 && g.Record.Searches[1] != nil {
		t.Errorf("error %v, moves %v, reports %v; want two moves, a report of the first", err, g.Record.Moves, g.Record.Searches)
	}
}

func TestSample(t *testing.T) {
	chosen, same := 0, 0
	secret, other := []byte("secret"), []byte("other")
	for match := range 10_000 {
		key := fmt.Sprint(3, 1, match)
		if sampled(secret, key, 0.02) {
			chosen++
			if sampled(other, key, 0.02) {
				same++
			}
		}
		if sampled(secret, key, 0) || !sampled(secret, key, 1) {
			t.Fatalf("match %d: a share of none or all is not", match)
		}
	}
	if chosen < 150 || chosen > 250 { // 200, with a deviation of 14
		t.Errorf("%d of 10000 matches are chosen, want about 200", chosen)
	}
	if same > 20 { // 4 by chance
		t.Errorf("%d of %d are chosen with another secret, too", same, chosen)
	}
}

// Each farm has a sample of its own, which a worker cannot know.
func TestSampleIsSecret(t *testing.T) {
	a, b := newChecks(t.Context(), nil, 1), newChecks(t.Context(), nil, 1)
	defer a.close()
	defer b.close()
	if len(a.secret) == 0 || bytes.Equal(a.secret, b.secret) || bytes.Equal(a.secret, make([]byte, len(a.secret))) {
		t.Errorf("the secrets are %x and %x", a.secret, b.secret)
	}
}

func TestSlowness(t *testing.T) {
	entries := []tournament.Entry{{Spec: "mcts"}, {Spec: "greedy"}}
	timed := tournament.Event{Entries: []tournament.Entry{{Spec: "mcts:time=5"}, {Spec: "greedy"}}}
	clock := tournament.Event{Entries: entries, Clock: tournament.Clock{PerMove: time.Second}}
	for _, c := range []struct {
		name          string
		e             tournament.Event
		arena, worker float64
		want          float64
	}{
		{"playouts", tournament.Event{Entries: entries}, 2, 1, 1},
		{"own time", timed, 2, 1, 2},
		{"clock", clock, 1, 4, 0.25},
		{"not measured", clock, 0, 4, 1},
		{"cannot be", clock, 1000, 1, 10},
	} {
		if got := slowness(c.e, c.arena, c.worker); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	budget := timed
	budget.Settings.Budget.Playouts = 10
	if got := slowness(budget, 2, 1); got != 1 {
		t.Errorf("with a budget of playouts: %v, want 1", got)
	}
}

func TestSlowedSheet(t *testing.T) {
	s := matchWork{Event: tournament.Event{Entries: []tournament.Entry{{Spec: "mcts:time=10"}}, Clock: tournament.Clock{PerMove: time.Second, Base: time.Minute}}, ID: 4}
	s.Games = []game{{ID: 1, Record: record.Record{Times: []time.Duration{time.Second}}}}
	s.slowed(3) // which changes nothing
	got := s.slowed(2)
	if got.Event.Clock != (tournament.Clock{PerMove: 2 * time.Second, Base: 2 * time.Minute}) || got.Event.ID != 4 || got.Games[0].Record.Times[0] != 2*time.Second {
		t.Errorf("slowed: %+v", got)
	}
	if want := "mcts:playouts=10000,time=20"; got.Event.Entries[0].Spec[:len(want)] != want {
		t.Errorf("the bot is %s", got.Event.Entries[0].Spec)
	}
}

func TestOverloadedWorkerDoesLess(t *testing.T) {
	l := newLoad(8)
	for _, c := range []struct {
		lag  time.Duration
		want int32
	}{{time.Millisecond, 8}, {time.Second, 6}, {time.Second, 5}, {time.Second, 4}, {0, 5}, {time.Second, 4}, {time.Second, 3}, {time.Second, 2}, {time.Second, 1}, {time.Second, 1}, {0, 2}} {
		l.adapt(c.lag)
		if got := l.now.Load(); got != c.want {
			t.Fatalf("after a lag of %v: %d tasks at once, want %d", c.lag, got, c.want)
		}
	}
	if !l.admits(1) || l.admits(2) {
		t.Error("two tasks at once are slots 0 and 1")
	}
}

func TestMeasureSpeed(t *testing.T) {
	if s := MeasureSpeed(t.Context()); s < 1000 || s > 1e9 {
		t.Errorf("%v playouts a second", s)
	}
}

func TestParseName(t *testing.T) {
	for text, want := range map[string]bool{"versus2048": true, "a-b_C": true, "": false, "a.b": false, "a b": false, "*": false, ">": false} {
		if _, err := ParseName(text); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestValidateWorker(t *testing.T) {
	for name, want := range map[string]bool{
		"ann": true, "rack-3.example.org-aB3": true, "A_1": true, strings.Repeat("a", 200): true,
		"": false, "ann's": false, "a b": false, "Jürgen": false, ".a": false, "a.": false, "a..b": false, "*": false, ">": false, "a/b": false, "a=": false,
		strings.Repeat("a", 201): false,
	} {
		if err := ValidateWorker(name); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// The room is the number of tasks that all workers do at once, while workers come and go.
func TestRoom(t *testing.T) {
	c := &cards{all: map[string]Card{}}
	for _, step := range []struct {
		worker string
		games  int // -1: it goes
		want   int
	}{{"a", 3, 3}, {"b", 2, 5}, {"a", 5, 7}, {"a", 5, 7}, {"b", -1, 5}, {"b", -1, 5}, {"c", -1, 5}, {"b", 0, 5}, {"b", 4, 9}, {"a", -1, 4}, {"b", -1, 0}} {
		if step.games < 0 {
			c.remove(step.worker)
		} else {
			c.set(Card{Worker: step.worker, Games: step.games})
		}
		if got := c.games(); got != step.want {
			t.Errorf("after %+v there is room for %d", step, got)
		}
	}
	for _, games := range []int{-7, math.MinInt, 1_000_000_000, math.MaxInt} {
		c.set(Card{Worker: "liar", Games: games}.bounded())
	}
	if c.set(Card{Worker: "liar", Games: 1}.bounded()); c.games() != 1 {
		t.Errorf("a worker that had less than no room, and more than can be, makes it %d", c.games())
	}
	for n := range 10 {
		if c.set(Card{Worker: fmt.Sprint("liar", n), Games: math.MaxInt}.bounded()); c.games() != mostRoom {
			t.Errorf("%d liars make room for %d", n+1, c.games())
		}
	}
}

// Values that no worker can have are cut to possible ones.
func TestCardIsBounded(t *testing.T) {
	text := strings.Repeat("x", 1_000_000)
	got := Card{
		Worker: text, Host: text, Version: text, Print: text, Trouble: text,
		Cores: math.MaxInt, Games: math.MaxInt, Busy: math.MaxInt, Lag: math.MaxInt64, Speed: math.MaxFloat64, Played: -1, Faults: math.MinInt,
	}.bounded()
	cut := text[:mostLabel]
	want := Card{
		Worker: text[:mostText], Host: cut, Version: cut, Print: cut, Trouble: text[:mostText],
		Cores: mostCores, Games: maxGames, Busy: maxGames, Lag: tournament.MaxTime.Microseconds(), Speed: mostSpeed,
	}
	if got != want || !got.Overloaded() {
		t.Errorf("%+.200v, want %+.200v", got, want)
	}
	honest := card("ann")
	honest.Host, honest.Cores, honest.Busy, honest.Speed, honest.Lag, honest.Played, honest.Faults = "box", 8, 1, 5e5, 100, 7, 1
	if got := honest.bounded(); got != honest {
		t.Errorf("an honest card becomes %+v", got)
	}
	none := Card{Worker: "ann", Cores: -1, Games: -1, Busy: -1, Lag: -1, Speed: -1}
	if got := none.bounded(); got != (Card{Worker: "ann"}) {
		t.Errorf("a card below nothing becomes %+v", got)
	}
}

// An arena knows a bounded number of workers, and another one once one of them has gone.
func TestCardsAreBounded(t *testing.T) {
	c := cards{all: map[string]Card{}}
	for i := range mostCards + 5 {
		c.set(Card{Worker: fmt.Sprint(i), Games: 1})
	}
	c.set(Card{Worker: "7", Games: 3})
	if len(c.all) != mostCards || c.room != mostCards+2 {
		t.Errorf("%d cards with room for %d matches, want %d and %d", len(c.all), c.room, mostCards, mostCards+2)
	}
	c.remove("7")
	if c.set(Card{Worker: "late", Games: 1}); c.all["late"].Games != 1 || c.room != mostCards {
		t.Errorf("%d cards with room for %d matches after one has gone", len(c.all), c.room)
	}
}

// cardWatch stands for a watch of a bucket of cards.
type cardWatch struct{ jetstream.KeyWatcher }

// cardEntry is an entry of a bucket of cards.
type cardEntry struct {
	jetstream.KeyValueEntry
	card Card
	op   jetstream.KeyValueOp
}

func (e cardEntry) Key() string                     { return e.card.Worker }
func (e cardEntry) Operation() jetstream.KeyValueOp { return e.op }

func (e cardEntry) Value() []byte {
	text, err := json.Marshal(e.card)
	if err != nil {
		panic(err)
	}
	return text
}

// When the bucket is opened again, late entries of the lost one neither bring a card back nor remove a card.
func TestLateEntriesOfALostBucket(t *testing.T) {
	lost, now := &cardWatch{}, &cardWatch{}
	c := &cards{all: map[string]Card{}, watcher: now}
	c.take(lost, cardEntry{card: Card{Worker: "ann", Games: 2}})
	c.take(now, cardEntry{card: Card{Worker: "bob", Games: 1}})
	c.take(lost, cardEntry{card: Card{Worker: "bob"}, op: jetstream.KeyValueDelete})
	if all := c.list(); len(all) != 1 || all[0].Worker != "bob" || c.games() != 1 {
		t.Errorf("the cards are %+v, with room for %d", all, c.games())
	}
	if c.take(now, cardEntry{card: Card{Worker: "bob"}, op: jetstream.KeyValueDelete}); len(c.list()) != 0 {
		t.Errorf("the cards are %+v after the worker has gone", c.list())
	}
}

// A text is cut between two characters.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"aé", 2, "a"}, {"aé", 3, "aé"}, {"é", 1, ""}, {"a\x80\x80\x80", 2, ""}, {"\x80\x80", 1, ""}} {
		if got := cut(c.text, c.most); got != c.want {
			t.Errorf("cut(%q, %d) is %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

// Plies wait the longer the more matches are played at once, and never so long that a worker seems to be gone.
func TestReportTime(t *testing.T) {
	for matches, want := range map[int]time.Duration{
		0: leastReportTime, 1: leastReportTime, 200: leastReportTime, 201: 100500 * time.Microsecond, 1000: 500 * time.Millisecond,
		4000: 2 * time.Second, 5000: 2500 * time.Millisecond, 1_000_000: 2500 * time.Millisecond,
	} {
		if got := reportTime(matches, 5*time.Second); got != want {
			t.Errorf("with %d matches plies wait %v, want %v", matches, got, want)
		}
	}
}

// A worker does not begin with a lease that is too short to be renewed.
func TestWelcomeWithoutLease(t *testing.T) {
	t.Parallel()
	g, other := newGround(t, 0), Name("other")
	arena, err := g.server.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer arena.Close()
	lease := time.Duration(beatsPerLease - 1)
	if _, err := arena.Subscribe(other.hello("w"), func(m *nats.Msg) {
		welcoming, err := json.Marshal(welcome{Lease: lease})
		if err := errors.Join(err, m.Respond(welcoming)); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err := arena.Flush(); err != nil {
		t.Fatal(err)
	}
	w := Worker{Name: other, Card: card("w"), NATS: g.dialAnywhere(t, "w")}
	w.line = newLine(w.NATS)
	if err := w.greet(t.Context()); err == nil || !strings.Contains(err.Error(), lease.String()) || w.leaseTime() != 0 {
		t.Errorf("the worker has a lease of %v, %v", w.leaseTime(), err)
	}
}

// A worker is told in its welcome how long its plies wait.
func TestWelcomeSaysWhenToReport(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.addCard(Card{Worker: "many", Games: 600})
	var w welcome
	g.impostor(t, "new").ask(Name(DefaultName).hello("new"), card("new"), &w)
	if w.Report != 300*time.Millisecond || w.Lease != time.Second || w.Refused != "" {
		t.Errorf("welcome %+v", w)
	}
	one := Worker{Name: DefaultName, Card: card("one"), NATS: g.dial(t, "one")}
	one.line = newLine(one.NATS)
	if err := one.greet(t.Context()); err != nil || one.reportTime() != 300*time.Millisecond {
		t.Errorf("the worker's plies wait %v, %v", one.reportTime(), err)
	}
}
