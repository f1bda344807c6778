package farm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/tournament"
)

// double is the kind of batches of tests: a number is doubled. Negative ones fail.
const double Kind = "double"

type (
	number struct {
		N int `json:"n"`
	}
	doubled struct {
		Twice int `json:"twice"`
	}
)

var chores = map[Kind]Chore{double: chore(func(_ players.Spec, s number) (doubled, error) {
	if s.N < 0 {
		return doubled{}, errors.New("a number below 0")
	}
	return doubled{2 * s.N}, nil
})}

// chore returns a chore with settings of type S and results of type R, both as JSON.
func chore[S, R any](do func(players.Spec, S) (R, error)) Chore {
	return func(_ context.Context, bot players.Spec, settings json.RawMessage) (json.RawMessage, error) {
		var s S
		if err := json.Unmarshal(settings, &s); err != nil {
			return nil, err
		}
		r, err := do(bot, s)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	}
}

// reading is the kind of batches that can only be done with the right file.
const reading Kind = "reading"

// long is the kind of batches with results some bytes longer than their settings.
const long Kind = "long"

type text struct {
	Text string `json:"text"`
	Grow int    `json:"grow"`
}

// network is the file of the bot that does batches of the kind reading.
const network = "../../players/neural/testdata/az.safetensors"

func init() {
	chores[long] = chore(func(_ players.Spec, s text) (text, error) {
		return text{Text: s.Text + strings.Repeat("x", s.Grow)}, nil
	})
	chores[reading] = chore(func(bot players.Spec, s number) (doubled, error) {
		got, err := os.ReadFile(bot.FilesByOption()["weights"])
		if err != nil {
			return doubled{}, err
		}
		want, err := os.ReadFile(network)
		if err == nil && !bytes.Equal(got, want) {
			err = errors.New("a damaged file")
		}
		return doubled{2 * s.N}, err
	})
}

// doubling returns a round of the numbers.
func doubling(numbers ...int) Round {
	r := Round{Kind: double, Bot: "greedy"}
	for _, n := range numbers {
		r.Batches = append(r.Batches, json.RawMessage(fmt.Sprintf(`{"n":%d}`, n)))
	}
	return r
}

// ask lets workers do a round, in the background, and sends the results and then the end of the round.
func (g *ground) ask(t *testing.T, r Round) (taken <-chan string, ended <-chan error) {
	t.Helper()
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	results, end := make(chan string, 1000), make(chan error, 1)
	go func() {
		end <- g.coordinator.Do(t.Context(), r, func(batch int, _ string, result json.RawMessage) { results <- fmt.Sprint(batch, " ", string(result)) })
	}()
	return results, end
}

// finished returns all results that are taken of a round until its end.
func finished(t *testing.T, taken <-chan string, ended <-chan error) (all map[string]bool) {
	t.Helper()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("the round does not end")
	}
	all = map[string]bool{}
	for len(taken) > 0 {
		result := <-taken
		if all[result] {
			t.Errorf("the result %s is taken twice", result)
		}
		all[result] = true
	}
	return all
}

// Each batch is done once, however many workers there are.
func TestRound(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 3} {
		g := newGround(t, 1)
		var numbers []int
		for n := range 40 {
			numbers = append(numbers, n+100)
		}
		taken, ended := g.ask(t, doubling(numbers...))
		for w := range workers {
			g.work(t, fmt.Sprint("w", w))
		}
		all := finished(t, taken, ended)
		for i, n := range numbers {
			if want := fmt.Sprintf(`%d {"twice":%d}`, i, 2*n); !all[want] || len(all) != len(numbers) {
				t.Errorf("%d workers: no %s in %v", workers, want, all)
			}
		}
	}
}

// orderOf begins a batch.
func (i *impostor) orderOf(of task) (o order) {
	i.t.Helper()
	i.ask(Name(DefaultName).start(of.ID, i.name), nil, &o)
	return o
}

