package web_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"versus2048/internal/study"
	"versus2048/internal/web/templates"
	"versus2048/players/ntuple"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// bar is the advantage as a page shows it.
type bar struct {
	Hidden, Exact  bool
	Percent        float64 // of the bar
	Text           string
	Caption, Label string
}

const barScript = `(() => {
	const box = document.querySelector("[data-advantage]"), label = box.querySelector("label");
	return { hidden: box.hidden, exact: box.matches(".exact"), percent: box.querySelector("meter").value, label: box.querySelector("meter").labels[0].innerText,
		text: label.innerText.trim().replace(/\s+/g, " "), caption: document.querySelector("[data-caption]")?.textContent ?? "" };
})()`

// bar returns the advantage that the page shows.
func (b *tab) bar() bar {
	b.t.Helper()
	return eval[bar](b, barScript)
}

// wantBar fails the test unless the page shows this advantage.
func (b *tab) wantBar(place string, want *study.Advantage) {
	b.t.Helper()
	got := b.bar()
	text := fmt.Sprintf("%d %% for the defender: %s of %s", want.Share(), templates.Number(want.Expected), templates.Number(want.Both()))
	if text = strings.Join(strings.Fields(strings.ReplaceAll(text, "\u202f", " ")), " "); got.Hidden || got.Exact != want.Exact || got.Percent != float64(want.Share()) || strings.ReplaceAll(got.Text, "\u202f", " ") != text {
		b.t.Errorf("%s: the page shows %+v, want %+v as %q", place, got, want, text)
	}
	if !strings.Contains(got.Label, "for the defender") {
		b.t.Errorf("%s: the name of the bar is %q", place, got.Label)
	}
}

// hasBar opens the page of a game of one's own, and plays until the bar is there. It fails the test unless the bar has
// the advantage by a network in the position before the bot's last move.
func (b *tab) hasBar(address string, network *ntuple.Network) {
	b.t.Helper()
	b.visit(address)
	for {
		b.await(myTurn + " || " + gameEnd)
		if !b.bar().Hidden {
			break
		}
		if eval[bool](b, gameEnd) {
			b.t.Fatalf("%s: no bar in a whole game", address)
		}
		for _, key := range b.keyFor() {
			b.press(key)
		}
	}
	text := eval[string](b, module("rules.js")+`.then(({ write }) => {
		const { line, table } = `+game+`, { position, ply } = line.findLast((at) => table.scores[at.ply]);
		return write(position, ply);
	})`)
	p, err := rules.ParsePosition(network.Rules(), text)
	if err != nil {
		b.t.Fatal(err)
	}
	b.wantBar(text, study.ByNetwork(network, p))
}

// Games against the levels have the bar: the network for their rules comes while they are played.
func TestAdvantageInPlay(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	for _, r := range rules.Rulesets() {
		b.hasBar(fmt.Sprintf("/play?level=beginner&rules=%v", r), ntuple.Own(r))
	}
}

// twoLegs plays a match and returns its games.
func (h *host) twoLegs(change func(*tournament.Event)) (legs []results.Stored) {
	h.t.Helper()
	h.must(h.store.Games(h.t.Context(), results.Filter{Event: h.play(change), Finished: true}, func(g results.Stored) error {
		legs = append(legs, g)
		return nil
	}))
	if len(legs) != 2 {
		h.t.Fatalf("a match of %d games", len(legs))
	}
	return legs
}

// The bar and the caption of a replayed game are at each ply those of the page without JavaScript: exact where a table
// is loaded, beside the score of the match's other game.
func TestAdvantageInReplay(t *testing.T) {
	table := solved(t, rules.GPCC2015, rules.Size{Width: 3, Height: 2})
	for _, size := range []rules.Size{table.Size(), rules.Full} {
		t.Run(size.String(), func(t *testing.T) {
			h := open(t, table)
			legs := h.twoLegs(func(e *tournament.Event) { e.Size = size })
			values := study.Values(h.tables)
			b := browse(t, h.URL())
			for i := range legs {
				g, other := &legs[i], legs[1-i].Announced.Score
				b.visit(fmt.Sprintf("/games/%d?ply=0", g.ID))
				b.await(`!!document.querySelector("article.game").replay?.marks`)
				b.wantReplayed(h, g, values, other)
			}
		})
	}
}

