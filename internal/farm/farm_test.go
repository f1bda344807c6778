package farm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"versus2048/players"
	"versus2048/players/process"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// A worker loses its task when NATS says so. Another one continues after the plies on record, and later reports
// of the first one do not count.
func TestLostTaskIsRefused(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.reopen(t, time.Minute) // the task changes hands only when the test says so
	e := g.duel(t, 1)
	want := g.expected(t, e)
	ended := g.play(t, e)
	slow := g.impostor(t, "slow")
	message, of := slow.take()
	s := slow.begin(of)
	first := want[[2]int{s.Games[0].Pairing.Match, s.Games[0].Leg}]
	few := report{Game: s.Games[0].ID, Plies: plies{Moves: bytesOf(first[:3])}}
	for range 2 { // the second one tells nothing new
		if answer := slow.tell(of, few); answer != (receipt{Have: 3}) {
			t.Errorf("after three plies the arena answers %+v", answer)
		}
	}
	if answer := slow.tell(of, report{Game: s.Games[0].ID, First: 5}); answer.Have != 3 {
		t.Errorf("after a gap the arena answers %+v", answer)
	}
	if err := message.Nak(); err != nil { // as if the lease were over
		t.Fatal(err)
	}
	next := g.impostor(t, "next")
	message, again := next.take()
	if again.ID == of.ID || again.Kind != of.Kind {
		t.Fatalf("%+v is given out after %+v", again, of)
	}
	if s := next.begin(again); len(s.Games[0].Record.Moves) != 3 {
		t.Errorf("the next worker gets %d plies, want 3", len(s.Games[0].Record.Moves))
	}
	few.First, few.Plies.Moves = 3, bytesOf(first[3:4])
	if answer := slow.tell(of, few); answer.Refused != gone {
		t.Errorf("the first worker is answered %+v", answer)
	}
	if s := slow.begin(of); s.Refused != gone {
		t.Errorf("the first worker may start again: %+v", s)
	}
	if err := message.Nak(); err != nil {
		t.Fatal(err)
	}
	g.work(t, "honest")
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := g.moves(t, e.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("the games are %v, want %v", got, want)
	}
	if answer := slow.tell(of, few); answer.Refused != gone {
		t.Errorf("after the match the first worker is answered %+v", answer)
	}
}

// A request that waits when its task is dropped is answered, like one that comes later, though nobody reads the inbox
// any more.
func TestRequestAtTheEnd(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	e, err := g.coordinator.publish(t.Context(), plainLane, Match)
	if err != nil {
		t.Fatal(err)
	}
	late := g.impostor(t, "late")
	go func() {
		e.requests <- <-e.requests // it has come
		e.drop()
	}()
	if answer := late.tell(task{ID: e.id}, report{}); answer.Refused != gone {
		t.Errorf("a request that waits is answered %+v", answer)
	}
	if answer := late.tell(task{ID: e.id}, report{}); answer.Refused != gone {
		t.Errorf("a request that comes later is answered %+v", answer)
	}
}

// A worker that keeps a task and never begins it loses it.
func TestTaskThatIsNeverBegun(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	e := g.duel(t, 1)
	want := g.expected(t, e)
	ended := g.play(t, e)
	message, _ := g.impostor(t, "idle").take()
	ctx, enough := context.WithCancel(t.Context())
	defer enough()
	go func() {
		for ctx.Err() == nil {
			_ = message.InProgress() // which fails once the message is gone
			pause(ctx, 100*time.Millisecond)
		}
	}()
	g.work(t, "honest")
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := g.moves(t, e.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("the games are %v, want %v", got, want)
	}
}

// A match of a silent worker is given out again, maybe to the same worker: one of its slots has it.
func TestOneSlotHasAMatch(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.reopen(t, time.Minute) // only the test finds the worker silent
	silent := g.referee(t)
	first, second := g.impostor(t, "w"), g.impostor(t, "w")
	_, of := first.take()
	s := first.begin(of)
	for range 2 { // it has been heard before the first time
		silent <- struct{}{}
	}
	_, again := second.take()
	second.begin(again)
	if answer := first.tell(of, report{Game: s.Games[0].ID}); answer.Refused != gone {
		t.Errorf("the first slot's report is answered %+v", answer)
	}
	if s := first.begin(of); s.Refused != gone {
		t.Errorf("the first slot may start again: %+v", s)
	}
	if answer := second.tell(again, report{Game: s.Games[0].ID}); answer.Refused != "" {
		t.Errorf("the second slot's report is answered %+v", answer)
	}
}

