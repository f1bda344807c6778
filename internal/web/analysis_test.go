package web_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"versus2048/internal/testkit"
	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// solved returns the table of a small board.
func solved(t *testing.T, r rules.Ruleset, size rules.Size) *exact.Table {
	t.Helper()
	s, err := retrograde.Solve(t.Context(), r, size, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s.Table
}

// asked returns the query that names a position.
func asked(p rules.Position) string {
	return url.Values{"position": {p.String()}, "rules": {p.Rules().String()}}.Encode()
}

// The pages have the values of `lab probe`, in every position of random games.
func TestExactValues(t *testing.T) {
	small, other := rules.Size{Width: 3, Height: 2}, rules.Size{Width: 2, Height: 2}
	tables := []*exact.Table{solved(t, rules.GPCC2015, small), solved(t, rules.GPCC2016, other), solved(t, rules.Solo, other)}
	h := open(t, tables...)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 120 {
		table := tables[i%3]
		p := rules.NewPosition(table.Rules(), table.Size())
		for range random.IntN(30) {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			p = p.Next(moves[random.IntN(len(moves))])
		}
		want, err := table.Probe(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := read[exact.Probe](h, "/api/exact?"+asked(p)); !reflect.DeepEqual(got, *want) {
			t.Errorf("%v: %+v, want %+v", p, got, *want)
		}
	}
	for path, want := range map[string]string{
		"/api/exact":                                 "no exact values of gpcc2015 on 4x4",
		"/api/exact?position=0,2,0/0,0,4+A":          "no game from the empty board reaches it",
		"/api/exact?position=0,0/0,0+A":              "no exact values of gpcc2015 on 2x2",
		"/api/exact?position=0,0/0,0+A&rules=gpcc":   "",
		"/api/exact?position=0,0/0,3+A":              "",
		"/analysis?position=0,2,0/0,0,4+A&rules=odd": "",
	} {
		status, text := h.get(path)
		if want == "" && status != http.StatusBadRequest || want != "" && (status != http.StatusNotFound || !strings.Contains(strings.ToLower(text), want)) {
			t.Errorf("%s: %d %s, want %q", path, status, text, want)
		}
	}
}

// explored is the answer of the explorer.
type explored struct {
	Position string `json:"position"`
	Bot      string `json:"bot"`
	Event    int64  `json:"event"`
	results.Explored
}

// The explorer's counts equal the counts by SQL and a replay, with filters.
func TestExplorerCounts(t *testing.T) {
	h := open(t)
	first := h.play(func(e *tournament.Event) { e.Matches = 6 })
	second := h.play(func(e *tournament.Event) { e.Matches, e.Bots = 4, []string{"bob=greedy", "cyd=random"} })
	g := h.game(first, true)
	p := g.Record.Start
	for range 3 {
		p = p.Next(g.Record.Moves[p.Ply()])
		for _, filter := range []results.Filter{{}, {Event: second}, {Bot: "ann"}, {Bot: "bob", Event: first}} {
			want := 0
			filter.Finished = true
			err := h.store.Games(t.Context(), filter, func(g results.Stored) error {
				if at, err := (&record.Record{Start: g.Record.Start, Moves: g.Record.Moves[:p.Ply()], Ending: record.Unfinished}).Replay(); err != nil || at.Canonical() == p.Canonical() {
					want++
					return err
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			path := fmt.Sprintf("/api/explorer?%s&bot=%s", asked(p), filter.Bot)
			if filter.Event > 0 {
				path += fmt.Sprintf("&event=%d", filter.Event)
			}
			got := read[explored](h, path)
			sum := got.Ended
			for _, m := range got.Moves {
				sum += m.Games
			}
			if got.Games != want || sum != want || got.Position != p.String() || got.Bot != filter.Bot || got.Event != filter.Event {
				t.Errorf("%s: %+v, want %d games", path, got, want)
			}
		}
	}
	h.play(nil) // another finished game makes the kept answers wrong
	if got := read[explored](h, "/api/explorer?position=0,0,0/0,0,0/0,0,0+A"); got.Games != 22 {
		t.Errorf("%d games begin with the empty board, want 22", got.Games)
	}
	for _, event := range []string{"0", "x", "-1"} {
		if status, text := h.get("/api/explorer?event=" + event); status != http.StatusNotFound || !strings.Contains(text, "there is no event") {
			t.Errorf("event %s: %d %s", event, status, text)
		}
	}
	status, text := h.get("/api/explorer/progress?position=0,0,0/0,0,0/0,0,0+A")
	if status != http.StatusOK || !strings.Contains(text, "event: explored\n") || !strings.Contains(text, `"games":22`) {
		t.Errorf("the stream is %d %s", status, text)
	}
}

// A position is shown with its moves, exact values and explorer by the server alone.
func TestAnalysisWithoutScript(t *testing.T) {
	h := open(t, solved(t, rules.GPCC2015, rules.Size{Width: 2, Height: 2}))
	h.play(func(e *tournament.Event) { e.Size = rules.Size{Width: 2, Height: 2} })
	status, text := h.get("/analysis?position=2,0/0,0+D&explorer=1")
	for _, want := range []string{
		`href="/analysis?position=0,0/2,0&#43;A&#43;0&#43;1&amp;rules=gpcc2015" data-play="S"`, "slide down", ": leads to ", "★", "2 games came here", "only ", "?ply=1",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%d: the page does not have %q", status, want)
		}
	}
	for path, want := range map[string]string{
		"/analysis?position=2,2/2,2+A":     "no cell is empty",
		"/analysis?position=2,3/0,0+A":     "tile at (2,1): 3: want 0 or a power of two",
		"/analysis?position=2,4/0,0+A+8":   "score 8: want 4, the score of these tiles",
		"/analysis?position=%3Cscript%3E":  "such as 2,0/2,0 D, and score and ply if you like",
		"/analysis?position=0,0&rules=no":  "rules &#34;no&#34;: want gpcc2015",
		"/analysis?position=0,0/0,0+A+0+x": "want a whole number",
	} {
		if status, text := h.get(path); status != http.StatusBadRequest || !strings.Contains(text, want) || strings.Contains(text, "<script>") {
			t.Errorf("%s: %d, want 400 with %q in %s", path, status, want, text)
		}
	}
	if status, _ := h.get("/analysis?game=1&ply=3"); status != http.StatusOK {
		t.Errorf("a game's position: %d", status)
	}
	if status, _ := h.get("/analysis?game=99&ply=3"); status != http.StatusNotFound {
		t.Errorf("no game's position: %d", status)
	}
}

// Moves are played on the board, by click and by key; the address names the position; steps go back.
func TestPlayingOnTheAnalysisBoard(t *testing.T) {
	h := open(t, solved(t, rules.GPCC2015, rules.Size{Width: 3, Height: 2}))
	h.play(func(e *tournament.Event) { e.Size = rules.Size{Width: 3, Height: 2} })
	b := browse(t, h.URL())
	b.visit("/analysis?position=0,0,0/0,0,0+A")
	b.await(`document.querySelector("[data-counted]") && document.querySelectorAll(".put .worth").length === 6`)
	want, err := rules.ParsePosition(rules.GPCC2015, "0,0,0/0,0,0 A")
	if err != nil {
		t.Fatal(err)
	}
	b.run(chromedp.Click(chromedp.CSS(`.put[data-play="(1,1)"]`)))
	b.await(`document.querySelectorAll("a.slide").length === 2`)
	b.press("d")
	for i, text := range []string{"(1,1)", "E"} {
		m, err := rules.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		want = want.Next(m)
		if i == 1 {
			b.await(fmt.Sprintf(`document.querySelector("#position").value === %q`, want))
		}
	}
	if got := b.tiles(); !reflect.DeepEqual(got, want.Tiles()) {
		t.Errorf("the board is %v, want %v", got, want.Tiles())
	}
	address, err := url.Parse(value(b, chromedp.Location()))
	if err != nil || address.Query().Get("position") != "0,0,0/0,0,0 A 0 0" || address.Query().Get("line") != "(1,1) E" || address.Query().Get("at") != "2" || address.Query().Get("rules") != "gpcc2015" {
		t.Errorf("the address is %v (%v), want the start, the moves, and the second of them", address, err)
	}
	if line := strings.TrimSpace(b.text("[data-line]")); line != "(1,1)E" {
		t.Errorf("the line is %q", line)
	}
	b.press(kb.ArrowLeft)
	b.press(kb.ArrowLeft)
	b.await(`document.querySelector("#position").value === "0,0,0/0,0,0 A 0 0" && document.querySelectorAll(".put .worth").length === 6`)
	if slices.ContainsFunc(b.tiles(), func(row []int) bool { return slices.Max(row) > 0 }) {
		t.Errorf("after two steps back the board is %v, want it empty", b.tiles())
	}
	b.press(kb.End)
	b.await(fmt.Sprintf(`document.querySelector("#position").value === %q`, want))
}

// Moves from an earlier position begin variations, which the address has: it shows the same again. Steps go along the
// line of the shown position, and the browser's buttons go back and forward.
func TestVariations(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/analysis?position=0,0,0/0,0,0+A")
	b.await(`document.querySelector("[data-study]").ready`)
	shows := func(line, at string) {
		t.Helper()
		b.await(fmt.Sprintf(`[...document.querySelectorAll("[data-line] button")].map((b) => b.closest(".branch") ? "[" + b.textContent + "]" : b.textContent).join(" ") === %q`, line))
		b.await(fmt.Sprintf(`(document.querySelector("[data-line] [aria-current]")?.value ?? "0") === %q && new URLSearchParams(location.search).get("at") === %[1]q`, at))
	}
	play := func(move string) {
		b.run(chromedp.Click(chromedp.CSS(fmt.Sprintf(`#slides [data-play=%q]`, move))))
	}
	play("(1,1)")
	shows("(1,1)", "1")
	play("E")
	shows("(1,1) E", "2")
	b.press(kb.ArrowLeft)
	shows("(1,1) E", "1")
	play("S")
	shows("(1,1) E [S]", "3")
	play("(3,1)")
	shows("(1,1) E [S] [(3,1)]", "4")
	b.press(kb.Home)
	shows("(1,1) E [S] [(3,1)]", "0")
	play("(2,2)")
	shows("(1,1) [(2,2)] E [S] [(3,1)]", "2")
	if line := eval[string](b, `new URLSearchParams(location.search).get("line")`); line != "(1,1) [(2,2)] E [S (3,1)]" {
		t.Errorf("the address has the moves %q", line)
	}
	address := value(b, chromedp.Location())
	b.visit(strings.TrimPrefix(address, h.URL()))
	b.await(`document.querySelector("[data-study]").ready`)
	shows("(1,1) [(2,2)] E [S] [(3,1)]", "2")

	b.run(chromedp.Click(chromedp.CSS(`[data-line] [value="4"]`))) // S
	shows("(1,1) [(2,2)] E [S] [(3,1)]", "4")
	b.await(`document.querySelector("#position").value === "0,0,0/2,0,0 A 0 2" && document.activeElement.ariaCurrent === "true"`)
	for _, step := range []struct{ key, at string }{{kb.ArrowRight, "5"}, {kb.Home, "0"}, {kb.ArrowRight, "1"}, {kb.End, "3"}} {
		b.press(step.key)
		shows("(1,1) [(2,2)] E [S] [(3,1)]", step.at)
	}
	b.run(chromedp.NavigateBack())
	shows("(1,1) [(2,2)] E [S] [(3,1)]", "2")
	b.run(chromedp.NavigateForward())
	shows("(1,1) [(2,2)] E [S] [(3,1)]", "3")
	b.await(`document.querySelector("#position").value === "0,0,2/0,0,0 A 0 2"`)
}

// The page of a tree needs no JavaScript, and explains a fault in its address.
func TestAddressesOfVariations(t *testing.T) {
	h := open(t)
	const start = "/analysis?position=0,0,0/0,0,0+A&line=(1,1)+E+[S+(3,1)]+(2,2)&at="
	status, text := h.get(start + "4")
	for _, want := range []string{`value="0,0,2/2,0,0 D 0 3"`, `<button name="at" value="4"`, `<span class="branch"`, `name="line" value="(1,1) E [S (3,1)] (2,2)"`} {
		if status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("status %d, without %s", status, want)
		}
	}
	for path, want := range map[string]string{
		start + "7":                         "There is no move 7",
		start + "x":                         "whole number",
		start + "4&play=N+N":                "This move cannot be played",
		"/analysis?line=[":                  "stands before all moves",
		"/analysis?line=N":                  "a slide, but the attacker is to move",
		"/analysis?line=(9,9)":              "(9,9)",
		"/analysis?line=(1,1)+%3Cscript%3E": "&lt;script&gt;",
		"/analysis?line=" + strings.Repeat("E+", 2000): "want at most 3000",
	} {
		if status, text := h.get(path); status != http.StatusBadRequest || !strings.Contains(text, want) || strings.Contains(text, "<script>") {
			t.Errorf("%.60s: %d, without %q", path, status, want)
		}
	}
	if _, text := h.get("/analysis?position=3"); strings.Count(text, "want the tiles by rows") != 1 {
		t.Error("the page of an impossible position does not have the reason once")
	}
	module := map[string]string{"Accept": "application/json"}
	if status, text := h.send(http.MethodGet, start+"7", "", module); status != http.StatusBadRequest || !strings.HasPrefix(text, `{"error":"there is no move 7: `) {
		t.Errorf("a module gets %d %.200s", status, text)
	}
}

// Any position can be set up by hand; an impossible one is refused in words, with the form as it was.
func TestSettingUpAPosition(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/analysis?position=0,0/0,0+A")
	b.await(`document.querySelector("[data-study]").ready`)
	b.run(chromedp.Click(chromedp.CSS(`[data-setup] [name=setup]`)))
	b.await(`document.querySelector(".setting-up") !== null && document.readyState === "complete" && (window.same = true)`)
	for _, step := range []struct{ link, text string }{
		{".x1.y1 a", "2,0/0,0 A"},
		{".x1.y1 a", "4,0/0,0 A"},
		{".x2.y2 a", "4,0/0,2 A"},
		{"a::gpcc2016", "4,0/0,2 A"},
		{"a::3x2", "4,0,0/0,2,0 A"},
		{"a::defender", "4,0,0/0,2,0 D"},
		{"a::65536", "4,0,0/0,2,0 D"},
		{".x3.y1 a", "4,0,65536/0,2,0 D"},
		{"a::empty", "4,0,65536/0,2,0 D"},
		{".x3.y1 a", "4,0,0/0,2,0 D"},
		{"a::next", "4,0,0/0,2,0 D"},
		{".x3.y1 a", "4,0,2/0,2,0 D"},
		{"[data-clear]", "0,0,0/0,0,0 D"},
	} {
		selector, words, _ := strings.Cut(step.link, "::")
		address := eval[string](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].find((a) => !%q || a.textContent === %[2]q).href`, selector, words))
		eval[bool](b, fmt.Sprintf(`([...document.querySelectorAll("a")].find((a) => a.href === %q).click(), true)`, address))
		b.await(fmt.Sprintf(`location.href === %q && document.readyState === "complete"`, address))
		if got := eval[string](b, `document.querySelector("#position").value`); got != step.text {
			t.Errorf("after %s the form has %q, want %q", step.link, got, step.text)
		}
	}
	// Two presses in a row, the second one before the page has changed.
	b.run(chromedp.Evaluate[chromedp.Void](`document.querySelector(".x1.y1 a").click(), document.querySelector(".x2.y1 a").click()`))
	b.await(`document.querySelector("#position").value === "2,2,0/0,0,0 D"`)
	b.run(chromedp.Click(chromedp.CSS("[data-setup] [data-copy]")))
	b.await(`["Copied", "Selected"].includes(document.querySelector("[data-setup] [data-copy]").textContent)`)
	if !eval[bool](b, `window.same === true && document.querySelector("[data-clear]") !== null`) {
		t.Error("the page was loaded again")
	}
	b.run(chromedp.Evaluate[chromedp.Void](`document.querySelector("#position").value = "4,0,65536/0,2,0 D"`))
	b.run(chromedp.Click(chromedp.CSS(`[data-setup] button.main`)))
	b.await(`new URLSearchParams(location.search).get("position") === "4,0,65536/0,2,0 D" && document.querySelector("[data-study]")?.dataset.rules === "gpcc2016" && document.querySelectorAll("a.slide").length === 4`)
	b.run(chromedp.Evaluate[chromedp.Void](`document.querySelector("#position").value = "2,2/2,2 A"; document.querySelector("[data-setup]").requestSubmit()`))
	b.await(`document.querySelector("[data-problem]")?.textContent.includes("no cell is empty")`)
	if rules := eval[string](b, `document.querySelector("[name=rules]").value`); rules != "gpcc2016" {
		t.Errorf("after the error the rules are %s", rules)
	}
	b.visit("/analysis?position=2,2/2,2+A")
	if text := b.text("[data-problem]"); !strings.Contains(text, "no cell is empty") {
		t.Errorf("the page says %q", text)
	}
	if got := eval[string](b, `document.querySelector("#position").value`); got != "2,2/2,2 A" {
		t.Errorf("after the error the form has %q", got)
	}
}

// A bot's opinion grows while a visitor looks, and its principal variation can be played.
func TestOpinion(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/analysis?position=2,0,0/0,4,0/0,0,2+D")
	b.await(`document.querySelector("[data-study]").ready`)
	// The page itself looks at each opinion: a loaded machine may see only the last one, which leaves one move.
	b.run(chromedp.Evaluate[chromedp.Void](`new MutationObserver((_, observer) => {
		const first = document.querySelector("[data-search-moves] tr"), second = document.querySelectorAll("[data-variation] a")[1];
		if (!first || !second) return;
		(window.values ??= new Set()).add(first.querySelector("td.n:nth-child(3)").textContent);
		if (values.size < 2) return;
		observer.disconnect();
		window.marked = [` + drawn + `, first.querySelector("[data-play]").dataset.play];
		second.click();
	}).observe(document.querySelector("[data-report]"), { childList: true })`))
	b.run(chromedp.Click(chromedp.CSS(`[data-toggle]`)))
	b.await(`window.marked !== undefined`)
	if marked := eval[[2]string](b, `marked`); marked[0] != marked[1] {
		t.Errorf("the board shows %s, want the best move %s", marked[0], marked[1])
	}
	b.await(`document.querySelectorAll("[data-line] button").length === 2 && document.querySelector("#position").value.endsWith(" D 4 2")`)
	b.await(`(() => { // it goes on there
		const toggle = document.querySelector("[data-toggle]");
		if (toggle.textContent !== "Stop" || !document.querySelector("[data-state]").textContent.startsWith("Chooses ")) return false;
		toggle.click();
		return true;
	})()`)
	b.await(`document.querySelector("[data-state]").textContent === "Stopped."`)
	b.run(chromedp.Evaluate[chromedp.Void](`document.querySelector("[data-ask] [name=bot]").value = "nobody"`))
	b.run(chromedp.Click(chromedp.CSS(`[data-toggle]`)))
	b.await(`document.querySelector("[data-state]").textContent.includes("unknown bot")`)
}

// A bot's opinion on a position disappears when another position is shown: its moves are not moves of that position.
func TestOpinionOfThePositionBefore(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/analysis?position=2,0,0/0,4,0/0,0,2+D")
	b.await(`document.querySelector("[data-study]").ready`)
	b.run(chromedp.Evaluate[chromedp.Void](`document.querySelector("[data-ask] [name=bot]").value = "alphabeta:depth=1"`))
	b.run(chromedp.Click(chromedp.CSS(`[data-toggle]`)))
	b.await(`document.querySelector("[data-report] [data-play]") !== null`)
	b.run(chromedp.Click(chromedp.CSS(`[data-toggle]`)))
	b.await(`document.querySelector("[data-state]").textContent === "Stopped."`)
	b.run(chromedp.Evaluate[chromedp.Void](`document.querySelector("#slides [data-play=E]").click()`))
	b.await(`document.querySelector("#position").value.includes(" A ") && document.querySelector("[data-state]").textContent === ""`)
	if left := eval[int](b, `document.querySelectorAll("[data-report] [data-play]").length`); left > 0 {
		t.Errorf("%d moves of the position before can still be played", left)
	}
}

// The opinions that visitors can ask for are limited, and the page explains the limit; a place is free again once its
// reader has left.
func TestOpinionsAreBounded(t *testing.T) {
	testkit.Long(t)
	h := open(t)
	for path, want := range map[string]string{
		"bot=perfect:table=/etc/passwd": "this bot reads a file",
		"bot=perfect":                   "this bot reads a file",
		"bot=cnn":                       "this bot reads a file",
		"bot=td":                        "the program has no network of td for gpcc2015 on 4x4",
		"bot=mcts:threads=64":           "threads",
		"bot=gredy":                     "did you mean greedy",
		"bot=random&position=2,4/4,2+D": "the game is over",
	} {
		if status, text := h.get("/api/analysis/live?" + path); status != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s, want 400 and %q", path, status, text, want)
		}
	}
	status, text := h.get("/api/analysis/live?bot=greedy&position=2,0/0,4+D")
	if status != http.StatusOK || strings.Count(text, "event: opinion") != 1 || !strings.HasSuffix(text, "event: done\ndata: {}\n\n") {
		t.Errorf("greedy answers %d %s", status, text)
	}
	full := 0
	var readers []*http.Response
	for full == 0 {
		answer, err := http.Get(h.URL() + "/api/analysis/live?bot=mcts")
		if err != nil {
			t.Fatal(err)
		}
		readers = append(readers, answer)
		if answer.StatusCode != http.StatusOK {
			full = answer.StatusCode
		}
		if len(readers) > 5 {
			t.Fatal("six searches at once")
		}
	}
	if full != http.StatusServiceUnavailable && full != http.StatusTooManyRequests {
		t.Errorf("a search too many is answered by %d", full)
	}
	for _, reader := range readers {
		_ = reader.Body.Close() // they leave
	}
	until(t, "a place, after all readers have left", func() bool {
		status, _ := h.get("/api/analysis/live?bot=greedy&position=2,0/0,4+D")
		return status == http.StatusOK
	})
}

// A search that the arena has no memory for is refused in words, and one is possible again when bots
// have left.
func TestOpinionsNeedMemory(t *testing.T) {
	h := open(t)
	const search = "/api/analysis/live?bot=greedy&position=2,0/0,4+D"
	free, err := h.server.Reserve(8 << 30) // all that the arena may use
	if err != nil {
		t.Fatal(err)
	}
	if status, text := h.get("/api/analysis/live?bot=mcts&position=2,0/0,4+D"); status != http.StatusServiceUnavailable || !strings.Contains(text, "no memory for another search") {
		t.Errorf("without memory: %d %s", status, text)
	}
	free()
	if status, text := h.get(search); status != http.StatusOK {
		t.Errorf("with memory again: %d %s", status, text)
	}
}

// streamed returns the data of the first event of a kind in a stream, and leaves.
func streamed(t *testing.T, h *host, path, kind string) string {
	t.Helper()
	answer, err := http.Get(h.URL() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	for lines, found := bufio.NewScanner(answer.Body), false; lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && found {
			return data
		}
		found = lines.Text() == "event: "+kind || found && lines.Text() != ""
	}
	t.Fatalf("%s: no event %s", path, kind)
	return ""
}

// The page shows the moves that were played, warns that few games are few, filters them, and links to them.
func TestExplorerPanel(t *testing.T) {
	h := open(t)
	h.play(func(e *tournament.Event) { e.Matches = 2 })
	h.play(func(e *tournament.Event) { e.Bots = []string{"bob=greedy", "<b>cyd</b>=random"} })
	b := browse(t, h.URL())
	b.visit("/analysis?position=0,0,0/0,0,0/0,0,0+A")
	b.await(`document.querySelector("[data-counted]")?.dataset.counted === "6"`)
	all := read[explored](h, "/api/explorer?position=0,0,0/0,0,0/0,0,0+A")
	rows := eval[[][]string](b, `[...document.querySelectorAll("#explorer tbody tr")].map((row) => [...row.cells].map((c) => c.textContent.trim()))`)
	if len(rows) != len(all.Moves) {
		t.Fatalf("the page has the rows %q, want %d", rows, len(all.Moves))
	}
	for i, m := range all.Moves {
		if rows[i][0] != m.Move.String() || rows[i][1] != fmt.Sprint(m.Games) || !strings.Contains(rows[i][3], fmt.Sprintf("only %d game", m.Games)) {
			t.Errorf("row %d is %q, want %+v", i+1, rows[i], m)
		}
	}
	b.run(chromedp.Evaluate[chromedp.Void](`{
		const filter = document.querySelector("[data-filter]");
		filter.elements.bot.value = "<b>cyd</b>";
		filter.requestSubmit();
	}`))
	b.await(`document.querySelector("[data-counted]")?.dataset.counted === "2" && document.querySelector("[data-filter] [name=bot]").value === "<b>cyd</b>"`)
	b.run(chromedp.Click(chromedp.CSS(`#explorer [data-play]`)))
	b.await(`document.querySelector("#position").value.includes(" D ") && document.querySelector("#explorer tbody a[href*='ply=1']")`)
	b.visit(eval[string](b, `document.querySelector("#explorer tbody a[href*='ply=1']").getAttribute("href")`))
	if path, ply := value(b, chromedp.Location()), b.text("[data-ply-text]"); !strings.Contains(path, "/games/") || ply != "1" {
		t.Errorf("the link to a game leads to %s, ply %s", path, ply)
	}
}

// holds delays the arena's answers to requests with a text in their address until the page calls release.
func (b *tab) holds(text string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => {
		const ask = fetch, gate = new Promise((open) => { window.release = open; });
		window.fetch = async (address, ...more) => {
			const answer = await ask(address, ...more);
			if (String(address).includes(%q)) await gate;
			return answer;
		};
		return true;
	})()`, text))
}

// refuses makes the page get an error for requests with a text in their address.
func (b *tab) refuses(text string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => {
		const ask = fetch;
		window.fetch = async (address, ...more) => String(address).includes(%q) ?
			Response.json({ error: "too much at once" }, { status: 503 }) : ask(address, ...more);
		return true;
	})()`, text))
}

// explorerOf opens the position that four games began with, and waits for the list of their moves.
func explorerOf(t *testing.T) *tab {
	t.Helper()
	h := open(t)
	h.play(func(e *tournament.Event) { e.Matches = 2 })
	b := browse(t, h.URL())
	b.visit("/analysis?position=0,0,0/0,0,0/0,0,0+A")
	b.await(`document.querySelector("#explorer tbody [data-play]") !== null`)
	return b
}

// While the games of a new position are counted, the rows of the position before are still shown. A press on one of
// them plays nothing.
func TestExplorerOfThePositionBefore(t *testing.T) {
	b := explorerOf(t)
	b.holds("/api/explorer")
	const row = `document.querySelector("#explorer tbody [data-play]")`
	eval[bool](b, row+`.click(), true`)
	b.await(`document.querySelector("#position").value.endsWith(" D 0 1")`)
	if line := eval[int](b, row+`.click(), document.querySelectorAll("[data-line] button").length`); line != 1 {
		t.Errorf("after an old row the line has %d moves, want 1", line)
	}
	eval[bool](b, `release(), true`)
	b.await(`document.querySelector("[data-filter] [name=position]").value.endsWith(" D 0 1") && ` + row + ` !== null`)
	eval[bool](b, row+`.click(), true`)
	b.await(`document.querySelectorAll("[data-line] button").length === 2 && document.querySelector("#position").value.endsWith(" 2")`)
}

// If the games cannot be counted the panel gives the arena's reason, and stays.
func TestExplorerRefused(t *testing.T) {
	b := explorerOf(t)
	b.refuses("/analysis?")
	eval[bool](b, `document.querySelector("[data-filter]").requestSubmit(), true`)
	b.await(`document.querySelector("#explorer [data-counted]")?.textContent === "too much at once"`)
}

// If the arena refuses a position, the page gives its reason. The page says that the arena cannot be reached only if no
// answer comes.
func TestAnalysisRefused(t *testing.T) {
	h := open(t)
	w := newWire(t, h.Address)
	b := browse(t, w.url)
	b.visit("/analysis?position=0,0,0/0,0,0+A")
	b.await(`document.querySelector("[data-study]").ready`)
	says := func(want string) {
		t.Helper()
		eval[bool](b, `document.querySelector("#slides [data-play]").click(), true`)
		b.await(fmt.Sprintf(`document.querySelector("[data-problem]").textContent === %q`, want))
	}
	w.set(true)
	says("The arena cannot be reached.")
	w.set(false)
	b.refuses("/analysis?")
	says("too much at once")
}

// If the arena refuses a press, the browser requests the page; a press on a removed link does nothing. Later presses
// work.
func TestSettingUpAfterAFailure(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/analysis?position=0,0,0/0,0,0+A&setup=next")
	ready := `document.readyState === "complete" && document.querySelector("#position").value === %q`
	b.await(fmt.Sprintf(ready, "0,0,0/0,0,0 A"))
	b.refuses("/analysis?")
	eval[bool](b, `window.same = document.querySelector(".x1.y1 a").click(), true`)
	b.await(`!("same" in window) && ` + fmt.Sprintf(ready, "2,0,0/0,0,0 A"))
	eval[bool](b, `[...document.querySelectorAll("a")].find((a) => a.textContent === "2x2").click(), document.querySelector(".x3.y1 a").click(), true`)
	b.await(fmt.Sprintf(ready, "2,0/0,0 A"))
	eval[bool](b, `document.querySelector(".x2.y2 a").click(), true`)
	b.await(fmt.Sprintf(ready, "2,0/0,2 A"))
}
