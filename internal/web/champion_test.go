package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/internal/web/inbrowser"
	"versus2048/players/ntuple"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// championModule is a JavaScript expression for the module champion.js, whose address has a part that changes.
const championModule = `import(document.querySelector('script[src*="analysis.js"]').src.replace("analysis", "champion"))`

// thinking opens a page that can ask the champion in the browser.
func thinking(t testing.TB) (*host, *tab) {
	t.Helper()
	h := open(t)
	b := browse(t, h.URL())
	b.thinks()
	return h, b
}

// thinks opens a page that can ask the champion, which is not loaded yet.
func (b *tab) thinks() {
	b.t.Helper()
	b.visit("/analysis?position=2,0/0,2+D")
	b.await(`document.querySelector("[data-study]").ready`)
}

// askAll returns the opinions of the champion in the browser.
func askAll(b *tab, questions []inbrowser.Asked) (opinions []inbrowser.Opinion) {
	b.t.Helper()
	text, err := json.Marshal(questions)
	if err != nil {
		b.t.Fatal(err)
	}
	answer := eval[string](b, championModule+fmt.Sprintf(`.then(async ({ ask }) => {
		const opinions = [];
		for (const question of %s) opinions.push(await ask(question));
		return JSON.stringify(opinions);
	})`, text))
	if err := json.Unmarshal([]byte(answer), &opinions); err != nil {
		b.t.Fatal(err)
	}
	return opinions
}

// samePositions returns questions about 1,000 positions, of all rules and sizes, most of them of 4x4.
func samePositions(t *testing.T) (questions []inbrowser.Asked) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	add := func(p rules.Position) {
		if len(p.AppendMoves(nil)) > 1 {
			questions = append(questions, inbrowser.Asked{Rules: p.Rules(), Position: p.String(), Nodes: 5000})
		}
	}
	for p := range searchtest.RandomPositions(random.IntN, 2) {
		add(p)
	}
	for len(questions) < 1000 {
		for _, r := range rules.Rulesets() {
			for p := range searchtest.RandomGame(rules.NewPosition(r, rules.Full), random.IntN) {
				add(p)
			}
		}
	}
	return questions[:1000]
}

// The champion in the browser makes the moves of the champion in this process, for the same reasons: the program that
// pages load is not older than its sources.
func TestChampionInBrowser(t *testing.T) {
	_, b := thinking(t)
	native, different := nativeChampion(t), 0
	for group := range slices.Chunk(samePositions(t), 50) {
		for i, got := range askAll(b, group) {
			want, err := native.Ask(group[i], func() bool { return false })
			if err != nil {
				t.Fatal(err)
			}
			if got.Move != want.Move || got.Search.Nodes != want.Search.Nodes {
				different++
				t.Errorf("%s under %v: %v after %d nodes, natively %v after %d", group[i].Position, group[i].Rules, got.Move, got.Search.Nodes, want.Move, want.Search.Nodes)
			}
		}
		if different > 0 {
			t.Fatal("the program for browsers plays otherwise: run make champion")
		}
	}
}

// speed is how quick the champion is in a browser.
type speed struct{ first, browsers, ours float64 } // milliseconds to the first opinion, millions of nodes a second here and natively

// speedIn measures the speed from a midgame of 4x4, with a program that is not loaded yet, in the browser and then
// natively.
func (b *tab) speedIn(native *inbrowser.Champion, r rules.Ruleset, side string) speed {
	b.t.Helper()
	b.thinks()
	asked := inbrowser.Asked{Rules: r, Position: strings.TrimSuffix(searchtest.Midgame, "D") + side, MS: 1000}
	first := eval[float64](b, championModule+fmt.Sprintf(`.then(async ({ ask }) => {
		const began = performance.now();
		await ask({ rules: "%v", position: "%s", ms: 100 });
		return performance.now() - began;
	})`, r, asked.Position))
	askAll(b, []inbrowser.Asked{asked}) // warms up
	there := askAll(b, []inbrowser.Asked{asked})[0].Search
	here, err := native.Ask(asked, func() bool { return false })
	if err != nil {
		b.t.Fatal(err)
	}
	millions := func(nodes, microseconds int64) float64 { return float64(nodes) / float64(microseconds) }
	return speed{first, millions(there.Nodes, there.Time.Microseconds()), millions(here.Search.Nodes, here.Search.Time.Microseconds())}
}