// wantReplayed steps through the first plies of a game, and to the last.
func (b *tab) wantReplayed(h *host, g *results.Stored, values study.Values, other int) {
	b.t.Helper()
	p, last := g.Record.Start, len(g.Record.Moves)
	b.wantBar("ply 0", values.In(&g.Record, p, &other))
	for ply, m := range g.Record.Moves[:min(12, last)] {
		caption := templates.Move(p, m)
		p = p.Next(m)
		b.press(kb.ArrowRight)
		place := fmt.Sprintf("game %d, ply %d", g.ID, ply+1)
		b.wantBar(place, values.In(&g.Record, p, &other))
		if got := b.bar().Caption; got != caption {
			b.t.Errorf("%s: the caption is %q, want %q", place, got, caption)
		}
		if _, page := h.get(fmt.Sprintf("/games/%d?ply=%d", g.ID, ply+1)); !strings.Contains(page, `data-caption>`+strings.ReplaceAll(caption, "+", "&#43;")+`<`) {
			b.t.Errorf("%s: the page without JavaScript does not have the caption %q", place, caption)
		}
	}
	b.press(kb.End)
	b.wantBar("the end", &study.Advantage{Expected: g.Announced.Score, Other: other, Exact: values.Table(p) != nil})
}

// The bar of a long game is that of the very ply, and the time that of its move, also far from the plies that the page
// has loaded so far.
func TestAdvantageOfLongGame(t *testing.T) {
	h := open(t)
	moves := cooperate()
	g := h.recorded(moves)
	b := browse(t, h.URL())
	b.opened(g, "?ply=501")
	for _, ply := range []int{501, 3001, 1024, 1025, len(moves), 1} {
		b.run(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector("article.game").replay.go(%d)`, ply)))
		b.await(fmt.Sprintf(`document.querySelector("[data-spent]").textContent === "%d ms"`, g.Record.Times[ply-1].Milliseconds()))
		b.wantBar(fmt.Sprintf("ply %d", ply), study.Values(nil).In(&g.Record, positionAfter(&g.Record, ply), nil))
	}
}

// A board without a table has no bar.
func TestNoAdvantage(t *testing.T) {
	h := open(t)
	g := h.game(h.play(nil), true)
	b := browse(t, h.URL())
	for _, page := range []string{"/games/%d", "/embed/games/%d", "/embed/games/%d?play=1"} {
		b.visit(fmt.Sprintf(page, g.ID))
		b.await(`document.readyState === "complete"`)
		if got := b.bar(); !got.Hidden {
			t.Errorf("%s shows %+v", page, got)
		}
	}
	if _, text := h.get(fmt.Sprintf("/api/games/%d/plies", g.ID)); !strings.Contains(text, `"times_us"`) || strings.Contains(text, `"advantage"`) {
		t.Error("the answer has an advantage that nobody knows")
	}
}

// The bar moves with the plies of a game in progress, on its own page, on the first page, on the page of all boards and
// on other sites.
func TestAdvantageLive(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	tabs := map[string]*tab{}
	for _, page := range []string{"/games/%d", "/embed/games/%d", "/events/1/boards", "/"} {
		b := browse(t, h.URL())
		b.visit(strings.ReplaceAll(page, "%d", fmt.Sprint(s.game)))
		tabs[page] = b
	}
	for range 3 {
		s.step(2)
		for page, b := range tabs {
			b.await(fmt.Sprintf(`document.querySelector("[data-ply-text]").textContent === "%d"`, s.plies))
			g, _ := h.server.Game(s.game)
			b.wantBar(fmt.Sprintf("%s, ply %d", page, s.plies), study.Values(nil).In(&g.Record, positionAfter(&g.Record, s.plies), nil))
		}
	}
}

// positionAfter returns the position after a ply.
func positionAfter(r *record.Record, ply int) rules.Position {
	p := r.Start
	for _, m := range r.Moves[:ply] {
		p = p.Next(m)
	}
	return p
}

// A scene on the first page has the expected score of each of its plies.
func TestAdvantageOfScenes(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/")
	seen := map[string]bool{}
	for len(seen) < 4 {
		b.await(`document.querySelector("[data-caption]").textContent !== ""`)
		if got := b.bar(); got.Hidden || got.Exact || got.Percent <= 0 || got.Percent >= 100 {
			t.Fatalf("the scene has %+v", got)
		} else {
			seen[got.Text] = true
		}
	}
}

// The board of an embedded game plays with its bar, in the colours that its address asks for; bar=0 leaves out the bar
// and the arrow.
func TestEmbeddedControls(t *testing.T) {
	table := solved(t, rules.GPCC2015, rules.Size{Width: 3, Height: 2})
	h := open(t, table)
	legs := h.twoLegs(func(e *tournament.Event) { e.Size = table.Size() })
	g, other := &legs[0], legs[1].Announced.Score
	address := fmt.Sprintf("/embed/games/%d", g.ID)
	b := browse(t, h.URL())
	b.feature("prefers-reduced-motion", "reduce") // the film waits for the button
	b.visit(address + "?play=1&from=4&to=6")
	b.await(`document.querySelector("[data-pause]").ariaLabel === "play"`)
	b.wantBar("ply 4", study.Values(h.tables).In(&g.Record, positionAfter(&g.Record, 4), &other))
	b.run(chromedp.Click(chromedp.CSS("[data-pause]")))
	b.await(`document.querySelector("[data-ply-text]").textContent === "6"`)
	b.wantBar("ply 6", study.Values(h.tables).In(&g.Record, positionAfter(&g.Record, 6), &other))

	for theme, ground := range map[string]string{"light": "rgb(250, 249, 247)", "dark": "rgb(23, 23, 21)"} {
		for _, system := range []string{"light", "dark"} {
			b.scheme(system)
			b.visit(address + "?ply=5&theme=" + theme)
			if got := eval[string](b, `getComputedStyle(document.body).backgroundColor`); got != ground {
				t.Errorf("theme=%s on a %s system has the ground %s, want %s", theme, system, got, ground)
			}
		}
	}
	const aids = `document.querySelectorAll("[data-advantage], [data-best]").length`
	if b.visit(address + "?ply=4"); eval[int](b, aids) != 2 {
		t.Errorf("a board has %d aids, want the bar and the best move", eval[int](b, aids))
	}
	if b.visit(address + "?ply=4&bar=0"); eval[int](b, aids) != 0 {
		t.Errorf("with bar=0 a board has %d aids", eval[int](b, aids))
	}
}

// The best move of a position is on the board, by the table, with and without JavaScript; x hides it with the values.
func TestBestMoveOnTheBoard(t *testing.T) {
	table := solved(t, rules.GPCC2015, rules.Size{Width: 3, Height: 2})
	h := open(t, table)
	g := h.game(h.play(func(e *tournament.Event) { e.Size = table.Size() }), true)
	b := browse(t, h.URL())
	b.visit(fmt.Sprintf("/games/%d?ply=0", g.ID))
	b.await(`!!document.querySelector("article.game").replay?.panels`)
	for ply := range 6 {
		best, err := table.Best(positionAfter(&g.Record, ply))
		if err != nil || len(best) == 0 {
			t.Fatal(err)
		}
		b.await(fmt.Sprintf(`document.querySelector("[data-best-move]").textContent === %q && !!document.querySelector("[data-best]")`, best[0]))
		if got := eval[string](b, drawn); got != best[0].String() {
			t.Errorf("ply %d: the board shows %q, want %v", ply, got, best[0])
		}
		b.press(kb.ArrowRight)
		b.await(fmt.Sprintf(`document.querySelector("[data-ply-text]").textContent === "%d"`, ply+1))
	}
	b.await(`!!document.querySelector("[data-best]")`)
	b.press("x")
	b.await(`!document.querySelector("[data-best]")`)
}

// drawn is the move that is drawn on the board.
const drawn = `(() => {
	const at = document.querySelector("[data-best]"), place = /x(\d) y(\d)/.exec(at.className);
	return place ? "(" + place[1] + "," + place[2] + (at.dataset.best === "4" ? ",4" : "") + ")" : at.dataset.best;
})()`

// Without a table the best move is that of the report on the search for the next move.
func TestBestMoveBySearch(t *testing.T) {
	_, b, r := studied(t, "?ply=20")
	b.await(`!!document.querySelector("[data-best]")`)
	if got, want := eval[string](b, drawn), r.Searches[20].Moves[0].Move.String(); got != want {
		t.Errorf("the board shows %s, want %s", got, want)
	}
	if got := b.text(".best-here"); !strings.HasPrefix(got, "Best here, by the search of "+r.Attacker) && !strings.HasPrefix(got, "Best here, by the search of "+r.Defender) {
		t.Errorf("the source is %q", got)
	}
}

// The page of a position has a bar beside a game from the empty board, and an arrow along the best slide.
func TestAdvantageInAnalysis(t *testing.T) {
	table := solved(t, rules.GPCC2015, rules.Size{Width: 3, Height: 2})
	h := open(t, table)
	p := rules.NewPosition(rules.GPCC2015, table.Size())
	game := &record.Record{Start: p, Ending: record.Unfinished}
	b := browse(t, h.URL())
	b.visit("/analysis?" + asked(p))
	b.await(`document.querySelector("[data-study]").ready`)
	for _, m := range []rules.Move{p.AppendMoves(nil)[4], rules.North, rules.East} {
		b.wantBar(p.String(), study.Values(h.tables).In(game, p, nil))
		best, err := table.Best(p)
		h.must(err)
		arrow := eval[string](b, `document.querySelector("[data-board]").dataset.best ?? ""`)
		if p.SideToMove() == rules.Defender && arrow != best[0].String() || p.SideToMove() == rules.Attacker && arrow != "" {
			t.Errorf("%v: the arrow is %q, the best moves are %v", p, arrow, best)
		}
		if !slices.Contains(p.AppendMoves(nil), m) {
			break
		}
		b.run(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector('#slides [data-play="%v"]').click()`, m)))
		p = p.Next(m)
		b.await(fmt.Sprintf(`document.querySelector("#position").value === %q`, p))
	}
}

