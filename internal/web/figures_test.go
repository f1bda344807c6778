package web_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"versus2048/rules"
	"versus2048/tournament"
)

// The profile of a modest visitor: the cable line of WebPageTest, and a processor of a quarter of this one's speed.
const (
	latency  = 28           // milliseconds for there and back
	download = 5e6 / 8      // bytes a second
	upload   = 1e6 / 8      // bytes a second
	slowdown = 4            // times
	repeats  = 9            // of each measurement; figures are medians
	pairs    = 50           // of a long game's page and a shorter one's
	longest  = 50_000       // plies of the long game
	shorter  = longest / 50 // plies of the game beside it
)

// throttled gives the tab the line and the processor of a modest visitor, and no cache.
func (b *tab) throttled() {
	b.t.Helper()
	line := &network.Conditions{Latency: latency, DownloadThroughput: download, UploadThroughput: upload}
	_, lineErr := chromedp.Call(b.ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{line}})
	_, cacheErr := chromedp.Call(b.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	_, speedErr := chromedp.Call(b.ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slowdown})
	if err := errors.Join(lineErr, cacheErr, speedErr); err != nil {
		b.t.Fatal(err)
	}
}

// figures of the first visit to a page.
type figures struct {
	Paint float64 `json:"paint"` // milliseconds from the request to the first picture
	Bytes float64 `json:"bytes"` // of all files, as they were sent
	Ours  float64 `json:"ours"`  // of our modules, as they are written
}

// figures returns the figures of the page that the tab shows.
func (b *tab) figures() figures {
	b.t.Helper()
	b.await(`document.readyState === "complete" && performance.getEntriesByName("first-contentful-paint").length > 0`)
	return eval[figures](b, `(() => {
		const parts = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
		const sum = (of, value) => of.reduce((all, part) => all + value(part), 0);
		const ours = parts.filter(({ name }) => name.endsWith(".js") && !name.includes("/vendor/"));
		return {
			paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
			bytes: sum(parts, (part) => part.encodedBodySize), ours: sum(ours, (part) => part.decodedBodySize),
		};
	})()`)
}

// BenchmarkLongGames prints the figures of the page of a game of 50,000 plies beside one of 1,000.
func BenchmarkLongGames(b *testing.B) {
	moves := cooperation(longest)
	for b.Loop() {
		h := open(b)
		longGames(b, h, h.recorded(moves[:shorter]), h.recorded(moves))
	}
}

// measured is the median of several values, with the 95 % interval by their order: as many values are above the median
// as below it, each with even chances.
type measured struct{ median, low, high float64 }

// medianOf returns the median of at least six values.
func medianOf(all []float64) measured {
	all = slices.Sorted(slices.Values(all))
	n, outside, below := len(all), 0, math.Pow(2, float64(-len(all))) // below: the chance of as few values below the median, or fewer
	for chance := below; ; outside++ {
		chance *= float64(n-outside) / float64(outside+1)
		if below += chance; below > 0.025 {
			return measured{all[n/2], all[outside], all[n-1-outside]}
		}
	}
}

// text writes the median and its interval.
func (m measured) text(decimals int) string {
	return fmt.Sprintf("%.*f [%.*f, %.*f]", decimals, m.median, decimals, m.low, decimals, m.high)
}

// The chance that at most 1 of 9 values is below their median is 10 in 512, and for 7 of 25 it is 0.022.
func TestMedianOf(t *testing.T) {
	for n, want := range map[int]measured{6: {4, 1, 6}, 9: {5, 2, 8}, 25: {13, 8, 18}} {
		var all []float64
		for i := range n {
			all = append(all, float64(n-i))
		}
		if got := medianOf(all); got != want {
			t.Errorf("%d values: %v, want %v", n, got, want)
		}
	}
}

// firstVisits prints a row for each kind of page.
func (b *tab) firstVisits(pages [][2]string) {
	b.t.Helper()
	b.throttled()
	for _, page := range pages {
		var last figures
		var paint []float64
		for range 25 {
			b.visit(page[1])
			last = b.figures()
			paint = append(paint, last.Paint)
		}
		fmt.Printf("| %s | %s | %.0f | %.0f |\n", page[0], medianOf(paint).text(0), last.Bytes/1000, last.Ours/1000)
	}
}

// timed returns how long the page of a game takes for something, in milliseconds.
func timed(do func()) float64 {
	begin := time.Now()
	do()
	return float64(time.Since(begin).Microseconds()) / 1000
}

// keys are pressed on the page of a game one after the other, from its middle on. Each jump is the first one to plies
// that the page knows nothing about.
var keys = []struct {
	name, key string
	ply       func(plies int) int // after the key
}{
	{"a step", "ArrowRight", func(plies int) int { return plies/2 + 1 }},
	{"to the start", "Home", func(int) int { return 0 }},
	{"to the end", "End", func(plies int) int { return plies }},
	{"a step back", "ArrowLeft", func(plies int) int { return plies - 1 }},
}

// drawn returns two times, in milliseconds, that a page takes from a key to the end of the frame with the key's ply: by
// the page's clock, and of the page's thread on the processor.
func (b *tab) drawn(key string, ply int) []float64 {
	b.t.Helper()
	eval[bool](b, `new Promise((done) => setTimeout(() => done(true), 300))`) // the page rests
	begin := b.worked()
	ms := eval[float64](b, fmt.Sprintf(`new Promise((done, wrong) => {
		const begin = performance.now();
		document.body.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true }));
		const { textContent } = document.querySelector("[data-ply-text]");
		if (textContent !== "%d") wrong(new Error("the page shows ply " + textContent));
		requestAnimationFrame(() => setTimeout(() => done(performance.now() - begin)));
	})`, key, ply))
	return []float64{ms, b.worked() - begin}
}

