package web_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
)

// ask fills in the form of a game and starts it.
func (b *tab) ask(fields string) {
	b.t.Helper()
	b.visit("/play")
	b.await(`document.querySelector("[data-play]") !== null && document.querySelector("#size") !== null`)
	eval[bool](b, fmt.Sprintf(`(() => {
		const form = document.querySelector("[data-form]"), fields = %s;
		document.querySelector("[data-more]").open = true;
		for (const [name, value] of Object.entries(fields)) {
			if (typeof value === "boolean") form.elements[name].checked = value; else form.elements[name].value = value;
		}
		form.dispatchEvent(new Event("change"));
		document.querySelector("[data-start]").click();
		return true;
	})()`, fields))
}

const (
	myTurn  = `document.querySelector("[data-play]").game?.turn === true`
	gameEnd = `document.querySelector("[data-play]").game?.over === true`
)

// keyFor returns the key that plays a legal slide, or the keys that place a tile on the first empty cell.
func (b *tab) keyFor() []string {
	b.t.Helper()
	where := eval[[]int](b, `(() => {
		const { role, table } = document.querySelector("[data-play]").game, { tiles } = table.position;
		if (role === "attacker") for (let y = 0; y < tiles.length; y++) for (let x = 0; x < tiles[0].length; x++) if (!tiles[y][x]) return [x, y];
		return [];
	})()`)
	if len(where) == 0 {
		return []string{kb.ArrowLeft, "s", "l", kb.ArrowUp} // one of them is legal; the others say why not
	}
	keys := []string{}
	at := eval[[]int](b, `document.querySelector("[data-play]").game.table.cursor ?? []`)
	if len(at) == 0 {
		keys, at = append(keys, kb.ArrowDown), []int{0, 0} // the first key shows the cursor
	}
	for ; at[0] != where[0]; at[0] = (at[0] + 1) % 2 {
		keys = append(keys, kb.ArrowRight)
	}
	for ; at[1] != where[1]; at[1] = (at[1] + 1) % 2 {
		keys = append(keys, kb.ArrowDown)
	}
	return append(keys, kb.Enter)
}