// referee gives out a match of a game, and once more whenever it receives a value, as after long silence.
func (g *ground) referee(t *testing.T) (silent chan<- struct{}) {
	t.Helper()
	m := &match{assignment: assignment{farm: g.coordinator}, recorder: &transcript{}}
	m.work.Games = []tournament.Game{{ID: 1, Record: record.Record{
		Start: rules.NewPosition(rules.GPCC2015, rules.Full), Ending: record.Unfinished,
	}}}
	if err := m.setUp(); err != nil {
		t.Fatal(err)
	}
	e, err := g.coordinator.publish(t.Context(), plainLane, Match)
	if err != nil {
		t.Fatal(err)
	}
	searches, ended := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { <-ended; e.drop() })
	go func() {
		defer close(ended)
		for {
			select {
			case request := <-e.requests:
				g.coordinator.answer(request.Msg, m.take(request, e.id, m))
			case <-searches:
				m.search(t.Context(), e)
			case <-t.Context().Done():
				return
			}
		}
	}()
	return searches
}

// A worker that reports impossible plies is set aside, and its games are to be played again.
func TestImpossibleReports(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]report{
		"ply":    {Plies: plies{Moves: []byte{byte(rules.North)}}},
		"times":  {Plies: plies{Moves: []byte{byte(rules.Place(0, false))}, Times: []int64{1, 2}}},
		"end":    {End: &ending{Ending: record.Mate}},
		"ending": {End: &ending{Ending: "victory"}},
		"turns":  {End: &ending{Ending: record.MaxTurns}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGround(t, 0)
			ended := g.play(t, g.duel(t, 1))
			liar := g.impostor(t, "liar")
			_, of := liar.take()
			s := liar.begin(of)
			r.Game = s.Games[0].ID
			if answer := liar.tell(of, r); answer.Refused != others {
				t.Errorf("the arena answers %+v", answer)
			}
			wantDistrust(t, <-ended, "liar", s.Games[0].ID)
			var hello welcome
			liar.ask(Name(DefaultName).hello("liar"), card("liar"), &hello)
			if !strings.Contains(hello.Refused, "set aside") || !hello.Aside {
				t.Errorf("the hello is answered %+v", hello)
			}
		})
	}
}

