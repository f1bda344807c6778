package web_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/tournament"
)

// everyPage returns an address of each kind of page. The arena has played an event and is playing another one.
func everyPage(h *host) []string {
	h.t.Helper()
	event := h.play(func(e *tournament.Event) {
		e.Search, e.Size, e.Bots = true, rules.Full, []string{"ann=mcts:playouts=20", "bob=greedy"}
	})
	g := h.game(event, true)
	h.waiting("cat", 8)
	running := h.start(func(e *tournament.Event) { e.Size, e.Bots = rules.Full, []string{"cat", "dan=greedy"} })
	return []string{
		fmt.Sprintf("/events/%d", running),
		fmt.Sprintf("/events/%d/boards", running),
		fmt.Sprintf("/projector?event=%d", running), fmt.Sprintf("/projector?event=%d", event), "/lobby",
		"/",
		fmt.Sprintf("/games/%d?ply=12", g.ID), fmt.Sprintf("/games/%d?ply=13", g.ID),
		"/analysis?position=2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0+D",
		"/analysis?position=2,0,0/0,4,0/0,0,2+D",
		"/analysis?position=0,0,0/0,0,0+A&line=(1,1)+E+[S+(3,1)+[(2,2)]+W]+(3,2)&at=4",
		"/analysis?setup=next&position=2,0,0/0,4,0/0,0,2+D&at=x2y2",
		"/analysis?position=2,0,0/0,4,0/0,0,2+A&rules=gpcc2016&explorer=1",
		fmt.Sprintf("/embed/games/%d", g.ID), fmt.Sprintf("/embed/games/%d?theme=dark", g.ID), fmt.Sprintf("/embed/games/%d?theme=light", g.ID),
		"/events", "/events?name=no+such",
		fmt.Sprintf("/events/%d", event),
		fmt.Sprintf("/events/%d/boards", event),
		"/bots/ann", "/bots/ann/vs/bob",
		"/ratings", "/ratings?conditions=none",
		"/play", "/rules", "/connect", "/login", "/docs", "/docs/PROTOCOL",
		"/puzzles", "/puzzles/1", "/puzzles/" + attackersPuzzle(h.t), "/puzzles?after=1&role=attacker&rules=solo", "/puzzles/0",
		"/nowhere",
		"/new", "/status", "/workers", "/events/0", "/games/0", "/bots/nobody",
	}
}

// operate logs a tab in as an operator. Operators see every page, and more on some.
func (b *tab) operate(h *host) {
	b.t.Helper()
	b.visit("/login?next=/new")
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	b.await(`document.querySelector("#f-bot") !== null`)
}

// axe is the accessibility checker axe-core (https://github.com/dequelabs/axe-core, MPL 2.0).
func axe(t *testing.T) string {
	t.Helper()
	return testkit.ReadDocument(t, "testdata/axe.min.js")
}

// scheme makes a tab prefer light or dark pages.
func (b *tab) scheme(name string) {
	b.t.Helper()
	b.feature("prefers-color-scheme", name)
}

// feature sets a preference of a tab's user.
func (b *tab) feature(name, value string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: name, Value: value}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// Every page can be used with a screen reader, and all its texts can be read, light and dark, by a
// visitor and by an operator.
func TestEveryPageIsAccessible(t *testing.T) {
	h := open(t)
	h.trouble() // which operators see on all pages
	pages, script := everyPage(h), axe(t)
	for _, role := range []string{"visitor", "operator"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			b := browse(t, h.URL())
			if role == "operator" {
				b.operate(h)
			}
			b.mustBeAccessible(pages, script)
		})
	}
}

// mustBeAccessible lets axe-core check pages: by all its rules on the light page, and by its rules about colours on the
// dark one.
func (b *tab) mustBeAccessible(pages []string, script string) {
	b.t.Helper()
	for _, page := range pages {
		b.scheme("light")
		b.stay(page)
		b.mustPassAxe(page, script, `{resultTypes: ["violations"]}`)
		b.scheme("dark")
		b.mustPassAxe(page+" when dark", script, `{resultTypes: ["violations"], runOnly: ["color-contrast", "link-in-text-block"]}`)
	}
}

// stay visits a page, and keeps the page of workers from reloading itself.
func (b *tab) stay(page string) {
	b.t.Helper()
	b.visit(page)
	if page == "/workers" {
		eval[bool](b, `(window.stop(), true)`)
	}
}

// mustPassAxe lets axe-core check the page with options. A page without its statistics loads itself again soon, and the
// check begins again then.
func (b *tab) mustPassAxe(page, script, options string) {
	b.t.Helper()
	type violation struct {
		ID, Help string
		Nodes    []struct{ HTML, FailureSummary string }
	}
	check := chromedp.Evaluate[[]violation](fmt.Sprintf(`(async () => {
		if (!globalThis.axe) { %s }
		return (await axe.run(document, %s)).violations;
	})()`, script, options), chromedp.EvalAwaitPromise)
	ctx, end := context.WithTimeout(b.ctx, patience)
	defer end()
	found, err := chromedp.Run(ctx, check)
	for navigated(err) && ctx.Err() == nil {
		found, err = chromedp.Run(ctx, check)
	}
	if err != nil {
		b.t.Fatalf("%s: %v", page, err)
	}
	for _, v := range found {
		for _, n := range v.Nodes {
			b.t.Errorf("%s: %s (%s): %s: %s", page, v.Help, v.ID, n.HTML, n.FailureSummary)
		}
	}
}

