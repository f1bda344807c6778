package players

import (
	"context"
	"testing"
	"time"

	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestPace checks the time that a move should take, and the time that it may take.
func TestPace(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	for _, c := range []struct {
		what        string
		clock       Clock
		own, left   time.Duration // the time by the option, and the time until the context's deadline; 0 for none
		ply         int
		target, end time.Duration // 0 for none
	}{
		{what: "no limit"},
		{what: "a time for each move", clock: Clock{PerMove: s}, left: s, end: s},
		{what: "an option", own: 10 * ms, end: 10 * ms},
		{what: "an option that is shorter", clock: Clock{PerMove: s}, own: 10 * ms, left: s, end: 10 * ms},
		{what: "an option that is longer", clock: Clock{PerMove: s}, own: 10 * s, left: s, end: s},
		{what: "a total", clock: Clock{Base: 400 * s}, left: 400 * s, target: s, end: 4 * s},
		{what: "a total, late in the game", clock: Clock{Base: 400 * s}, left: 80 * s, ply: 1600, target: 100 * ms, end: 400 * ms},
		{what: "an increment", clock: Clock{Base: 40 * s, Increment: 100 * ms}, left: 40 * s, target: 175 * ms, end: 700 * ms},
		{what: "hardly any time left", clock: Clock{Base: 40 * s, Increment: 100 * ms}, left: 8 * ms, target: 4 * ms, end: 6 * ms},
		{what: "a limit for the move as well", clock: Clock{PerMove: 2 * s, Base: 400 * s}, left: 2*s - 10*ms, target: s, end: 2*s - 10*ms},
		{what: "a limit that a margin halves", clock: Clock{PerMove: 20 * ms, Base: 400 * s}, left: 10 * ms, target: s, end: 10 * ms},
		{what: "a total that is nearly over", clock: Clock{PerMove: 2 * s, Base: 400 * s}, left: 400 * ms, target: ms, end: 4 * ms},
		{what: "all together", clock: Clock{PerMove: 2 * s, Base: 400 * s}, own: 20 * ms, left: 2 * s, target: s, end: 20 * ms},
	} {
		ctx, now := context.Background(), time.Now()
		if c.left > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, now.Add(c.left))
			defer cancel()
		}
		got := newPace(c.clock, c.own).next(ctx, now, c.ply)
		for _, time := range []struct {
			what string
			got  time.Time
			want time.Duration
		}{{"target", got.target, c.target}, {"end", got.end, c.end}} {
			if time.want == 0 && !time.got.IsZero() || time.want > 0 && time.got.Sub(now) != time.want {
				t.Errorf("%s: the %s is after %v, want %v", c.what, time.what, time.got.Sub(now), time.want)
			}
		}
	}
}

// TestPaceLasts plays a long game in which each move takes all the time that it may. The time lasts to the end.
func TestPaceLasts(t *testing.T) {
	for _, clock := range []Clock{{Base: 60 * time.Second}, {Base: 10 * time.Second, Increment: 10 * time.Millisecond}} {
		p, left, now := newPace(clock, 0), clock.Base, time.Now()
		for ply := 0; ply < 20_000; ply += 2 {
			ctx, cancel := context.WithDeadline(t.Context(), now.Add(left))
			turn := p.next(ctx, now, ply)
			cancel()
			took := turn.end.Sub(now)
			if took < 0 || took > left {
				t.Fatalf("%+v, ply %d: a move may take %v of %v", clock, ply, took, left)
			}
			p.deduct(took)
			left += clock.Increment - took
		}
		if left < clock.Increment {
			t.Errorf("%+v: %v are left", clock, left)
		}
	}
}

// TestEnough checks that a depth is the last if the game is decided, or if too little time is left for another
// depth.
func TestEnough(t *testing.T) {
	passed := func(elapsed, share time.Duration) *turn {
		began := time.Now().Add(-elapsed)
		return &turn{began: began, target: began.Add(share)}
	}
	const hour = time.Hour
	for _, c := range []struct {
		turn     *turn
		progress searching.Progress
		want     bool
	}{
		{&turn{}, searching.Progress{Steady: 9}, false},
		{&turn{}, searching.Progress{Decided: true}, true},
		{passed(0, hour), searching.Progress{Steady: 9}, false},
		{passed(hour, 4*hour), searching.Progress{Steady: 9}, false},
		{passed(3*hour, 8*hour), searching.Progress{Steady: 4}, true},
		{passed(3*hour, 8*hour), searching.Progress{Steady: 3}, false},
		{passed(5*hour, 8*hour), searching.Progress{Steady: 3}, true},
		{passed(10*hour, 8*hour), searching.Progress{Steady: 1}, false},
		{passed(20*hour, 8*hour), searching.Progress{Steady: 1}, true},
	} {
		if got := c.turn.enough(c.progress); got != c.want {
			t.Errorf("after %v of %v, %+v: enough is %v", time.Since(c.turn.began), c.turn.target.Sub(c.turn.began), c.progress, got)
		}
	}
}