// nativeChampion returns the champion of this process.
func nativeChampion(t testing.TB) *inbrowser.Champion {
	t.Helper()
	c := inbrowser.NewChampion()
	for _, r := range rules.Rulesets() {
		if err := c.Load(ntuple.OwnFile(r)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// The search in the browser is not much slower than in this process.
func TestChampionSpeed(t *testing.T) {
	_, b := thinking(t)
	if s := b.speedIn(nativeChampion(t), rules.GPCC2015, "D"); s.browsers < s.ours/20 {
		t.Errorf("%.1f million nodes a second, natively %.1f", s.browsers, s.ours)
	}
}

// BenchmarkChampionSpeed prints how soon the champion in a browser has its first opinion, and its speed beside the same
// search in this process, by turns.
func BenchmarkChampionSpeed(b *testing.B) {
	for b.Loop() {
		_, tab := thinking(b)
		native := nativeChampion(b)
		fmt.Println("\n| game and side to move | first opinion, ms | million nodes a second | natively | share |\n|---|---:|---:|---:|---:|")
		for _, game := range []struct {
			rules rules.Ruleset
			side  rules.Side
		}{
			{rules.GPCC2015, rules.Defender}, {rules.GPCC2015, rules.Attacker}, {rules.GPCC2016, rules.Defender}, {rules.GPCC2016, rules.Attacker}, {rules.Solo, rules.Defender},
		} {
			var first, browsers, ours, shares []float64
			for range repeats {
				s := tab.speedIn(native, game.rules, strings.ToUpper(game.side.String()[:1]))
				first, browsers, ours, shares = append(first, s.first), append(browsers, s.browsers), append(ours, s.ours), append(shares, s.browsers/s.ours)
			}
			fmt.Printf("| `%v`, %v | %s | %.1f | %.1f | %s |\n", game.rules, game.side, medianOf(first).text(0), medianOf(browsers).median, medianOf(ours).median, medianOf(shares).text(3))
		}
	}
}

// The analysis page asks the champion in the browser, as its opinions show, and the arena does not search for it.
func TestAnalysisInBrowser(t *testing.T) {
	h, b := thinking(t)
	b.visit("/analysis?position=4,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4+D&rules=gpcc2016")
	b.await(`document.querySelector("[data-study]").ready`)
	h.hold(runtime.GOMAXPROCS(0)) // no search of the arena begins
	b.run(chromedp.Click(chromedp.CSS(`[data-toggle]`)))
	b.await(`document.querySelectorAll("[data-variation] a").length > 1`)
	b.await(`document.querySelector("[data-state]").textContent.startsWith("Chooses ")`)
	b.run(chromedp.Click(chromedp.CSS(`[data-toggle]`)))
	b.await(`document.querySelector("[data-state]").textContent === "Stopped."`)
}

// A hint of the champion comes from the browser, and the arena only shows it. An arrow on the board is its move.
func TestHintInBrowser(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "defender", opponent: "champion", size: "4x4"}`)
	b.await(myTurn)
	eval[bool](b, `window.sent = "", window.send = fetch, window.fetch = (to, how) => { if (to === "/parts/hint") sent = how.body; return send(to, how) }, true`)
	b.run(chromedp.Click(chromedp.CSS("[data-do=hint]")))
	b.await(`document.querySelector("[data-hint] h3")?.textContent.startsWith("champion would play ")`)
	if arrow := eval[string](b, `document.querySelector("[data-board]").dataset.best ?? ""`); !strings.HasSuffix(b.text("[data-hint] h3"), "play "+arrow) || arrow == "" {
		t.Errorf("%q with the arrow %q", b.text("[data-hint] h3"), arrow)
	}
	if sent := eval[string](b, `sent`); !strings.Contains(sent, `"opinion":{"bot":"champion:time=300,`) {
		t.Errorf("the page asks for a hint by %s", sent)
	}
}

// Where a browser has no WebAssembly, the arena searches.
func TestWithoutWebAssembly(t *testing.T) {
	_, b := thinking(t)
	eval[bool](b, `Worker = undefined, true`)
	b.run(chromedp.Click(chromedp.CSS(`[data-toggle]`)))
	b.await(`document.querySelector("[data-state]").textContent.startsWith("Chooses ")`)
}

// A question ends the search before it, and a search can be ended: the next question does not wait.
func TestOneSearchAtATime(t *testing.T) {
	_, b := thinking(t)
	const hour = `{ rules: "gpcc2016", position: "4,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4 D", ms: 3600000 }`
	got := eval[string](b, championModule+`.then(async ({ ask }) => {
		const first = ask(`+hour+`), second = ask({ rules: "gpcc2015", position: "2,0/0,2 D", ms: 20 });
		const said = [await first.catch(({ message }) => message), (await second).move];
		let ended, next;
		while (!ended) { // on a busy machine the search may not have begun when the next question comes
			const third = ask(`+hour+`).catch(() => null);
			await new Promise((soon) => setTimeout(soon, 300));
			const fourth = ask({ rules: "gpcc2015", position: "2,0/0,2 D", ms: 20 });
			ended = await third;
			next = await fourth;
		}
		said.push(ended.search.nodes > 0, next.move.length);
		const end = new AbortController(), fifth = ask(`+hour+`, end.signal);
		end.abort();
		said.push(await fifth.catch(({ name }) => name), (await ask({ rules: "gpcc2015", position: "2,0/0,2 D", ms: 20 })).move.length);
		said.push(await ask({ rules: "gpcc2015", position: "2,4/4,2 D", ms: 20 }).catch(({ message }) => message.slice(0, 16)));
		return said.join();
	})`)
	if !strings.HasPrefix(got, "Another question came.,") || !strings.HasSuffix(got, ",true,1,AbortError,1,no move to choos") {
		t.Errorf("the champion answers %s", got)
	}
}

// The champion's worker alone may compile WebAssembly. Pages may not, even if they start the worker.
func TestOnlyWorkerCompiles(t *testing.T) {
	_, b := thinking(t)
	for _, path := range []string{"/analysis?position=2,0/0,2+D", "/play", "/", "/events"} {
		b.visit(path)
		if got := eval[string](b, `WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => "compiled", ({ name }) => name)`); got != "CompileError" {
			t.Errorf("%s: WebAssembly is %s", path, got)
		}
	}
	b.visit("/analysis?position=2,0/0,2+D")
	source := eval[string](b, `document.querySelector('script[src*="analysis.js"]').src`)
	for name, may := range map[string]bool{"analysis.js": false, "champion.js": false, "championworker.js": true, "champion.wasm": false} {
		answer, err := http.Get(strings.Replace(source, "analysis.js", name, 1))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		policy := answer.Header.Get("Content-Security-Policy")
		if strings.Contains(policy, "wasm-unsafe-eval") != may || strings.Contains(policy, "'unsafe") {
			t.Errorf("%s has the policy %s", name, policy)
		}
	}
}

// The program and the networks are small, and are sent to browsers as they take them.
func TestChampionFiles(t *testing.T) {
	h := open(t)
	_, page := h.get("/analysis")
	_, build, _ := strings.Cut(page, `src="/static/`)
	build, _, _ = strings.Cut(build, "/")
	size := func(path, encoding string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", encoding)
		answer, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Encoding") != encoding || !strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %s with %v (error %v)", path, answer.Status, answer.Header, err)
		}
		return len(body)
	}
	program := size("/static/"+build+"/champion.wasm", "br")
	small, large := size("/static/networks/v1.ntuple", ""), size("/static/networks/v1-gpcc2016.ntuple", "")
	zipped, whole := size("/static/"+build+"/champion.wasm", "gzip"), size("/static/"+build+"/champion.wasm", "")
	t.Logf("the program has %d bytes, %d by gzip, %d by Brotli; the networks %d and %d", whole, zipped, program, small, large)
	if program > 1_500_000 || program+small > 3_000_000 || large > 5_400_000 || zipped > 1_500_000 {
		t.Errorf("too large: the program %d, by gzip %d, the networks %d and %d", program, zipped, small, large)
	}
}