// worked returns how long the page's thread has been on the processor, in milliseconds.
func (b *tab) worked() float64 {
	b.t.Helper()
	known, err := chromedp.Call(b.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		b.t.Fatal(err)
	}
	i := slices.IndexFunc(known.Metrics, func(m *performance.Metric) bool { return m.Name == "TaskDuration" })
	return 1000 * known.Metrics[i].Value
}

// visited returns how long the page of a game takes to open in the middle of the game, and to draw the ply of each key.
func (b *tab) visited(g *tournament.Game) []float64 {
	b.t.Helper()
	plies := len(g.Record.Moves)
	all := []float64{timed(func() { b.opened(g, fmt.Sprintf("?ply=%d", plies/2)) })}
	for _, k := range keys {
		all = append(all, b.drawn(k.key, k.ply(plies))...)
	}
	return all
}

// longGames prints how long the pages of a long game and a shorter one take.
func longGames(b *testing.B, h *host, short, long *tournament.Game) {
	tab := browse(b, h.URL())
	if _, err := chromedp.Call(tab.ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
		b.Fatal(err)
	}
	tab.visited(short)
	tab.visited(long) // the first time, the game is being judged
	names := []string{"open the page, with marks and curves"}
	for _, k := range keys {
		names = append(names, k.name, k.name+", on the processor")
	}
	all := make([][3][]float64, len(names)) // of the shorter game, of the long one, their ratios
	for range pairs {                       // by turns, since the machine's speed changes
		s, l := tab.visited(short), tab.visited(long)
		for i := range names {
			for j, value := range []float64{s[i], l[i], l[i] / s[i]} {
				all[i][j] = append(all[i][j], value)
			}
		}
	}
	fmt.Printf("\n| ms | %d plies | %d plies | ratio |\n|---|---:|---:|---:|\n", len(short.Record.Moves), len(long.Record.Moves))
	for i, of := range all {
		fmt.Printf("| %s | %.1f | %.1f | %s |\n", names[i], medianOf(of[0]).median, medianOf(of[1]).median, medianOf(of[2]).text(2))
	}
}

// BenchmarkPages prints the figures of first visits of a modest visitor in Chromium.
func BenchmarkPages(b *testing.B) {
	for b.Loop() {
		h := open(b)
		event := h.play(func(e *tournament.Event) { e.Search, e.Bots = true, []string{"ann=mcts:playouts=20", "bob=greedy"} })
		g := h.game(event, true)
		fmt.Println("\n| page | first picture, ms | kB sent | kB of our modules |\n|---|---:|---:|---:|")
		browse(b, h.URL()).firstVisits([][2]string{
			{"`/`", "/"},
			{"`/rules`", "/rules"},
			{"`/play`", "/play"},
			{"a puzzle", "/puzzles/1"},
			{"`/analysis`", "/analysis?position=2,0,0/0,4,0/0,0,2+D"},
			{"`/events`", "/events"},
			{"an event", fmt.Sprintf("/events/%d", event)},
			{"a game", fmt.Sprintf("/games/%d", g.ID)},
			{"a bot", "/bots/ann"},
			{"`/ratings`", "/ratings"},
			{"`/connect`", "/connect"},
			{"a document", "/docs/PROTOCOL"},
		})
		alone, _ := offline(b)
		alone.firstVisits([][2]string{{"the static site", "/"}, {"its analysis", "/analysis.html"}})
	}
}

// cooperation returns the first moves of a game with an attacker who helps the defender to keep the largest tiles in
// the order of a snake.
func cooperation(plies int) (all []rules.Move) {
	p := rules.NewPosition(rules.GPCC2015, rules.Full)
	for len(all) < plies {
		empty := p.Board().EmptyCells(rules.Full)
		depth := []int{6, 6, 6, 4, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}[empty]
		_, place, slide := helped(p.Board(), depth)
		p = p.Next(place).Next(slide)
		all = append(all, place, slide)
	}
	return all
}

var slides = []rules.Move{rules.North, rules.South, rules.West, rules.East}

// helped searches for the best placement and slide of both sides together, and returns the value that they lead to.
func helped(b rules.Board, depth int) (best float64, place, slide rules.Move) {
	if depth == 0 {
		return snake(b), place, slide
	}
	best = -1
	for i := range 16 {
		if b.Exponent(i) > 0 {
			continue
		}
		placed := b.With(i, 1)
		for _, m := range slides {
			next := placed.Slide(rules.Full, m)
			if next == placed {
				continue
			}
			if value, _, _ := helped(next, depth-1); value > best {
				best, place, slide = value, rules.Place(i, false), m
			}
		}
	}
	return best, place, slide
}

// snake returns the sum of the tiles, each worth less the later it comes on the way through the rows.
func snake(b rules.Board) (sum float64) {
	weight := 1.0
	for i := range 16 {
		x, y := i%4, i/4
		if y%2 == 1 {
			x = 3 - x
		}
		k := b.Exponent(4*y + x)
		if k > 0 {
			sum += weight * float64(int(1)<<k)
		} else {
			sum += 0.01 // for room
		}
		weight /= 1.7
	}
	return sum
}