// TestSettled checks when a search of playouts ends before its time: its lead is more than twice the playouts that it
// would make until then.
func TestSettled(t *testing.T) {
	const hour = time.Hour
	for _, c := range []struct {
		elapsed, share time.Duration
		playouts, lead int
		want           bool
	}{
		{6 * hour, 9 * hour, 600, 650, true}, // 300 playouts are left
		{6 * hour, 9 * hour, 600, 550, false},
		{6 * hour, 9 * hour, 600, -5, false},
		{hour, 10 * hour, 100, 90, false},
		{2 * hour, 10 * hour, 100, 850, true}, // by visits of the search before
		{hour, 12 * hour, 100, 9999, false},   // too early
		{0, 10 * hour, 0, 9999, false},
	} {
		began := time.Now().Add(-c.elapsed)
		turn := &turn{began: began, target: began.Add(c.share), end: began.Add(4 * c.share)}
		turn.cut()
		if got := turn.enough(searching.Progress{Playouts: c.playouts, Lead: c.lead}); got != c.want {
			t.Errorf("%+v: enough is %v", c, got)
		}
	}
	lost := &turn{began: time.Now().Add(-hour), end: time.Now().Add(time.Minute)}
	lost.cut()
	if lost.enough(searching.Progress{Playouts: 1, Lead: 1000}) {
		t.Error("time that would be lost is not used")
	}
}

// TestHopeless checks when a search ends that loses interrupted depths: the last depth took longer than the rest of the
// share, and the next depth would take even longer.
func TestHopeless(t *testing.T) {
	const hour = time.Hour
	for _, c := range []struct {
		elapsed, share time.Duration
		finished       time.Duration // the depth before the last one
		want           bool
	}{
		{5 * hour, 8 * hour, hour, true},
		{5 * hour, 10 * hour, hour, false},
		{5 * hour, 8 * hour, 4 * hour, false},
		{5 * hour, 6 * hour, 2 * hour, true},
	} {
		began := time.Now().Add(-c.elapsed)
		turn := &turn{began: began, target: began.Add(c.share), end: began.Add(4 * c.share)}
		turn.cut()
		turn.finished = began.Add(c.finished)
		p := searching.Progress{Depth: 3, Steady: 3}
		if got := turn.enough(p); got != c.want {
			t.Errorf("%+v: enough is %v", c, got)
		}
		if again := turn.enough(p); again {
			t.Errorf("%+v: a depth that took no time is the last", c)
		}
	}
}

// TestLast checks a limit of time that only says when the last depth may begin.
func TestLast(t *testing.T) {
	const hour = time.Hour
	p := newPace(Clock{Base: 4000 * hour}, hour)
	p.exact = true
	for elapsed, want := range map[time.Duration]bool{hour / 2: false, 2 * hour: true} {
		turn := p.next(t.Context(), time.Now().Add(-elapsed), 0)
		if got := turn.enough(searching.Progress{Depth: 1, Steady: 1}); got != want || !turn.limited() || turn.over(t.Context()) {
			t.Errorf("after %v: enough is %v, over %v", elapsed, got, turn.over(t.Context()))
		}
	}
}

// answering is a search that finds a mate at once, and notes whether it was told that this is enough.
type answering struct{ enough bool }

func (a *answering) choose(_ rules.Position, moves []rules.Move, _ *playout.Generator, b searching.Budget) rules.Move {
	a.enough = b.Enough != nil && b.Enough(searching.Progress{Depth: 1, Steady: 1, Decided: true})
	return moves[0]
}

func (*answering) Result() (r searching.Result) { return r }

// TestMateEnds checks when a mate ends a search: under a clock always, without one only a patient search.
func TestMateEnds(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, searchtest.Midgame)
	for _, c := range []struct {
		clock         Clock
		patient, want bool
	}{{Clock{}, false, false}, {Clock{}, true, true}, {Clock{Base: time.Hour}, false, true}} {
		search := &answering{}
		chooser := &pacedChooser{search: search, pace: newPace(c.clock, 0), patient: c.patient}
		g := playout.NewGenerator(1)
		if chooser.choose(t.Context(), p, p.AppendMoves(nil), &g); search.enough != c.want {
			t.Errorf("%+v: a mate is enough: %v", c, search.enough)
		}
	}
}

// TestSearchesShareOutTime gives a whole game's time to searches that would use all of it for one move: they
// leave most of it.
func TestSearchesShareOutTime(t *testing.T) {
	const base = 20 * time.Second
	p := searchtest.Position(t, rules.GPCC2015, "2,64,4,8/32,4,16,2/4,16,0,8/0,0,4,2 A")
	for _, text := range []string{
		"mcts:playouts=100000000", "mctsplus:playouts=100000000", "dag:playouts=100000000,nodes=100000", "evminimax:depth=16", "expectimax:depth=30", "ov3y:time=60000",
		"ov3y:exact=true,time=60000",
	} {
		spec, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), base)
		began := time.Now()
		if _, err := spec.New(Game{Clock: Clock{Base: base}}).Choose(ctx, p); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > base/2 {
			t.Errorf("%s takes %v of %v for a move", text, took, base)
		}
		cancel()
	}
}
