package roster_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"versus2048/internal/server/roster"
)

// world is a simulation of events that share bots. It keeps its own account of the games.
type world struct {
	t      *testing.T
	random *rand.Rand
	offers map[string]int
	used   map[string]int
	events []*event
}

// event is an event of the simulation. Its games are played in any order.
type event struct {
	allocation *roster.Allocation
	left       [][]string // games to play
	playing    [][]string
}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, random: rand.New(rand.NewPCG(seed, 0)), offers: map[string]int{}, used: map[string]int{}}
	pool, bots := roster.NewPool(), 2+w.random.IntN(5)
	for i := range bots {
		w.offers[fmt.Sprint(i)] = 1 + w.random.IntN(3)
	}
	for range 1 + w.random.IntN(5) {
		e := &event{allocation: pool.Allocate()}
		for name, n := range w.offers {
			e.allocation.Add(name, func() int { return n })
		}
		for range 1 + w.random.IntN(30) {
			a, b := w.random.IntN(bots), w.random.IntN(bots-1)
			if b >= a {
				b++
			}
			e.left = append(e.left, []string{fmt.Sprint(a), fmt.Sprint(b)})
		}
		w.events = append(w.events, e)
	}
	return w
}

// start starts the games of an event that can start, and waits for the first that cannot.
func (w *world) start(e *event) {
	for i := 0; i < min(len(e.left), 30); i++ {
		game := e.left[i]
		if !e.allocation.Take(game...) {
			continue
		}
		for _, name := range game {
			if w.used[name]++; w.used[name] > w.offers[name] {
				w.t.Fatalf("bot %s plays %d games and offers %d", name, w.used[name], w.offers[name])
			}
		}
		e.left, e.playing = slices.Delete(e.left, i, i+1), append(e.playing, game)
		i--
	}
	if len(e.left) == 0 {
		e.allocation.Wait()
		return
	}
	e.allocation.Wait(e.left[0]...)
}

// end ends a game of an event.
func (w *world) end(e *event) {
	i := w.random.IntN(len(e.playing))
	for _, name := range e.playing[i] {
		w.used[name]--
	}
	game := e.playing[i]
	e.playing = slices.Delete(e.playing, i, i+1)
	e.allocation.Give(game...)
}

// step starts the games of every event that was told to try again, then ends a game. It reports whether there was any.
func (w *world) step() bool {
	for again := true; again; {
		again = false
		for _, e := range w.events {
			select {
			case <-e.allocation.Freed():
				w.start(e)
				again = true
			default:
			}
		}
	}
	busy := slices.DeleteFunc(slices.Clone(w.events), func(e *event) bool { return len(e.playing) == 0 })
	if len(busy) == 0 {
		return false
	}
	e := busy[w.random.IntN(len(busy))]
	w.end(e)
	w.start(e)
	return true
}

// No bot has more games than slots, and no event waits for ever: every game is played.
func TestAllEventsEnd(t *testing.T) {
	for seed := range uint64(200) {
		w := newWorld(t, seed)
		for _, e := range w.events {
			w.start(e)
		}
		for w.step() {
		}
		for i, e := range w.events {
			if len(e.left) > 0 {
				t.Fatalf("seed %d: event %d of %d waits for ever with %d games left", seed, i, len(w.events), len(e.left))
			}
		}
	}
}

// Two events with the same bots get as many games as each other, though one was there first.
func TestEventsShareFairly(t *testing.T) {
	for _, n := range []int{1, 2, 5, 8} {
		pool := roster.NewPool()
		w := &world{t: t, random: rand.New(rand.NewPCG(1, uint64(n))), offers: map[string]int{"a": n, "b": n}, used: map[string]int{}}
		for range 2 {
			e := &event{allocation: pool.Allocate()}
			for name := range w.offers {
				e.allocation.Add(name, func() int { return n })
			}
			for range 1000 {
				e.left = append(e.left, []string{"a", "b"})
			}
			w.events = append(w.events, e)
			w.start(e)
		}
		for range 1000 {
			w.step()
		}
		if a, b := len(w.events[0].left), len(w.events[1].left); a-b > 30 || b-a > 30 {
			t.Errorf("%d slots: %d and %d games are left", n, a, b)
		}
	}
}

// A game of two bots begins although others take each of them again and again, never both at once.
func TestPairIsServed(t *testing.T) {
	pool := roster.NewPool()
	one := func() int { return 1 }
	left, right, both := pool.Allocate(), pool.Allocate(), pool.Allocate()
	left.Add("a", one)
	right.Add("b", one)
	both.Add("a", one)
	both.Add("b", one)
	left.Take("a")
	right.Take("b")
	both.Wait("a", "b")
	for taken := 0; !both.Take("a", "b"); taken++ {
		if taken > 10 {
			t.Fatal("the pair waits for ever")
		}
		left.Give("a")
		if both.Free("a", "b") {
			t.Fatal("b is busy")
		}
		left.Take("a")
		right.Give("b")
		if both.Free("a", "b") {
			continue
		}
		right.Take("b")
	}
	if left.Take("a") {
		t.Error("a plays twice")
	}
}

// While one of two bots plays a long game, nobody keeps the other free.
func TestNobodyWaitsForVisitors(t *testing.T) {
	pool := roster.NewPool()
	one := func() int { return 1 }
	ladder, league, visit := pool.Allocate(), pool.Allocate(), pool.Visit()
	for _, s := range []*roster.Allocation{ladder, league, visit} {
		s.Add("a", one)
		s.Add("b", one)
	}
	ladder.Wait("a", "b")
	if visit.Take("a") {
		t.Error("a visitor comes before an event that waits and can start")
	}
	ladder.Wait()
	if !visit.Take("a") {
		t.Fatal("a is free")
	}
	ladder.Wait("a", "b")
	for range 20 {
		if !league.Take("b") {
			t.Fatal("b is kept for a game that has to wait for a visitor")
		}
		league.Give("b")
	}
}

// Bots that an event did not add are its own.
func TestUnknownBotsAreFree(t *testing.T) {
	s := roster.NewPool().Allocate()
	if !s.Take("local", "other") || !s.Take("local") {
		t.Error("a bot of the event's own has no slot")
	}
	s.Wait("local")
	s.Give("local")
}

// A bot that is released gives back all, and other events go on.
func TestRemoveGivesBack(t *testing.T) {
	pool := roster.NewPool()
	a, b := pool.Allocate(), pool.Allocate()
	for _, s := range []*roster.Allocation{a, b} {
		s.Add("x", func() int { return 2 })
	}
	a.Take("x")
	a.Take("x")
	b.Wait("x")
	if !b.Waits() {
		t.Error("an event whose bot plays elsewhere does not wait")
	}
	a.Remove("x")
	<-b.Freed()
	if b.Waits() {
		t.Error("an event with a free bot waits")
	}
	for i, want := range []bool{true, true, false} {
		if b.Take("x") != want {
			t.Errorf("slot %d of two is free: %t", i+1, !want)
		}
	}
	b.Remove("x")
	b.Give("x") // of a game that ended after the bot had left
}
