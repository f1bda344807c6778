package web_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"versus2048/players/evaluation"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// cooperate returns the moves of a game with an attacker who helps the defender: it has some thousand plies.
func cooperate() (all []rules.Move) {
	rate, p := evaluation.Room().On(rules.Full), rules.NewPosition(rules.GPCC2015, rules.Full)
	for {
		var best []rules.Move
		highest := 0
		for _, place := range p.AppendMoves(nil) {
			placed := p.Next(place)
			for _, slide := range placed.AppendMoves(nil) {
				if value := rate.Of(placed.Next(slide).Board()); best == nil || value > highest {
					best, highest = []rules.Move{place, slide}, value
				}
			}
		}
		if best == nil {
			return all
		}
		p = p.Next(best[0]).Next(best[1])
		all = append(all, best...)
	}
}

// recorded puts a game with these moves on record. Its attacker resigned.
func (h *host) recorded(moves []rules.Move) *tournament.Game {
	h.t.Helper()
	event, err := h.store.CreateEvent(h.t.Context(), tournament.Event{
		Name: fmt.Sprintf("%d plies", len(moves)), Size: rules.Full, Matches: 1, Entries: []tournament.Entry{{Name: "ann", Spec: "random"}, {Name: "bob", Spec: "greedy"}},
	})
	h.must(err)
	journal := h.store.Journal(event)
	g, err := journal.Open(h.t.Context(), tournament.Game{
		Pairing: tournament.Pairing{Match: 1, Round: 1, Nth: 1, First: "bob", Second: "ann"}, Leg: 1, Started: time.Now(),
		Record: record.Record{Attacker: "ann", Defender: "bob", Start: rules.NewPosition(rules.GPCC2015, rules.Full)},
	})
	h.must(err)
	g.Finished, g.Record.Moves, g.Record.Ending = time.Now(), moves, record.Resigned
	for i := range moves {
		g.Record.Times = append(g.Record.Times, time.Duration(1+i%7)*time.Millisecond)
		g.Record.Lags = append(g.Record.Lags, time.Duration(1+i%5)*time.Microsecond)
	}
	h.must(journal.Finish(h.t.Context(), g))
	return &g
}

func (h *host) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// opened opens the page of a game and waits until all of it is there.
func (b *tab) opened(g *tournament.Game, query string) {
	b.t.Helper()
	b.visit(fmt.Sprintf("/games/%d%s", g.ID, query))
	b.await(`document.querySelector("article.game").replay?.marks && document.querySelectorAll(".curves figure").length === 3`)
}

// work is the work for the page of a game, counted rather than timed.
type work struct {
	Bytes  int // of HTML
	Nodes  int // on the page
	Known  int // positions
	Points int // of the longest curve
}

// workFor opens the page of a game and goes through some of it.
func (b *tab) workFor(h *host, g *tournament.Game) (w work) {
	b.t.Helper()
	last := len(g.Record.Moves)
	b.opened(g, "?ply=500")
	b.shows(&g.Record, 500)
	for _, step := range []struct {
		key string
		ply int
	}{{kb.ArrowRight, 501}, {kb.End, last}, {kb.ArrowLeft, last - 1}, {kb.Home, 0}} {
		b.press(step.key)
		b.shows(&g.Record, step.ply)
	}
	w = eval[work](b, `(({ positions }) => ({
		nodes: document.querySelectorAll("*").length, known: Object.keys(positions).length, points: Math.max(...[...document.querySelectorAll(".curves polyline")].map((line) => line.points.length)),
	}))(document.querySelector("article.game").replay)`)
	_, text := h.get(fmt.Sprintf("/games/%d?ply=500", g.ID))
	w.Bytes = len(text)
	return w
}

// The page of a long game costs no more than the page of a shorter one: it leaves out the turns that are out of view, a
// step plays one move, and the page asks for times and final scores only of a ply that stays.
func TestLongGame(t *testing.T) {
	moves := cooperate()
	h := open(t)
	b := browse(t, h.URL())
	short := b.workFor(h, h.recorded(moves[:1000]))
	long := b.workFor(h, h.recorded(moves))
	asked := eval[int](b, `(({ replay }) => {
		const { fetch } = globalThis;
		let asked = 0;
		globalThis.fetch = (...of) => { asked++; return fetch(...of); };
		for (let ply = 0; ply < replay.moves.length; ply += 500) replay.go(ply);
		globalThis.fetch = fetch;
		return asked;
	})(document.querySelector("article.game"))`)
	if asked > 0 {
		t.Errorf("the page sends %d requests while plies pass", asked)
	}
	if len(moves) < 4000 || long.Bytes > short.Bytes+1000 || long.Nodes > short.Nodes+50 || long.Known > short.Known || long.Points > short.Points {
		t.Errorf("%d plies take %+v, 1000 plies %+v", len(moves), long, short)
	}
}