// Frames of games in progress have the advantage, in the second game of a match beside the score of the first.
func TestAdvantageInFrames(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	s.wantFrame(nil)
	s.play(1)
	until(t, "the end of the first game", func() bool { p, _ := h.server.Progress(s.event); return p.Done == 1 })
	s.waiting.step(1)
	s.settle()
	first := h.game(s.event, true)
	s.wantFrame(&first.Announced.Score)
}

// wantFrame fails the test unless a frame of the game has its advantage.
func (s *slow) wantFrame(other *int) {
	s.h.t.Helper()
	var frame struct {
		Ply       int // on a loaded machine the game is ahead of it
		Advantage *study.Advantage
	}
	text := streamed(s.h.t.(*testing.T), s.h, fmt.Sprintf("/api/games/%d/live", s.game), "frame")
	if err := json.Unmarshal([]byte(text), &frame); err != nil || frame.Advantage == nil || frame.Ply > s.plies {
		s.h.t.Fatalf("%v, want ply %d: %s", err, s.plies, text)
	}
	g, _ := s.h.server.Game(s.game)
	if want := study.Values(nil).In(&g.Record, positionAfter(&g.Record, frame.Ply), other); *frame.Advantage != *want {
		s.h.t.Errorf("the frame has %+v, want %+v", frame.Advantage, want)
	}
}