// A person plays a match by keyboard, a game in each role, and it is on record as it was played.
func TestPlayingByKeyboardOnRecord(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "defender", opponent: "random", size: "2x2", name: "<b>Añ</b> 🙂", recorded: true}`)
	seen := map[string]bool{}
	const ends = `window.ends = []; document.addEventListener("over", (e) => ends.push(e.detail)); true`
	eval[bool](b, ends)
	for {
		b.await(`ends.length === 2 || ` + myTurn)
		if eval[int](b, `ends.length`) == 2 {
			break
		}
		seen[eval[string](b, `document.querySelector("[data-play]").game.role`)] = true
		before := eval[int](b, `document.querySelector("[data-play]").game.table.ply`)
		for _, key := range b.keyFor() {
			b.press(key)
			if eval[int](b, `document.querySelector("[data-play]").game.table.ply`) != before {
				break
			}
		}
	}
	if !seen["attacker"] || !seen["defender"] {
		t.Errorf("roles played: %v", seen)
	}
	var games []results.Stored
	for len(games) < 2 { // the last one is recorded a moment after it is over
		games = nil
		err := h.store.Games(t.Context(), results.Filter{Finished: true}, func(g results.Stored) error {
			games = append(games, g)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, g := range games {
		if want := "guest <b>Añ</b> 🙂"; g.Record.Attacker != want && g.Record.Defender != want {
			t.Errorf("game %d is of %q and %q", i+1, g.Record.Attacker, g.Record.Defender)
		}
		if score := eval[int](b, fmt.Sprintf(`ends[%d].score`, i)); score != g.Announced.Score {
			t.Errorf("game %d: the page says %d points, the record %d", i+1, score, g.Announced.Score)
		}
	}
	if text := b.text("[data-say]"); !strings.Contains(text, "The match: you") {
		t.Errorf("at the end the page says %q", text)
	}
	h.verify()
}

// A game that a person loses as the defender ends on the arena's last board, with the tile that mated.
func TestLostGameEndsOnItsLastBoard(t *testing.T) {
	h := open(t)
	for _, set := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016, rules.Solo} {
		b := browse(t, h.URL())
		b.ask(fmt.Sprintf(`{mode: "defender", opponent: "random", size: "2x2", rules: %q}`, set))
		eval[bool](b, `(document.addEventListener("over", (e) => { window.over = e.detail; }), true)`)
		b.finish()
		type end struct {
			Ending, Ply, Score string
			Plies              int
			Final, Points      string
			Placed, Slides     int
		}
		got := eval[end](b, module("rules.js")+`.then(({ slide }) => {
			const text = (name) => document.querySelector("[data-" + name + "]").textContent, { position } = document.querySelector("[data-play]").game.table;
			return {
				ending: over.ending, ply: text("ply-text"), plies: over.plies, points: String(over.score), score: text("score"),
				placed: document.querySelectorAll("[data-board] .placed").length, slides: [..."NSWE"].filter((s) => slide(position.tiles, s)).length,
			};
		})`)
		if got.Ending != "mate" || got.Ply != fmt.Sprint(got.Plies) || got.Score != got.Points || got.Placed != 1 || got.Slides != 0 {
			t.Errorf("%v: %+v", set, got)
		}
		for _, row := range b.tiles() {
			if slices.Contains(row, 0) {
				t.Errorf("%v: the last board is %v", set, b.tiles())
			}
		}
	}
}

// finish plays the game of a defender to its end.
func (b *tab) finish() {
	b.t.Helper()
	const ply = `document.querySelector("[data-play]").game.table.ply`
	for {
		b.await(myTurn + ` || ` + gameEnd)
		if eval[bool](b, gameEnd) {
			return
		}
		before := eval[int](b, ply)
		for _, key := range b.keyFor() {
			if b.press(key); eval[int](b, ply) != before {
				break
			}
		}
	}
}

// A clock is marked when little is left of its time, whether that is seconds or hours, also if it showed the same time
// before.
func TestClockWithLittleLeft(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/play")
	for _, example := range []struct {
		clocks string
		want   bool
	}{
		{`{ turn_ms: 5000, spent_ms: 0 }`, false},
		{`{ turn_ms: 5000, spent_ms: 3500 }`, false},
		{`{ turn_ms: 5000, spent_ms: 4100 }`, true},
		{`{ turn_ms: 600000, spent_ms: 560000 }`, false},
		{`{ turn_ms: 600000, spent_ms: 591000 }`, true},
		{`{ turn_ms: 900, base_ms: 5000, spent_ms: 0 }`, true},
		{`{ turn_ms: 9000, base_ms: 10000, defender_ms: 9000, spent_ms: 0 }`, false},
		{`{ turn_ms: 9000, base_ms: 300000, defender_ms: 9000, spent_ms: 0 }`, true},
		{`{ turn_ms: 9000, base_ms: 10000, defender_ms: 9000, spent_ms: 8000 }`, true},
		{`{ turn_ms: 0, base_ms: 10000, attacker_ms: 0, defender_ms: 0, spent_ms: 0}`, true},
	} {
		got := eval[bool](b, module("watch.js")+`.then(({ Screen }) => {
			const root = document.querySelector("[data-play]");
			new Screen(root).sides.show("defender", `+example.clocks+`);
			return root.querySelector("[data-clock=defender]").matches(".low");
		})`)
		if got != example.want {
			t.Errorf("%s: marked %v, want %v", example.clocks, got, example.want)
		}
	}
}

// An illegal slide says why and costs nothing; a taken cell too.
func TestIllegalMovesSayWhy(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "defender", opponent: "random", size: "2x2", name: ""}`)
	b.await(myTurn)
	key := eval[string](b, `(() => {
		const { tiles } = document.querySelector("[data-play]").game.table.position;
		return tiles[0][0] || tiles[0][1] ? "w" : "s";
	})()`)
	b.press(key)
	if text := b.text("[data-say]"); !strings.Contains(text, "You cannot slide "+map[string]string{"w": "up", "s": "down"}[key]) {
		t.Errorf("after an illegal slide the page says %q", text)
	}
	if !eval[bool](b, myTurn) {
		t.Error("the illegal slide ended the turn")
	}
}