// No page has to be scrolled sideways, on a phone, a tablet or a desk, and none loads more than 60 kB of our modules.
func TestEveryPageFitsTheScreen(t *testing.T) {
	h := open(t)
	h.trouble()
	pages := everyPage(h)
	b := browse(t, h.URL())
	b.operate(h)
	most := 0
	for _, page := range pages {
		b.stay(page)
		modules := eval[int](b, `performance.getEntriesByType("resource").filter(({ name }) => /\/static\/[^/]+\/[^/]+\.js$/.test(name))
			.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`)
		if most = max(most, modules); modules > 60_000 {
			t.Errorf("%s loads modules of %d bytes, want at most 60,000", page, modules)
		}
		for _, width := range []int64{320, 360, 768, 1440} {
			b.run(chromedp.EmulateViewport(width, 800))
			if wide := eval[int64](b, `document.documentElement.scrollWidth`); wide > width {
				widest := eval[string](b, `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth)
					.map((e) => e.tagName + "." + e.className).slice(0, 5).join(" ")`)
				t.Errorf("%s at %d pixels is %d wide: %s", page, width, wide, widest)
			}
		}
	}
	if most < 10_000 {
		t.Errorf("the largest page loads modules of %d bytes: they are not counted", most)
	}
}

// Without JavaScript every page has its heading and says something.
func TestEveryPageWithoutJavaScript(t *testing.T) {
	h := open(t)
	for _, page := range everyPage(h) {
		_, text := h.get(page)
		if strings.Count(text, "<h1") != 1 || len(text) < 1000 {
			t.Errorf("%s has %d headings in %d bytes", page, strings.Count(text, "<h1"), len(text))
		}
	}
}

// Pages have no signs that the usual fonts lack, which would be shown as empty boxes. DejaVu, often the only
// one, has all of these, but few of the signs on the buttons of music players.
func TestSignsAreInUsualFonts(t *testing.T) {
	for _, pattern := range []string{"templates/*.html", "static/*.js"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			for _, sign := range regexp.MustCompile(`[^\x00-\x7f·–’“”…←↑→↓▮▶◀★✓]`).FindAllString(testkit.ReadDocument(t, file), -1) {
				t.Errorf("%s has %s (%+q)", file, sign, sign)
			}
		}
	}
}

// The number on every tile can be read (contrast 4.5:1), and no two tiles look the same.
func TestTiles(t *testing.T) {
	css := testkit.ReadDocument(t, "static/style.css")
	seen := map[string]string{}
	for _, m := range regexp.MustCompile(`\.t(\d+) \{ background: #(\w{6}); color: #(\w{6}); \}`).FindAllStringSubmatch(css, -1) {
		if c := contrast(t, m[2], m[3]); c < 4.5 {
			t.Errorf("tile %s has a contrast of %.2f", m[1], c)
		}
		if other := seen[m[2]]; other != "" {
			t.Errorf("tiles %s and %s have the same colour", m[1], other)
		}
		seen[m[2]] = m[1]
	}
	if len(seen) != 16 {
		t.Errorf("%d tiles have colours, want 2 to 65536", len(seen))
	}
}

// contrast is the contrast ratio of WCAG 2.1 (https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio).
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(hex string) (sum float64) {
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			part, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			c := float64(part) / 255
			if c <= 0.03928 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += weight * c
		}
		return sum
	}
	light, dark := max(luminance(a), luminance(b)), min(luminance(a), luminance(b))
	return (light + 0.05) / (dark + 0.05)
}

// On paper a page has no navigation, no controls and no dark grounds, and its tables are whole.
func TestPaper(t *testing.T) {
	h := open(t)
	pages := everyPage(h)
	b := browse(t, h.URL())
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		b.visit(page)
		b.await(`document.readyState === "complete"`)
		found := eval[[]string](b, `(() => {
			const seen = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
			const black = (e) => { const [r, g, b, a = 1] = getComputedStyle(e).backgroundColor.match(/[\d.]+/g).map(Number); return a > 0 && r + g + b < 300; };
			return [
				...seen("nav, footer, form:not(.line), button:not(form.line button), input, select, textarea"),
				...seen("body, main, .panel, .board, .cell, .tile").filter(black),
				...seen(".scroll").filter((e) => getComputedStyle(e).overflowX !== "visible"),
			].map((e) => e.outerHTML.slice(0, 90));
		})()`)
		if len(found) > 0 {
			t.Errorf("%s, printed, has %q", page, found[:min(3, len(found))])
		}
	}
}