func (i *impostor) hand(of task, o outcome) (answer receipt) {
	i.t.Helper()
	i.ask(Name(DefaultName).report(of.ID, i.name), o, &answer)
	return answer
}

// A worker that has lost a batch to another one is refused.
func TestLostBatchIsRefused(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.reopen(t, time.Minute) // the batch changes hands only when the test says so
	taken, ended := g.ask(t, doubling(4))
	slow, quick := g.impostor(t, "slow"), g.impostor(t, "quick")
	message, of := slow.takeBatch()
	slow.orderOf(of)
	if err := message.Nak(); err != nil { // as if the lease were over
		t.Fatal(err)
	}
	_, later := quick.takeBatch()
	quick.orderOf(later)
	if answer := slow.hand(of, outcome{Result: json.RawMessage(`{"twice":8}`)}); answer.Refused != gone {
		t.Errorf("the slow one is answered %+v", answer)
	}
	if answer := quick.hand(later, outcome{}); answer.Refused != "" || answer.Ended {
		t.Errorf("a beat is answered %+v", answer)
	}
	if answer := quick.hand(later, outcome{Result: json.RawMessage(`{"twice":8}`)}); !answer.Ended {
		t.Errorf("the quick one is answered %+v", answer)
	}
	if all := finished(t, taken, ended); !all[`0 {"twice":8}`] {
		t.Errorf("taken %v", all)
	}
}

// A batch that fails again and again ends its round, with the reason.
func TestFailingBatch(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	g := newGround(t, 0)
	_, ended := g.ask(t, doubling(1, -1, 2))
	g.work(t, "w")
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "a number below 0") || !strings.Contains(err.Error(), "batch 1") {
		t.Errorf("the round ends with %v", err)
	}
}

// fail takes a task, and fails in it; it tells the arena so twice, as if the first answer had been lost.
func (i *impostor) fail() {
	i.t.Helper()
	m, of := i.takeBatch()
	i.orderOf(of)
	for range 2 {
		if answer := i.hand(of, outcome{Fault: i.name + " cannot"}); answer != (receipt{}) {
			i.t.Errorf("a fault is answered %+v", answer)
		}
	}
	if err := m.Nak(); err != nil {
		i.t.Error(err)
	}
}

// One worker that fails again and again ends no round while another one is there.
func TestOneWorkerFailsNoRound(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.addCard(Card{Worker: "other", Games: 1, Batches: true})
	taken, ended := g.ask(t, doubling(4))
	bad := g.impostor(t, "bad")
	for range mostFaults + 1 {
		bad.fail()
	}
	g.work(t, "honest")
	if all := finished(t, taken, ended); !all[`0 {"twice":8}`] {
		t.Errorf("taken %v", all)
	}
}

// A fault counts once if its answer was lost, also if there is no other worker.
func TestFaultsAreCountedOnce(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	taken, ended := g.ask(t, doubling(4))
	bad := g.impostor(t, "bad")
	for range mostFaults - 1 {
		bad.fail()
	}
	g.work(t, "honest")
	if all := finished(t, taken, ended); !all[`0 {"twice":8}`] {
		t.Errorf("taken %v", all)
	}
}

// A batch that three workers fail in ends its round, also if other workers are there.
func TestThreeWorkersFailARound(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.addCard(Card{Worker: "other", Games: 1, Batches: true})
	_, ended := g.ask(t, doubling(4))
	g.impostor(t, "a").fail()
	g.impostor(t, "b").fail()
	m, of := g.impostor(t, "c").takeBatch()
	defer func() { _ = m.Nak() }()
	c := g.impostor(t, "c")
	c.orderOf(of)
	c.hand(of, outcome{Fault: "c cannot"})
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "failed 3 times on 3 workers") {
		t.Errorf("the round ends with %v", err)
	}
}