// The time for a move runs out visibly and ends the game, which leaves nothing on record.
func TestClockRunsOut(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/play")
	eval[bool](b, `(() => { document.querySelector("#clock").append(new Option("short", "1500")); return true; })()`)
	eval[bool](b, `(() => {
		const form = document.querySelector("[data-form]"), clock = document.querySelector("[data-clock=defender]");
		window.shown = [];
		new MutationObserver(() => shown.push(clock.textContent)).observe(clock, { childList: true });
		Object.entries({ mode: "defender", opponent: "greedy", size: "2x2", clock: "1500" }).forEach(([k, v]) => { form.elements[k].value = v; });
		document.querySelector("[data-start]").click();
		return true;
	})()`)
	b.await(gameEnd)
	if !eval[bool](b, `shown.some((text) => /^[01]\.\d$/.test(text))`) {
		t.Error("the clock was not seen running")
	}
	if text := b.text("[data-say]"); !strings.Contains(text, "Out of time") {
		t.Errorf("after the time the page says %q", text)
	}
	events, err := h.store.Events(t.Context())
	if err != nil || len(events) != 0 {
		t.Errorf("a game without a record left %d events (%v)", len(events), err)
	}
}

// In a game without a record a person chooses the tile by a key or a hold, takes moves back, gets a hint, and swaps
// roles.
func TestCasualGame(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "attacker", opponent: "mcts", options: "playouts=50", size: "3x3", rules: "gpcc2016"}`)
	b.await(myTurn)
	b.press("4")
	b.press(kb.ArrowRight)
	b.press("?") // shows the keys
	b.press(kb.Enter)
	b.await(myTurn + ` && document.querySelector("[data-play]").game.table.ply === 2`)
	if got := eval[int](b, `document.querySelector("[data-play]").game.table.position.tiles.flat().reduce((a, b) => a + b)`); got != 4 {
		t.Errorf("the tiles sum to %d, want the 4 that was placed", got)
	}
	b.run(chromedp.Click(chromedp.CSS("[data-do=hint]")))
	b.await(`document.querySelector("[data-search-moves] tr") !== null`)
	if hint := b.text("[data-hint]"); !strings.Contains(hint, "The values are the bot’s own evaluation") {
		t.Errorf("the hint does not say what its values are: %q", hint)
	}
	b.press("u")
	b.await(myTurn + ` && document.querySelector("[data-play]").game.table.ply === 0`)
	b.press("2")
	eval[bool](b, `new Promise((held) => {
		const cell = document.querySelector(".cell.x2.y2"), send = (type) => cell.dispatchEvent(new PointerEvent(type, { bubbles: true }));
		send("pointerdown");
		setTimeout(() => held(send("pointerup")), 450);
	})`)
	b.await(myTurn + ` && document.querySelector("[data-play]").game.table.ply === 2`)
	if got := eval[int](b, `document.querySelector("[data-play]").game.table.position.tiles.flat().reduce((a, b) => a + b)`); got != 4 {
		t.Errorf("the tiles sum to %d, want the 4 of a cell that was held", got)
	}
	b.press("u")
	b.await(myTurn + ` && document.querySelector("[data-play]").game.table.ply === 0`)
	b.run(chromedp.Click(chromedp.CSS("[data-do=resign]")))
	b.await(gameEnd)
	b.run(chromedp.Click(chromedp.CSS("[data-do=swap]")))
	b.await(`document.querySelector("[data-play]").game.role === "defender" && ` + myTurn)
}

// A hint that comes when another position is shown says nothing, and moves are taken back by one press once.
func TestLateHintAndHurriedUndo(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "attacker", opponent: "greedy", size: "3x3"}`)
	b.await(myTurn)
	b.holds("/parts/hint")
	eval[bool](b, `window.hint = `+game+`.hint(), true`)
	b.press(kb.ArrowRight)
	b.press(kb.Enter)
	b.await(myTurn + ` && ` + game + `.table.ply === 2`)
	before := b.text("[data-say]")
	eval[bool](b, `release(), hint.then(() => true)`)
	if after := b.text("[data-say]"); after != before || !strings.Contains(after, "The bot plays") {
		t.Errorf("after a late hint the page says %q, before it said %q", after, before)
	}
	if !eval[bool](b, `document.querySelector("[data-hint]").hidden`) {
		t.Error("a late hint is shown")
	}
	eval[bool](b, `document.querySelector("[data-do=undo]").click(), document.querySelector("[data-do=undo]").click(), true`)
	b.await(myTurn + ` && ` + game + `.table.ply === 0`)
	if wrong := b.text("[data-wrong]"); wrong != "" {
		t.Errorf("after two presses the page says %q", wrong)
	}
}

