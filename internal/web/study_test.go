package web_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// studied plays a game with search reports and opens its page.
func studied(t *testing.T, query string) (h *host, b *tab, r *record.Record) {
	t.Helper()
	h = open(t)
	event := h.play(func(e *tournament.Event) {
		e.Search, e.Bots = true, []string{"ann=mcts:playouts=30", "bob=evminimax:depth=1"}
	})
	stored, err := h.store.Game(t.Context(), h.game(event, true).ID)
	if err != nil {
		t.Fatal(err)
	}
	b = browse(t, h.URL())
	b.visit(fmt.Sprintf("/games/%d%s", stored.ID, query))
	b.await(`document.querySelector("article.game").replay?.marks && document.querySelectorAll(".curves figure").length > 2`)
	return h, b, &stored.Record
}

// shows fails the test unless the page shows the position after a ply.
func (b *tab) shows(r *record.Record, ply int) {
	b.t.Helper()
	b.await(fmt.Sprintf(`document.querySelector("[data-ply-text]").textContent === "%d"`, ply))
	p := r.Start
	for _, m := range r.Moves[:ply] {
		p = p.Next(m)
	}
	if got := b.tiles(); !reflect.DeepEqual(got, p.Tiles()) {
		b.t.Errorf("ply %d: the page shows %v, want %v", ply, got, p.Tiles())
	}
}

// The page shows the search report of the ply; the line that the bot expected can be played through on
// the board, and left again.
func TestSearchPanel(t *testing.T) {
	_, b, r := studied(t, "?ply=20")
	search := r.Searches[19]
	b.await(`!document.querySelector("[data-search]").hidden`)
	if got := eval[int](b, `document.querySelectorAll("[data-search-moves] tr").length`); got != len(search.Moves) {
		t.Errorf("%d moves are shown, want %d", got, len(search.Moves))
	}
	row := strings.Fields(b.text("[data-search-moves] tr"))
	if want := search.Moves[0]; row[0] != want.Move.String() || !strings.Contains(strings.Join(row, " "), fmt.Sprintf("%.1f", want.Value)) {
		t.Errorf("the first move is %v, want %+v", row, want)
	}
	if got := b.text("[data-search-moves] strong"); got != "played" {
		t.Errorf("the played move is marked %q", got)
	}
	if facts := b.text("[data-search-facts]"); !strings.Contains(facts, r.Defender+", the defender") {
		t.Errorf("the facts are %q", facts)
	}

	after := r.Start
	for _, m := range append(append([]rules.Move{}, r.Moves[:19]...), search.Variation...) {
		after = after.Next(m)
	}
	eval[bool](b, `(document.querySelector("[data-search-line] a:last-child").click(), true)`) // at once: the panel may be replaced
	b.await(`!document.querySelector("[data-variation]").hidden`)
	if got := b.tiles(); !reflect.DeepEqual(got, after.Tiles()) {
		t.Errorf("the expected line leads to %v, want %v", got, after.Tiles())
	}
	b.press(kb.Escape)
	b.await(`document.querySelector("[data-variation]").hidden`)
	b.shows(r, 20)
}

// Marks, curves and the list of moves jump to a ply, the browser's back button returns; steps leave no
// entry in its history.
func TestJumps(t *testing.T) {
	_, b, r := studied(t, "?ply=5")
	b.await(`document.querySelectorAll("[data-marks-list] a.mark-mistake").length > 0 && document.querySelectorAll("[data-ticks] text").length > 0`)
	b.press(kb.ArrowRight)
	b.shows(r, 6)
	mistakes := eval[[]int](b, `[...document.querySelectorAll("a.mark-mistake, a.mark-fault")].map((a) => Number(new URL(a.href).searchParams.get("ply")))`)
	next := mistakes[0]
	for _, ply := range mistakes {
		if ply > 6 {
			next = ply
			break
		}
	}
	b.press("m")
	b.shows(r, next)
	b.await(fmt.Sprintf(`location.search === "?ply=%d"`, next))
	b.run(chromedp.NavigateBack())
	b.shows(r, 6)

	// Moves out of sight have no layout of their own before they are scrolled to.
	eval[bool](b, `(document.querySelector('[data-moves] a[data-to="9"]').scrollIntoView({block: "center"}), true)`)
	b.run(chromedp.Click(chromedp.CSS(`[data-moves] a[data-to="9"]`)))
	b.shows(r, 9)
	b.run(chromedp.NavigateBack())
	b.shows(r, 6)

	b.await(fmt.Sprintf(`document.querySelector("[data-search-facts]").textContent.includes("the defender, before %v")`, r.Moves[5]))
	b.run(chromedp.ScrollIntoView(chromedp.CSS(".curves svg"))) // the panel of ply 6 has moved it
	middle := eval[[]float64](b, `(() => { const box = document.querySelector(".curves svg").getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()`)
	b.run(chromedp.MouseClickXY(middle[0], middle[1]))
	half := len(r.Moves) / 2
	b.await(fmt.Sprintf(`Math.abs(document.querySelector("article.game").replay.ply - %d) < 2`, half))
	b.shows(r, eval[int](b, `document.querySelector("article.game").replay.ply`))
	b.run(chromedp.NavigateBack())
	b.shows(r, 6)
}