// A file that is damaged after a worker has found it right is fetched again once a batch has failed.
func TestFailedBatchDoubtsItsFiles(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	r := Round{Kind: reading, Bot: "az:simulations=8,weights=" + network, Batches: []json.RawMessage{json.RawMessage(`{"n":1}`)}}
	cache := t.TempDir()
	g.run(t, &Worker{Card: card("w"), NATS: g.dial(t, "w"), Chores: chores, Log: quiet, Cache: Cache{Folder: cache, Most: DefaultCacheSize}})
	for range 2 {
		taken, ended := g.ask(t, r)
		if all := finished(t, taken, ended); !all[`0 {"twice":2}`] {
			t.Errorf("taken %v", all)
		}
		all, err := newCache(t, cache, DefaultCacheSize).entries()
		if err != nil || len(all) != 1 {
			t.Fatalf("%d files, error %v", len(all), err)
		}
		if err := os.WriteFile(filepath.Join(cache, all[0].Name()), make([]byte, all[0].Size()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A batch with settings or a result that no message has room for ends its round, with the reason.
func TestBatchThatIsTooLong(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	for name, r := range map[string]Round{
		"settings": {Kind: long, Batches: []json.RawMessage{json.RawMessage(`{"text":"` + strings.Repeat("x", leastPayload) + `"}`)}},
		"result":   {Kind: long, Batches: []json.RawMessage{json.RawMessage(fmt.Sprintf(`{"grow":%d}`, leastPayload))}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGround(t, 0)
			r.Bot = "greedy"
			_, ended := g.ask(t, r)
			g.work(t, "w")
			select {
			case err := <-ended:
				if err == nil || !strings.Contains(err.Error(), "max_payload") {
					t.Errorf("the round ends with %v", err)
				}
			case <-time.After(3 * time.Minute):
				t.Fatal("the round does not end")
			}
		})
	}
}

// A round that is given up leaves no tasks behind.
func TestRoundIsInterrupted(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- g.coordinator.Do(ctx, doubling(1, 2, 3), func(int, string, json.RawMessage) {}) }()
	late := g.impostor(t, "late")
	_, of := late.takeBatch()
	late.orderOf(of)
	stop()
	if err := <-ended; !errors.Is(err, tournament.ErrInterrupted) {
		t.Errorf("it ends with %v", err)
	}
	info, err := g.coordinator.stream.Info(t.Context())
	if err != nil || info.State.Msgs != 0 {
		t.Errorf("%d tasks are left, error %v", info.State.Msgs, err)
	}
	if answer := late.hand(of, outcome{Result: json.RawMessage(`{"twice":2}`)}); answer.Refused != gone {
		t.Errorf("who is late is answered %+v", answer)
	}
}

func TestRoundsThatNobodyCanDo(t *testing.T) {
	for why, change := range map[string]func(*Round){
		`kind "a b"`:   func(r *Round) { r.Kind = "a b" },
		`kind "match"`: func(r *Round) { r.Kind = Match },
		"unknown bot":  func(r *Round) { r.Bot = "nobody" },
	} {
		r := doubling(1)
		change(&r)
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want %q", err, why)
		}
	}
}

// A worker that does no batches is given none, and if another worker fails, it does not count as one that is left.
func TestWorkerWithoutChores(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	g := newGround(t, 0)
	g.run(t, &Worker{Card: card("matches"), NATS: g.dial(t, "matches"), Log: quiet})
	taken, ended := g.ask(t, doubling(4))
	bad := g.impostor(t, "bad")
	for range mostFaults - 1 {
		bad.fail()
	}
	g.work(t, "honest")
	if all := finished(t, taken, ended); !all[`0 {"twice":8}`] || len(all) != 1 {
		t.Errorf("taken %v", all)
	}
	_, ended = g.ask(t, doubling(-1))
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "failed 3 times on 1 workers") {
		t.Errorf("the round ends with %v", err)
	}
}