// touch sends an event of a finger at a point; without one the finger is lifted.
func (b *tab) touch(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
	b.t.Helper()
	if points == nil {
		points = []*input.TouchPoint{}
	}
	if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points}); err != nil {
		b.t.Fatal(err)
	}
}

// A finger that moves over the board slides the tiles that way; a tap does not.
func TestSwipes(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.run(chromedp.EmulateViewport(360, 800, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.ask(`{mode: "defender", opponent: "random", size: "3x3", name: ""}`)
	for _, swipe := range []struct {
		move   string
		dx, dy float64
	}{{"W", -60, 5}, {"E", 60, 5}, {"N", 5, -60}, {"S", 5, 60}} {
		b.await(myTurn)
		ply := eval[int](b, `document.querySelector("[data-play]").game.table.ply`)
		legal := eval[bool](b, fmt.Sprintf(`%s.then(({ slide }) => !!slide(document.querySelector("[data-play]").game.table.position.tiles, %q))`, module("rules.js"), swipe.move))
		eval[bool](b, `(document.querySelector("[data-area]").scrollIntoView({ block: "center" }), document.querySelector("[data-say]").textContent = "", true)`)
		at := eval[[]float64](b, `(({ left, top, width, height }) => [left + width / 2, top + height / 2])(document.querySelector("[data-area]").getBoundingClientRect())`)
		b.touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: at[0], Y: at[1]})
		for i := 1.0; i <= 4; i++ {
			b.touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: at[0] + i*swipe.dx/4, Y: at[1] + i*swipe.dy/4})
		}
		b.touch(input.DispatchTouchEventTypeTouchEnd)
		b.await(`document.querySelector("[data-say]").textContent !== ""`)
		if !legal {
			if text := b.text("[data-say]"); !strings.Contains(text, "You cannot slide") {
				t.Errorf("an illegal swipe to %s: the page says %q", swipe.move, text)
			}
			continue
		}
		b.await(fmt.Sprintf(myTurn+` && document.querySelector("[data-play]").game.table.ply === %d || `+gameEnd, ply+2))
		if played := eval[string](b, `document.querySelector("[data-play]").game.played`); played != swipe.move {
			t.Errorf("a swipe to %s played %s", swipe.move, played)
		}
	}
}

