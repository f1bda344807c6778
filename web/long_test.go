package web_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp/kb"

	"versus2048/players/evaluation"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// cooperate returns the moves of a game whose attacker helps the defender: it has some thousand plies.
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

// recorded puts a game with these moves on record, whose attacker resigned.
func (h *house) recorded(moves []rules.Move) *tournament.Game {
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

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// opened opens the page of a game and waits until all of it is there.
func (b *tab) opened(g *tournament.Game, query string) {
	b.t.Helper()
	b.visit(fmt.Sprintf("/games/%d%s", g.ID, query))
	b.await(`document.querySelector("article.game").replay?.marks && document.querySelectorAll(".uplot").length === 3`)
}

// work is what a page of a game did for what it shows, counted rather than timed.
type work struct {
	Nodes  int // of the page
	Points int // of a curve
	Known  int // positions
}

// work returns the work of the page so far.
func (b *tab) work() work {
	b.t.Helper()
	return eval[work](b, `(({ positions }) => ({
		nodes: document.querySelectorAll("*").length, known: Object.keys(positions).length,
		points: 0,
	}))(document.querySelector("article.game").replay)`)
}

// The page of a long game has no more on it than that of a shorter one, and a step plays one move: what is
// out of view is not there.
func TestLongGame(t *testing.T) {
	moves := cooperate()
	if len(moves) < 4*1000 {
		t.Fatalf("the long game has %d plies", len(moves))
	}
	h := open(t)
	b := browse(t, h.url)
	var works []work
	for _, plies := range []int{1000, len(moves)} {
		g := h.recorded(moves[:plies])
		b.opened(g, "?ply=500")
		works = append(works, b.work())
		b.shows(&g.Record, 500)
		b.press(kb.ArrowRight)
		b.shows(&g.Record, 501)
		b.press(kb.End)
		b.shows(&g.Record, plies)
		b.press(kb.ArrowLeft)
		b.shows(&g.Record, plies-1)
	}
	t.Logf("%+v", works)
	if short, long := works[0], works[1]; long.Nodes > short.Nodes+50 || long.Known > short.Known+1 {
		t.Errorf("%+v for %d plies, %+v for 1000", long, len(moves), short)
	}
}

// BenchmarkGamePage opens the pages of a short and a long game, and steps through them.
func BenchmarkGamePage(b *testing.B) {
	_ = performance.GetMetrics
}