// The curves show the ply of the address from the start, and the values under a pointer.
func TestCurvesAtPly(t *testing.T) {
	_, b, r := studied(t, "?ply=9")
	plies := eval[[]string](b, `[...document.querySelectorAll(".curves [data-at]")].map((e) => e.textContent)`)
	if want := slices.Repeat([]string{"9"}, len(plies)); len(plies) < 3 || !reflect.DeepEqual(plies, want) {
		t.Errorf("the legends have the plies %q, want %q", plies, want)
	}
	places := `[...document.querySelectorAll(".at-ply")].map((e) => getComputedStyle(e).x)`
	first := eval[[]string](b, places)
	b.press(kb.ArrowRight)
	b.shows(r, 10)
	b.press(kb.ArrowLeft)
	b.shows(r, 9)
	if after := eval[[]string](b, places); len(first) < 3 || !reflect.DeepEqual(first, after) {
		t.Errorf("the markers are at %q, after a step and back at %q", first, after)
	}
	const legend = `document.querySelector(".curves [data-at]").textContent`
	eval[bool](b, `(() => {
		const plot = document.querySelector(".curves svg"), { left, width, top } = plot.getBoundingClientRect();
		return plot.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: left + width, clientY: top + 9 }));
	})()`)
	b.await(fmt.Sprintf(legend+` === "%d"`, len(r.Moves)))
	eval[bool](b, `document.querySelector(".curves").dispatchEvent(new PointerEvent("pointerleave"))`)
	b.await(legend + ` === "9"`)
}

// Each key of the page does the action that the dialog of the key ? lists.
func TestKeys(t *testing.T) {
	_, b, r := studied(t, "?ply=30")
	b.run(chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(8)))
	b.shows(r, 40)
	b.run(chromedp.KeyEvent(kb.ArrowLeft, chromedp.KeyModifiers(8)))
	b.shows(r, 30)
	b.press("?")
	b.await(`document.getElementById("keys").open`)
	b.press(kb.ArrowRight) // belongs to the dialog
	b.press(kb.Escape)
	b.await(`!document.getElementById("keys").open && !document.activeElement.closest("dialog")`) // its button would take a space
	b.shows(r, 30)
	// The test is the clock of the page, which would otherwise play on while the test looks.
	eval[bool](b, `(window.setInterval = (tick, pace) => (Object.assign(window, { tick, pace }), -1), window.clearInterval = () => { tick = null; }, true)`)
	b.press(" ")
	b.await(`document.querySelector("[data-step=play]").ariaLabel === "pause"`)
	eval[bool](b, `(tick(), tick(), true)`)
	b.shows(r, 32)
	b.press("+")
	b.await(`document.querySelector("[data-speed]").value === "5" && pace === 200 && document.querySelector("[data-step=play]").ariaLabel === "pause"`)
	b.press("-")
	b.press("-")
	b.await(`document.querySelector("[data-speed]").value === "1" && pace === 1000`)
	b.press(" ")
	b.await(`tick === null && document.querySelector("[data-step=play]").ariaLabel === "play"`)
	b.press(kb.Home)
	b.shows(r, 0)
	b.press(kb.End)
	last, err := r.Replay()
	if err != nil {
		t.Fatal(err)
	}
	b.shows(r, len(r.Moves))
	if got := b.tiles(); !reflect.DeepEqual(got, last.Tiles()) {
		t.Errorf("the last position is %v, arena replay has %v", got, last.Tiles())
	}
	if got := b.text("[data-position]"); got != last.String() {
		t.Errorf("the position to copy is %q, want %q", got, last)
	}
	b.run(chromedp.SetValue(chromedp.CSS("[data-slider]"), "12"))
	b.run(chromedp.Evaluate[chromedp.Void](`document.querySelector("[data-slider]").dispatchEvent(new Event("input"))`))
	b.shows(r, 12)
	b.press("e")
	b.await(`location.pathname === "/analysis"`)
	p := r.Start
	for _, m := range r.Moves[:12] {
		p = p.Next(m)
	}
	if got := eval[string](b, `new URLSearchParams(location.search).get("position")`); got != p.String() {
		t.Errorf("the key e leads to the position %q, want %q", got, p)
	}
}

