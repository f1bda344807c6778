package web_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// phone gives a tab the screen of a phone, inside the browser's bars.
type phone struct{ width, height int64 }

var phones = []phone{{390, 664}, {844, 390}, {360, 740}, {740, 360}}

func (b *tab) hold(p phone) {
	b.t.Helper()
	b.run(chromedp.EmulateViewport(p.width, p.height, chromedp.EmulateMobile, chromedp.EmulateTouch))
}

// outOfView returns how many pixels of an element's height are out of view.
func (b *tab) outOfView(selector string) float64 {
	b.t.Helper()
	return eval[float64](b, fmt.Sprintf(`(({ top, bottom, height }) => Math.round(height - Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0))))(
		document.querySelector(%q).getBoundingClientRect())`, selector))
}

// After Start the board, which was not there before, and the clock are in view, wherever the button was.
func TestStartShowsTheBoard(t *testing.T) {
	h := open(t)
	for _, mode := range []string{"defender", "bots"} {
		for _, p := range phones {
			t.Run(fmt.Sprint(mode, p), func(t *testing.T) {
				b := browse(t, h.URL())
				b.hold(p)
				b.visit("/play")
				b.await(`document.querySelector("[data-options], #options")?.placeholder !== ""`)
				eval[bool](b, fmt.Sprintf(`(() => {
					const form = document.querySelector("[data-form]");
					document.querySelector("[data-more]").open = true;
					Object.entries({ mode: %q, opponent: "greedy", second: "greedy", clock: "60000" }).forEach(([k, v]) => { form.elements[k].value = v; });
					return true;
				})()`, mode))
				b.run(chromedp.ScrollIntoView(chromedp.CSS("[data-start]")), chromedp.Click(chromedp.CSS("[data-start]")))
				b.await(myTurn + ` || document.querySelector("[data-do=step]").hidden === false`)
				for _, part := range []string{"[data-board]", "[data-clock=defender]"} {
					if out := b.outOfView(part); out != 0 {
						t.Errorf("%v pixels of %s are out of view", out, part)
					}
				}
			})
		}
	}
}

// A tap on a move in the list, or on a mark below it, brings the whole board with that move into view.
func TestTappedMoveShowsTheBoard(t *testing.T) {
	h := open(t)
	g := h.recorded(cooperate())
	for _, p := range phones {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			b := browse(t, h.URL())
			b.hold(p)
			b.opened(g, "?ply=501")
			b.await(`document.querySelector("a.mark-tile") !== null`)
			for _, link := range []string{`[data-moves] a[data-to="503"]`, "a.mark-tile"} {
				eval[bool](b, fmt.Sprintf(`(document.querySelector(%q).scrollIntoView({ block: "end" }), true)`, link))
				at := eval[[]float64](b, fmt.Sprintf(`(({ left, top, height }) => [left + 8, top + height / 2])(document.querySelector(%q).getBoundingClientRect())`, link))
				to := eval[int](b, fmt.Sprintf(`Number(document.querySelector(%q).dataset.to)`, link))
				b.run(chromedp.MouseClickXY(at[0], at[1]))
				b.shows(&g.Record, to)
				if out := b.outOfView("[data-board]"); out != 0 {
					t.Errorf("after a tap on %s, %v pixels of the board are out of view", link, out)
				}
			}
		})
	}
}

// The list of moves is one stop of the tabulator key, at the move on the board, and the focus there goes along
// with the arrows.
func TestListOfMovesIsOneTabStop(t *testing.T) {
	h := open(t)
	g := h.recorded(cooperate()[:1022])
	b := browse(t, h.URL())
	b.opened(g, "?ply=501")
	const stops, focus = `document.querySelectorAll("[data-moves] a:not([tabindex='-1'])").length`, `document.activeElement.dataset.to ?? ""`
	if got := eval[int](b, stops); got != 1 {
		t.Errorf("%d links of the list are stops, want one", got)
	}
	eval[bool](b, `(document.querySelector("[data-moves]").focus(), true)`)
	b.press(kb.Tab)
	for _, step := range []struct{ key, focus string }{{"", "501"}, {kb.ArrowRight, "502"}, {kb.End, "1022"}, {kb.Home, ""}} {
		if step.key != "" {
			b.press(step.key)
		}
		if got := eval[string](b, focus); got != step.focus {
			t.Errorf("after %q the focus is at move %q, want %q", step.key, got, step.focus)
		}
	}
	eval[bool](b, `(document.querySelector("[data-moves]").scrollTop = 5000, true)`)
	b.await(`document.querySelector('[data-moves] a[data-to="401"]') !== null && ` + stops + ` === 1`)
}

// A box that is ticked leaves the arrows to the game.
func TestKeysBesideACheckbox(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "defender", opponent: "random", size: "2x2", recorded: true}`)
	b.await(myTurn)
	eval[bool](b, `(document.querySelector("#recorded").focus(), true)`)
	const ply = `document.querySelector("[data-play]").game.table.ply`
	for before := eval[int](b, ply); eval[int](b, ply) == before; {
		for _, key := range []string{kb.ArrowLeft, kb.ArrowUp, kb.ArrowDown, kb.ArrowRight} {
			b.press(key)
		}
		if eval[string](b, `document.activeElement.id`) != "recorded" {
			t.Fatal("the box has lost the focus")
		}
		if eval[int](b, ply) == before {
			t.Fatal("no arrow slides the tiles")
		}
	}
	b.press(" ")
	if eval[bool](b, `document.querySelector("#recorded").checked`) {
		t.Error("the space bar does not untick the box")
	}
}