// A worker's report of the end of a game is cut to values that an arena could report itself, before it is recorded.
func TestEndingsAreBounded(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.reopen(t, time.Minute) // while the other games are played, the attempt stays the last
	e := g.duel(t, 1)
	ended := g.play(t, e)
	talker := g.impostor(t, "talker")
	_, of, s := talker.takeGames()
	log := bytes.Repeat([]byte("log\n"), 300_000)
	for _, game := range talker.otherGames(s) {
		answer := talker.tell(of, report{Game: game.ID, Plies: plies{Moves: bytesOf(game.Record.Moves)}, End: &ending{
			Ending: game.Record.Ending, Detail: "x" + strings.Repeat("é", 1_000_000), Logs: [2][]byte{log, []byte("end")},
			Pause: record.Pause{Stall: -5 * time.Microsecond, Away: 1<<63 - 1},
		}})
		if !answer.Ended {
			t.Fatalf("the arena answers %+v", answer)
		}
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	games, err := g.store.FinishedGames(t.Context(), e.ID)
	if err != nil || len(games) != 2 {
		t.Fatalf("%d games, error %v", len(games), err)
	}
	for _, game := range games {
		r := &game.Record
		if want := "x" + strings.Repeat("é", 499); r.Detail != want {
			t.Errorf("the detail has %d bytes, want %d", len(r.Detail), len(want))
		}
		if want := (record.Pause{Ply: len(r.Moves), Away: tournament.MaxTime}); len(r.Pauses) != 1 || r.Pauses[0] != want {
			t.Errorf("pauses %+v, want %+v", r.Pauses, want)
		}
		logs, err := g.store.Logs(t.Context(), game.ID)
		if err != nil || !bytes.Equal(logs[0], log[len(log)-process.MaxLog:]) || string(logs[1]) != "end" {
			t.Errorf("logs of %d and %d bytes, error %v", len(logs[0]), len(logs[1]), err)
		}
	}
}

// The texts of a worker are bounded, too, if they become the reason for setting it aside.
func TestReasonsAreBounded(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	executor := g.coordinator.Executor()
	defer executor.Close()
	executor.takesPart("liar", nil)
	g.coordinator.setAside(map[string]string{"liar": strings.Repeat("lie", 1_000_000)})
	for what, why := range map[string]string{"the arena": g.coordinator.Aside()["liar"], "the event": executor.distrust().Workers["liar"]} {
		if len(why) != mostText {
			t.Errorf("%s keeps a reason of %d bytes, want %d", what, len(why), mostText)
		}
	}
}

// No task begins for a worker with an impossible name: it would be on record as the name of the player.
func TestWrongNameBeginsNothing(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	ended := g.play(t, g.duel(t, 1))
	name := strings.Repeat("n", mostLabel+1)
	nobody := newImpostor(t, name, g.dialAnywhere(t, name))
	m, of := nobody.take()
	if s := nobody.begin(of); s.Refused != others {
		t.Errorf("the task begins: %+v", s)
	}
	if err := m.Nak(); err != nil {
		t.Fatal(err)
	}
	g.work(t, "honest")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// wantDistrust fails unless an event ended because the worker is not to be trusted, and the game is to be taken back. A
// game of 0 stands for any games.
func wantDistrust(t *testing.T, err error, worker string, game int64) {
	t.Helper()
	var d *tournament.DistrustError
	if !errors.As(err, &d) || d.Workers[worker] == "" {
		t.Fatalf("the event ends with %v", err)
	}
	for _, id := range d.Games {
		if id == game {
			return
		}
	}
	if game != 0 {
		t.Errorf("games %v are to be taken back, not %d", d.Games, game)
	}
}

// A worker with games that are legal, but not the games that others play, is found out, whichever worker checks
// the other.
func TestOtherPlayIsFoundOut(t *testing.T) {
	t.Parallel()
	g := newGround(t, 1)
	g.reopen(t, time.Minute) // while the liar plays, nobody else gets its match
	e := g.duel(t, 3)
	ended := g.play(t, e)
	liar := g.impostor(t, "liar")
	_, of := liar.take()
	liar.playOtherwise(of, liar.begin(of))
	g.work(t, "honest")                 // has nobody to check it
	wantDistrust(t, <-ended, "liar", 0) // it does not end before its checks
	if g.coordinator.isAside("honest") {
		t.Error("the honest worker is set aside")
	}
}

// A match of an honest worker is played again, with the same games, and nobody is set aside.
func TestHonestPlayIsChecked(t *testing.T) {
	t.Parallel()
	g := newGround(t, 1)
	e := g.duel(t, 1)
	ended := g.play(t, e)
	g.work(t, "w1")
	g.work(t, "w2")
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	g.awaitCheck()
	if aside := g.coordinator.Aside(); len(aside) > 0 {
		t.Errorf("set aside are %v", aside)
	}
}

// If both workers of a comparison play otherwise than the arena, the games of both are played again.
func TestTwoWorkersAreFoundOut(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	executor := g.coordinator.Executor()
	defer executor.Close()
	executor.takesPart("a", []tournament.Game{{ID: 1}})
	executor.takesPart("b", []tournament.Game{{ID: 2}})
	executor.takesPart("c", []tournament.Game{{ID: 3}})
	err := settle(g.coordinator.checks, comparison[int]{
		worker: "a", first: 1,
		again:      func(context.Context) (int, string, error) { return 2, "b", nil },
		here:       func(context.Context) (int, error) { return 3, nil },
		difference: func(a, b int) string { return strings.Repeat("it differs", min(1, max(a-b, b-a))) },
	})
	if err != nil {
		t.Fatal(err)
	}
	<-executor.broken
	d := executor.distrust()
	if slices.Sort(d.Games); len(d.Workers) != 2 || d.Workers["a"] == "" || d.Workers["b"] == "" || !slices.Equal(d.Games, []int64{1, 2}) {
		t.Errorf("the executor is broken up with %+v", d)
	}
}

// A worker that plays a check to its end is not blamed for the beginning by another worker.
func TestHalfOfACheckBlamesNobody(t *testing.T) {
	t.Parallel()
	g := newGround(t, 1)
	g.reopen(t, 20*time.Second) // while the liar plays, nobody else gets the check
	ended := g.play(t, g.duel(t, 1))
	leave := g.run(t, &Worker{Card: card("first"), NATS: g.dial(t, "first"), Log: quiet})
	for len(g.coordinator.checks.places) == 0 { // its match is played
		<-time.After(time.Millisecond)
	}
	leave()
	liar := g.impostor(t, "liar")
	message, of, s := liar.takeGames()
	other := liar.otherGames(s)[0]
	if answer := liar.tell(of, report{Game: other.ID, Plies: plies{Moves: bytesOf(other.Record.Moves[:6])}}); answer.Have != 6 {
		t.Fatalf("the arena answers %+v", answer)
	}
	if err := message.Nak(); err != nil {
		t.Fatal(err)
	}
	g.work(t, "honest")
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if aside := g.coordinator.Aside(); len(aside) > 0 {
		t.Errorf("set aside are %v", aside)
	}
}

// A worker that has played games of an event before that was resumed is found out like one that plays now.
func TestEarlierWorkerIsFoundOut(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	e := g.duel(t, 1)
	executor := g.coordinator.Executor()
	defer executor.Close()
	if err := executor.Met("early", "honest"); err != nil {
		t.Fatal(err)
	}
	g.coordinator.setAside(map[string]string{"early": "it lies"})
	r := tournament.Runner{Event: e, Format: format.New, Bots: localBots(t, e), Journal: g.store.Journal(e.ID), Elsewhere: executor}
	wantDistrust(t, r.Run(t.Context()), "early", 0)
	later := g.coordinator.Executor()
	defer later.Close()
	wantDistrust(t, later.Met("honest", "early"), "early", 0)
	if err := g.coordinator.Executor().Met("honest"); err != nil {
		t.Errorf("the honest worker: %v", err)
	}
}

// Workers of another version, or with other bots, get nothing and learn why.
func TestRefusedWorkers(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	for want, c := range map[string]Card{
		"the worker is version v2 and the arena v1": {Worker: "a", Version: "v2", Print: Fingerprint(), Games: 1},
		`worker "ann's": want 1 to 200 letters`:     card("ann's"),
		"rules or bots are not the arena's":         {Worker: "b", Version: "v1", Print: "0", Games: 1},
	} {
		w := Worker{Card: c, NATS: g.dialAnywhere(t, c.Worker), Log: quiet}
		var refused *RefusedError
		if err := w.Run(t.Context()); !errors.As(err, &refused) || refused.Aside || !strings.Contains(err.Error(), want) {
			t.Errorf("the worker ends with %v, want %q", err, want)
		}
	}
}

// Two arenas cannot have one farm.
func TestOneCoordinator(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	if _, err := Open(t.Context(), g.dialAnywhere(t, "arena"), Config{Version: "v1", Log: quiet}); err == nil || !strings.Contains(err.Error(), "runs the farm") {
		t.Errorf("a second coordinator: %v", err)
	}
}

// A farm that is closed answers no worker any more, and another one can be opened on the same connection.
func TestReopen(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	for range 2 {
		g.coordinator.Close()
		_, err := g.dial(t, "w").RequestWithContext(t.Context(), g.coordinator.name.hello("w"), nil)
		if !errors.Is(err, nats.ErrNoResponders) {
			t.Fatalf("a closed farm answers: error %v", err)
		}
		if g.coordinator, err = Open(t.Context(), g.coordinator.nats, Config{Version: "v1", Log: quiet}); err != nil {
			t.Fatal(err)
		}
	}
	g.coordinator.Close()
}

// reopen closes the farm and opens it again as another arena would, with that lease.
func (g *ground) reopen(t *testing.T, lease time.Duration) {
	t.Helper()
	g.coordinator.Close()
	var err error
	if g.coordinator, err = Open(t.Context(), g.coordinator.nats, Config{Version: "v1", Lease: lease, Check: g.coordinator.config.Check, Log: quiet}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.coordinator.Close)
}

// A worker that was at work for an arena with a long lease is soon heard of as often as the next arena wants.
func TestNextArenaHasAShorterLease(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.reopen(t, time.Hour)
	begun, release := make(chan struct{}), make(chan struct{})
	w := &Worker{Card: card("w"), NATS: g.dial(t, "w"), Log: quiet, Chores: map[Kind]Chore{double: chore(func(players.Spec, number) (doubled, error) {
		close(begun)
		<-release
		return doubled{2}, nil
	})}}
	g.run(t, w)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- g.coordinator.Do(ctx, doubling(1), func(int, string, json.RawMessage) {}) }()
	<-begun
	stop()
	if err := <-ended; !errors.Is(err, tournament.ErrInterrupted) {
		t.Errorf("the round ends with %v", err)
	}
	g.reopen(t, time.Second)
	close(release)
	deadline := time.After(3 * time.Minute)
	for beats := time.Duration(0); w.leaseTime() != time.Second || g.cardOf(t, "w").Worker == "" || beats < 3*beatsPerLease; beats++ {
		if g.cardOf(t, "w").Worker == "" {
			beats = 0 // and then it stays for three leases
		}
		select {
		case <-time.After(time.Second / beatsPerLease):
		case <-deadline:
			t.Fatalf("the worker's lease is %v, the workers are %+v", w.leaseTime(), g.coordinator.Workers())
		}
	}
}

// Workers are there as long as they are heard of.
func TestCardsComeAndGo(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	executor := g.coordinator.Executor()
	defer executor.Close()
	if executor.Room() != 1 {
		t.Errorf("without workers there is room for %d matches, want 1", executor.Room())
	}
	t.Run("while it works", func(t *testing.T) {
		g.work(t, "w1")
		var all []Card
		for deadline := time.After(time.Minute); len(all) != 1 || executor.Room() != 2; all = g.coordinator.Workers() {
			select { // the card of a worker that is slow to write it goes, and comes back
			case <-executor.Changed():
			case <-deadline:
				t.Fatalf("workers %+v, room for %d matches, want 2", g.coordinator.Workers(), executor.Room())
			}
		}
		if all[0].Worker != "w1" || all[0].Speed <= 0 {
			t.Errorf("workers %+v", all)
		}
	})
	for len(g.coordinator.Workers()) != 0 { // it has left
		<-executor.Changed()
	}
	lost := g.impostor(t, "lost")
	bucket, err := lost.js.KeyValue(t.Context(), Name(DefaultName).workers())
	if err != nil {
		t.Fatal(err)
	}
	for len(g.coordinator.Workers()) != 1 { // a card lives for a lease
		if _, err := bucket.PutString(t.Context(), "lost", `{"worker":"lost","games":3}`); err != nil {
			t.Fatal(err)
		}
		<-time.After(10 * time.Millisecond)
	}
	for len(g.coordinator.Workers()) != 0 {
		select {
		case <-executor.Changed():
		case <-time.After(3 * time.Minute):
			t.Fatalf("workers %+v, want none", g.coordinator.Workers())
		}
	}
}

// The values of a card are cut to possible ones. A card with a name that no worker can have is ignored.
func TestCardsThatCannotBe(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.reopen(t, time.Minute) // a card lives for a lease
	executor := g.coordinator.Executor()
	defer executor.Close()
	liar := newImpostor(t, "liar", g.dialAnywhere(t, "liar"))
	bucket, err := liar.js.KeyValue(t.Context(), Name(DefaultName).workers())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bucket.Put(t.Context(), "liar", make([]byte, longestCard+1)); err == nil {
		t.Error("a card of more than 8 KiB is kept")
	}
	for _, name := range []string{"a=b", "liar"} { // in this order they are seen
		text := fmt.Sprintf(`{"worker":%q,"host":%q,"games":%d}`, name, strings.Repeat("h", 5_000), math.MaxInt)
		if _, err := bucket.PutString(t.Context(), name, text); err != nil {
			t.Fatal(err)
		}
	}
	<-executor.Changed()
	all, room := g.coordinator.Workers(), executor.Room()
	if len(all) != 1 || all[0].Worker != "liar" || len(all[0].Host) != mostLabel || room != mostRoom+mostRoom/4 {
		t.Errorf("%d workers, room for %d matches", len(all), room)
	}
}

// A worker that has played a part of a game is on record with it, also if the event is stopped there and another worker
// plays it on.
func TestPartsOutliveTheVenue(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	g.reopen(t, time.Minute) // while the liar plays, nobody else gets its match
	e := g.duel(t, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	executor, journal, ended := g.coordinator.Executor(), g.store.Journal(e.ID), make(chan error, 1)
	r := tournament.Runner{Event: e, Format: format.New, Bots: localBots(t, e), Journal: journal, Elsewhere: executor}
	go func() { ended <- r.Run(ctx) }()
	liar := g.impostor(t, "liar")
	_, of, s := liar.takeGames()
	others := liar.otherGames(s)
	whole := report{Game: others[0].ID, Plies: plies{Moves: bytesOf(others[0].Record.Moves)}, End: &ending{Ending: others[0].Record.Ending}}
	part := report{Game: others[1].ID, Plies: plies{Moves: bytesOf(others[1].Record.Moves[:3])}}
	if first, second := liar.tell(of, whole), liar.tell(of, part); !first.Ended || second.Have != 3 {
		t.Fatalf("the arena answers %+v and %+v", first, second)
	}
	stop()
	if err := <-ended; !errors.Is(err, tournament.ErrInterrupted) {
		t.Fatalf("the event ends with %v", err)
	}
	executor.Close()
	if err := journal.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.work(t, "honest")
	if err := <-g.play(t, e); err != nil {
		t.Fatal(err)
	}
	if o, err := g.store.Origin(t.Context(), others[1].ID); err != nil || o.Worker != "honest" {
		t.Errorf("the second game is ended by %+v, error %v", o, err)
	}
	if n, err := g.store.Reopen(t.Context(), e.ID, "liar", nil, false); err != nil || n != 2 {
		t.Errorf("%d games are taken back, error %v, want 2", n, err)
	}
}