// Pages show opinions that visitors' browsers send, and refuse what cannot be one.
func TestVisitorsOpinion(t *testing.T) {
	h := open(t)
	for opinion, want := range map[string]string{
		`{"bot": "champion", "move": "E", "search": {"nodes": 70, "pv": ["E"], "moves": [{"move": "E", "value": 12}]}}`: "Chooses E after 70 nodes",
		`{"bot": "champion", "move": "E"}`:                                       "Chooses E without a search",
		`{"bot": "champion", "move": "(1,1)"}`:                                   "This is no opinion about the position",
		`{"bot": "champion", "move": "E", "search": {"pv": ["(1,1)"]}}`:          "this is no opinion about the position",
		`{"bot": "champion", "move": "E", "search": {"pv": ["E"], "nodes": -1}}`: "this ",
	} {
		_, text := h.post("/parts/opinion", `{"rules": "gpcc2015", "position": "2,0/0,2 D", "opinion": `+opinion+`}`, nil)
		if !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
			t.Errorf("%s: %s, want %q", opinion, text, want)
		}
	}
	_, text := h.post("/parts/hint", `{"bot": "champion", "rules": "gpcc2015", "position": "2,0/0,2 D", "opinion": {"bot": "champion", "move": "E", "search": {"nodes": 70, "pv": ["E"], "moves": [{"move": "E", "value": 12}]}}}`, nil)
	if !strings.Contains(text, "would play E") || !strings.Contains(text, "12.0") {
		t.Errorf("a hint: %s", text)
	}
}