// A game without search reports and lags has no empty curves and no search panel.
func TestNoEmptyCurves(t *testing.T) {
	h := open(t)
	g := h.game(h.play(nil), true)
	b := browse(t, h.URL())
	b.visit(fmt.Sprintf("/games/%d", g.ID))
	want := []string{"score"}
	if slices.Max(g.Record.Times) > 0 { // these bots may be too fast for the clock
		want = append(want, "time, ms")
	}
	b.await(fmt.Sprintf(`document.querySelectorAll(".curves figure").length >= %d`, len(want)))
	titles := eval[[]string](b, `[...document.querySelectorAll(".curves b")].map((e) => e.textContent)`)
	if !reflect.DeepEqual(titles, want) {
		t.Errorf("the curves are %q, want %q", titles, want)
	}
	if !eval[bool](b, `document.querySelector("[data-search]").hidden && document.querySelector("[data-exact]").hidden`) {
		t.Error("there is an empty panel")
	}
}

// The panels of the search and of the exact values are about the same move, and a bad move in the table is marked as
// bad.
func TestPanelsAreAboutOneMove(t *testing.T) {
	table := solved(t, rules.GPCC2015, rules.Size{Width: 3, Height: 2})
	h := open(t, table)
	g, err := h.store.Game(t.Context(), h.game(h.play(func(e *tournament.Event) {
		e.Size, e.Search, e.Bots = table.Size(), true, []string{"ann=mcts:playouts=20", "bob=mcts:playouts=10"}
	}), true).ID)
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t, h.URL())
	compared := 0
	for ply := 1; ply <= min(8, len(g.Record.Moves)); ply++ {
		if g.Record.Searches[ply-1] == nil {
			continue // it had no choice
		}
		compared++
		b.visit(fmt.Sprintf("/games/%d?ply=%d", g.ID, ply))
		search, values := b.text("[data-search-facts]"), b.text("[data-exact-facts]")
		move := g.Record.Moves[ply-1].String()
		if before, _, _ := strings.Cut(values, ":"); !strings.HasPrefix(search, before+" ") || !strings.HasSuffix(before, " before "+move) {
			t.Errorf("ply %d: %q beside %q", ply, search, values)
		}
		for _, panel := range []string{"search", "exact"} {
			row := fmt.Sprintf(`[...document.querySelectorAll("[data-%s-moves] tr")].filter((tr) => tr.querySelector("strong")).map((tr) => tr.cells[0].textContent.split(" ")[0]).join()`, panel)
			if played := eval[string](b, row); played != move {
				t.Errorf("ply %d: the panel %s marks %q as played, want %s", ply, panel, played, move)
			}
		}
	}
	if compared == 0 {
		t.Error("no move has a search report")
	}
	b.await(`document.querySelector("a.mark-mistake") !== null`)
	for _, mark := range eval[[]string](b, `[...document.querySelectorAll("a.mark-mistake")].map((a) => a.textContent)`) {
		if !strings.HasSuffix(mark, " under perfect play") {
			t.Errorf("the mark %q", mark)
		}
	}
}

// The exact panel shows at each ply the table's values for the possible moves, as the panel of the search does.
func TestExactPanel(t *testing.T) {
	table := solved(t, rules.GPCC2015, rules.Size{Width: 3, Height: 2})
	h := open(t, table)
	g := h.game(h.play(func(e *tournament.Event) { e.Size = table.Size() }), true)
	b := browse(t, h.URL())
	b.visit(fmt.Sprintf("/games/%d?ply=0", g.ID))
	b.await(`!!document.querySelector("article.game").replay?.marks`)
	panels := eval[[][]string](b, `(async () => {
		const { replay } = document.querySelector("article.game"), all = [];
		for (let ply = 1; ply <= replay.moves.length; ply++) {
			document.querySelector("[data-exact-worth]")?.remove();
			replay.go(ply);
			while (!document.querySelector("[data-exact-worth]")) await new Promise((next) => setTimeout(next, 5));
			all.push([document.querySelector("[data-exact-worth]").textContent,
				...[...document.querySelectorAll("[data-exact-moves] td")].map((cell) => cell.textContent.replace(" played", ""))]);
		}
		return all;
	})()`)
	p := g.Record.Start
	for ply, m := range g.Record.Moves {
		probe, err := table.Probe(p)
		if err != nil {
			t.Fatal(err)
		}
		worth := func(v exact.Value) string { return fmt.Sprintf("%.0f", float64(p.Score())+v.Gain) }
		want := []string{worth(probe.Value)}
		for _, m := range probe.Moves {
			row := []string{m.Move.String(), worth(m.Value), fmt.Sprint(m.Value.Plies)}
			if m.Best {
				row[0] += " ★"
			}
			want = append(want, row...)
		}
		if !reflect.DeepEqual(panels[ply], want) {
			t.Errorf("ply %d: the panel has %q, want %q", ply, panels[ply], want)
		}
		p = p.Next(m)
	}
	b.press("x")
	b.await(`!document.querySelector("[data-exact]").checkVisibility()`)
}