// A hint has the exact value where the arena has a table of the board.
func TestExactHint(t *testing.T) {
	table := solved(t, rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	h := open(t, table)
	b := browse(t, h.URL())
	b.ask(`{mode: "attacker", opponent: "greedy", size: "2x2", rules: "gpcc2015"}`)
	b.await(myTurn)
	b.run(chromedp.Click(chromedp.CSS("[data-do=hint]")))
	probe, err := table.Probe(rules.NewPosition(rules.GPCC2015, table.Size()))
	if err != nil {
		t.Fatal(err)
	}
	b.await(fmt.Sprintf(`document.querySelector("[data-hint-exact]")?.textContent.startsWith("Perfect play leads to %.0f points: (")`, probe.Value.Gain))
}

// Two bots play step by step.
func TestTwoBotsStepByStep(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "bots", opponent: "greedy", second: "evminimax", size: "2x2"}`)
	b.run(chromedp.Click(chromedp.CSS("[data-do=step]")))
	b.await(`document.querySelector("[data-ply-text]").textContent === "1"`)
	b.run(chromedp.Click(chromedp.CSS("[data-do=run]")))
	b.await(`document.querySelector("[data-say]").textContent.includes("The game is over")`)
}

// Buttons that are pressed while a bot thinks of the last press neither freeze the page nor are they lost.
func TestTwoBotsHurried(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "bots", opponent: "greedy", second: "evminimax", size: "2x2"}`)
	b.await(`document.querySelector("[data-do=step]") !== null && !document.querySelector("[data-do=step]").hidden`)
	b.run(chromedp.Evaluate[chromedp.Void](`for (const name of ["step", "run", "run", "run"]) document.querySelector("[data-do=" + name + "]").click()`))
	b.await(`document.querySelector("[data-say]").textContent.includes("The game is over")`)
	b.await(`document.querySelector("[data-do=run]").textContent === "Play on"`)
}

// The games that visitors start are limited, and refused in words.
func TestChallengesAreBounded(t *testing.T) {
	h := open(t)
	for name, tc := range map[string]struct {
		body   string
		status int
		text   string
	}{
		"no such bot":   {`{"opponent":"deepblue","role":"defender","rules":"gpcc2015","size":"4x4"}`, http.StatusBadRequest, "no bot named"},
		"no file":       {`{"opponent":"perfect","role":"defender","rules":"gpcc2015","size":"4x4"}`, http.StatusBadRequest, "want one file"},
		"a file":        {`{"opponent":"perfect:table=/etc/passwd","role":"defender","rules":"gpcc2015","size":"4x4"}`, http.StatusBadRequest, "opens no files"},
		"much memory":   {`{"opponent":"dag:playouts=10000000","role":"defender","rules":"gpcc2015","size":"4x4"}`, http.StatusBadRequest, "memory"},
		"chance":        {`{"opponent":"mcts","role":"attacker","rules":"solo","size":"4x4"}`, http.StatusBadRequest, "chance attacks"},
		"a bad name":    {`{"opponent":"greedy","name":"a\u0007b","role":"defender","rules":"gpcc2015","size":"4x4"}`, http.StatusBadRequest, "your name"},
		"a spec's name": {`{"opponent":"greedy","name":"x=mcts","role":"defender","rules":"gpcc2015","size":"4x4"}`, http.StatusBadRequest, "stands for a bot"},
		"much time":     {`{"opponent":"greedy","role":"defender","rules":"gpcc2015","size":"4x4","move_ms":600001}`, http.StatusBadRequest, "out of range"},
		"another name":  {`{"opponent":"ann=greedy","role":"defender","rules":"gpcc2015","size":"4x4","recorded":true}`, http.StatusBadRequest, "ask for greedy"},
		"no size":       {`{"opponent":"greedy","role":"defender","rules":"gpcc2015"}`, http.StatusBadRequest, "size"},
		"a form":        {`opponent=greedy`, http.StatusBadRequest, "cannot be read"},
	} {
		if status, text := h.post("/api/play", tc.body, nil); status != tc.status || !strings.Contains(text, tc.text) {
			t.Errorf("%s: %d %s, want %d %s", name, status, text, tc.status, tc.text)
		}
	}
	const good = `{"opponent":"greedy","role":"defender","rules":"gpcc2015","size":"4x4"}`
	if status, text := h.post("/api/play", `{"opponent":"beginner=greedy","role":"defender","rules":"gpcc2015","size":"4x4","recorded":true}`, nil); status != http.StatusOK {
		t.Fatalf("a level: %d %s", status, text)
	}
	for i := range 15 {
		if status, text := h.post("/api/play", good, nil); status != http.StatusOK {
			t.Fatalf("game %d: %d %s", i+1, status, text)
		}
	}
	if status, text := h.post("/api/play", good, nil); status != http.StatusTooManyRequests || !strings.Contains(text, "try again") {
		t.Errorf("one game too many: %d %s", status, text)
	}
}

// connect lets a registry bot play as a connected one, until the test ends.
func (h *host) connect(name, spec string) {
	h.t.Helper()
	parsed, err := players.Parse(spec)
	if err != nil {
		h.t.Fatal(err)
	}
	bot := protocol.Client{
		URL: "ws" + strings.TrimPrefix(h.URL(), "http") + "/bot", Hello: protocol.Hello{Name: name},
		New: func(s protocol.Start) (players.Player, error) { return parsed.New(players.Game{Seed: s.Seed}), nil },
	}
	ctx, end := context.WithCancel(context.Background())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_ = bot.Run(ctx)
	}()
	h.t.Cleanup(func() { end(); <-gone })
	for !h.server.CanAsk(name) {
		runtime.Gosched()
	}
}

// Connected bots play step by step and give opinions: each is asked by a game of one move, whatever its name is. Its
// move there is its own.
func TestConnectedBotsAreAsked(t *testing.T) {
	h := open(t)
	const name = "<b>snake</b> 🐍"
	h.connect(name, "mcts:playouts=20")
	h.connect("adder", "greedy")
	b := browse(t, h.URL())
	b.ask(fmt.Sprintf(`{mode: "bots", opponent: %q, second: "adder", size: "2x2"}`, name))
	b.await(`!document.querySelector("[data-do=run]").hidden`)
	b.run(chromedp.Click(chromedp.CSS(`[data-do=step]`)))
	b.await(`document.querySelector("[data-play]").game.table.ply === 1 && !document.querySelector("[data-hint]").hidden`)
	if title := b.text("[data-hint] h3"); !strings.HasPrefix(title, name+" would play (") {
		t.Errorf("the hint is called %q", title)
	}
	const over = `document.querySelector("[data-say]").textContent.includes("The game is over")`
	for ended := false; !ended; ended = eval[bool](b, over) { // it stops where a bot was too slow
		b.run(chromedp.Click(chromedp.CSS(`[data-do=run]`)))
		b.await(over + ` || !document.querySelector("[data-wrong]").hidden`)
	}
	if seen, _ := h.server.Seen("adder"); seen.Games == 0 || seen.Faults > 0 || seen.Complaints > 0 {
		t.Errorf("the bot that defended: %+v", seen)
	}

	b.visit("/analysis?position=2,0/0,2+D")
	eval[bool](b, `(document.querySelector("[data-ask] [name=bot]").value = `+fmt.Sprintf("%q", name)+`, true)`)
	b.run(chromedp.Click(chromedp.CSS(`[data-ask] button`)))
	b.await(`document.querySelector("[data-state]").textContent.includes("Chooses") && !document.querySelector("[data-report]").hidden`)
}

// A bot that plays is not asked for hints: the page says so and asks a bot of the arena. A visitor's
// page is no bot that others can ask.
func TestPlayingBotsAreNotAsked(t *testing.T) {
	h := open(t)
	h.connect("snake", "greedy")
	b := browse(t, h.URL())
	b.ask(`{mode: "defender", opponent: "snake", size: "2x2", name: "Ada"}`)
	b.await(myTurn)
	for bot, want := range map[string]string{"snake": "is playing with a visitor", "guest Ada": "guest Ada"} {
		status, text := h.post("/api/hint", `{"bot": "`+bot+`", "rules": "gpcc2015", "position": "2,0/0,2 D"}`, nil)
		if status != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("a hint of %s: %d %s", bot, status, text)
		}
	}
	if status, text := h.post("/api/play", `{"opponent": "guest Ada", "role": "attacker", "size": "2x2"}`, nil); status != http.StatusBadRequest {
		t.Errorf("a visitor can play against another visitor's page: %d %s", status, text)
	}
	b.run(chromedp.Click(chromedp.CSS(`[data-do=hint]`)))
	b.await(`document.querySelector("[data-say]").textContent.includes("champion would play") && document.querySelector("[data-say]").textContent.includes("Your opponent gives no hints while it plays")`)
}
