package web_test

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"versus2048/rules/record"
)

// An address with a level starts a game at once, in the role that it names.
func TestAddressStartsAGame(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	for _, c := range []struct{ path, game, goal string }{
		{"/play?level=club", "defender against club on 4x4", ""},
		{"/play?level=beginner&role=attacker&size=3x3", "attacker against beginner on 3x3", ""},
		{"/play?opponent=mcts:playouts=20&position=2,0/0,2+D&beat=9", "defender against mcts:playouts=20 on 2x2", "You need 10 points to beat the score: 10 more."},
	} {
		b.visit(c.path)
		b.await(myTurn)
		got := eval[string](b, `(({ role, names, table: { position: { tiles } } }) => role + " against " +
			names[role === "attacker" ? "defender" : "attacker"] + " on " + tiles[0].length + "x" + tiles.length)(document.querySelector("[data-play]").game)`)
		if goal := b.text("[data-goal]"); got != c.game || goal != c.goal {
			t.Errorf("%s begins a game as %s with the goal %q, want %s, %q", c.path, got, goal, c.game, c.goal)
		}
	}
}

// One press of a level begins a game with the hints of the champion.
func TestLevelStartsAGame(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/play")
	if shown := eval[string](b, `document.querySelector("main").innerText`); strings.Contains(shown, "NAME=") {
		t.Errorf("the page says %q before anybody asks for options", shown)
	}
	b.run(chromedp.Click(chromedp.CSS("[data-level=beginner]")))
	b.await(myTurn)
	b.run(chromedp.Click(chromedp.CSS("[data-do=hint]")))
	b.await(`document.querySelector("[data-say]").textContent.includes("champion would play")`)
}

// A rematch with the roles changed is the second game of a match. The page tells how many points are left to win, and
// at the end the winner.
func TestRematchIsOneMatch(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "defender", opponent: "random", size: "2x2"}`)
	b.finish()
	b.run(chromedp.Click(chromedp.CSS("[data-do=undo]"))) // the game that is played on is the first one, still
	b.await(myTurn)
	b.finish()
	first := eval[int](b, `document.querySelector("[data-play]").game.table.position.score`)
	if say := b.text("[data-say]"); !strings.Contains(say, fmt.Sprintf("hold the bot to fewer than %d points", first)) {
		t.Errorf("after the first game the page says %q", say)
	}
	if !eval[bool](b, `document.querySelector("[data-goal]").hidden`) {
		t.Errorf("after the first game the goal is %q", b.text("[data-goal]"))
	}
	b.run(chromedp.Click(chromedp.CSS("[data-do=swap]")))
	b.await(`document.querySelector("[data-play]").game.role === "attacker" && ` + myTurn)
	if goal := b.text("[data-goal]"); !strings.Contains(goal, fmt.Sprintf("The bot needs %d points to win the match", first+1)) {
		t.Errorf("the goal of the second game is %q", goal)
	}
	b.finish()
	second := eval[int](b, `document.querySelector("[data-play]").game.table.position.score`)
	verdict := map[int]string{1: "You win the match.", 0: "It is drawn.", -1: "The bot wins the match."}[cmp.Compare(first, second)]
	want := fmt.Sprintf("The match: you %d, the bot %d. %s", first, second, verdict)
	if say := b.text("[data-say]"); !strings.Contains(say, want) {
		t.Errorf("after the second game the page says %q, want %q", say, want)
	}
	if label := b.text("[data-do=swap]"); label != "New match" {
		t.Errorf("after the match a button says %q", label)
	}
}

// The winner of a match follows the rules of matches, also if an attacker has resigned.
func TestVerdicts(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/play")
	for games, want := range map[string]string{
		`["defender", 12], ["attacker", 8]`:              "You win the match.",
		`["attacker", 8], ["defender", 12]`:              "You win the match.",
		`["defender", 8], ["attacker", 12]`:              "The bot wins the match.",
		`["defender", 8], ["attacker", 8]`:               "It is drawn.",
		`["defender", 12], ["attacker", 8, "defender"]`:  "The bot wins the match.", // the person resigned as the attacker
		`["defender", 0, "defender"], ["attacker", 800]`: "You win the match.",      // the bot did
		`["defender", 12, "attacker"], ["attacker", 8]`:  "You win the match.",      // a defender who resigns keeps the score
	} {
		got := eval[string](b, module("match.js")+`.then(({ Contest }) => {
			const contest = new Contest({});
			for (const [role, score, winner] of [`+games+`]) contest.add(role, { score, winner });
			return contest.verdict();
		})`)
		if !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q, want %q", games, got, want)
		}
	}
}

// A challenge is won by more points than its number as the defender, and by fewer of the bot as the attacker. A first
// game tells of a rematch only if there can be one that is won.
func TestVerdictsOfOneGame(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/play")
	for _, c := range []struct{ asked, game, want string }{
		{`beat: 8`, `"defender", 12`, "The score of 8 is beaten."},
		{`beat: 8`, `"defender", 8`, "The score to beat was 8."},
		{`beat: 200`, `"attacker", 20`, "You held the bot below 200 points."},
		{`beat: 20`, `"attacker", 20`, "You were to hold the bot below 20 points."},
		{`beat: 200`, `"attacker", 20, "defender"`, "You were to hold the bot below 200 points."}, // the person resigned
		{``, `"defender", 12`, "In the rematch, hold the bot to fewer than 12 points to win."},
		{``, `"defender", 0`, ""},
		{``, `"attacker", 0`, "In the rematch you need 1 point to win."},
		{`rules: "solo"`, `"defender", 24`, ""},
	} {
		got := eval[string](b, module("match.js")+`.then(({ Contest }) => {
			const contest = new Contest({`+c.asked+`}), [role, score, winner] = [`+c.game+`];
			contest.add(role, { score, winner });
			return contest.verdict();
		})`)
		if got != c.want {
			t.Errorf("{%s} %s: %q, want %q", c.asked, c.game, got, c.want)
		}
	}
	goal := eval[string](b, module("match.js")+`.then(({ Contest }) => new Contest({ first: { role: "defender", score: 0, worth: 0 } }).goal("attacker", 0))`)
	if want := "The bot needs 1 point to win the match: 1 more."; goal != want {
		t.Errorf("the goal is %q, want %q", goal, want)
	}
}

// A link to a game that has a wrong part starts none: the page has a form and names the part.
func TestWrongLinks(t *testing.T) {
	h := open(t)
	for query, want := range map[string]string{
		"level=nix":                           "This link has the wrong level &#34;nix&#34;: want beginner, club or champion.",
		"level=club&role=attacker&rules=solo": "This link has the wrong role: under solo chance attacks, and you defend.",
		"level=club&position=abc":             "This link has the wrong position &#34;abc&#34;: want the tiles by rows and A or D",
		"level=club&beat=abc":                 "This link has the wrong score to beat &#34;abc&#34;",
	} {
		if status, text := h.get("/play?" + query); status != http.StatusBadRequest || !strings.Contains(text, want) || !strings.Contains(text, "data-form") {
			t.Errorf("%s: status %d, without %q", query, status, want)
		}
	}
	b := browse(t, h.URL())
	b.visit("/play?level=club&size=9x9")
	b.await(`document.querySelector("#options").placeholder !== ""`) // the module has run
	if wrong := b.text("[data-wrong]"); !strings.Contains(wrong, `wrong board size "9x9"`) || eval[bool](b, `!!`+game) {
		t.Errorf("the page says %q and starts a game: %t", wrong, eval[bool](b, `!!`+game))
	}
	eval[bool](b, `(({ elements: { mode, rules } }) => {
		[mode.value, rules.value] = ["attacker", "solo"];
		return mode[0].form.dispatchEvent(new Event("change"));
	})(document.querySelector("[data-form]"))`)
	if wrong := b.text("[data-wrong]"); wrong != "Under solo chance attacks: you defend." {
		t.Errorf("to an attacker under solo the form says %q", wrong)
	}
}

// The browser asks before it leaves a game, and only then. After the game the keyboard stays at the board, and a
// judgement that fails is left out.
func TestLeavingAGame(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	asks := func() bool {
		return eval[bool](b, `!dispatchEvent(new Event("beforeunload", { cancelable: true }))`)
	}
	b.ask(`{mode: "defender", opponent: "random", size: "2x2", recorded: true}`)
	b.await(myTurn)
	if !asks() {
		t.Error("a match on record is left without a question")
	}
	b.ask(`{mode: "defender", opponent: "random", size: "2x2"}`)
	b.await(myTurn)
	if !asks() {
		t.Error("a game is left without a question")
	}
	b.refuses("/api/mistakes")
	eval[bool](b, `(window.Worker = class {
		postMessage() { setTimeout(() => { this.onmessage({ data: { opinion: null } }); setTimeout(() => { window.judged = true; }); }); }
	}, document.querySelector("[data-do=resign]").focus(), true)`)
	b.press(kb.Enter)
	b.await(gameEnd + ` && window.judged`)
	if focus := eval[bool](b, `document.activeElement === document.querySelector("[data-area]")`); !focus {
		t.Errorf("after resigning the focus is at %s", eval[string](b, `document.activeElement.outerHTML`))
	}
	if asks() || !eval[bool](b, `document.querySelector("[data-decided]").hidden`) {
		t.Error("after the game the page asks, or shows moves that nobody has judged")
	}
}

// After a game a person goes through its plies, takes its record along, and has addresses for the shown position.
func TestAfterTheGame(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "attacker", opponent: "greedy", size: "2x2", rules: "gpcc2016", name: "Q\"<b>"}`)
	b.finish()
	text := eval[string](b, game+`.after.record`)
	r, err := record.Parse(text)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	last, err := r.Replay()
	if err != nil {
		t.Fatal(err)
	}
	if score := eval[int](b, game+`.after.score`); score != last.Score() || r.Attacker != `guest Q"<b>` || r.Defender != "greedy" || len(r.Moves) != eval[int](b, game+`.line.length - 1`) {
		t.Errorf("%d points on the page; the record is\n%s", score, text)
	}
	if address := b.text("[data-address]"); !strings.Contains(address, "position=0%2C0%2F0%2C0+A+0+0") {
		t.Errorf("after a mate the link to share is %s", address)
	}
	b.press(kb.ArrowLeft)
	b.await(fmt.Sprintf(`document.querySelector("[data-ply-text]").textContent === "%d"`, len(r.Moves)-1))
	b.run(chromedp.Click(chromedp.CSS(`[data-step=first]`)))
	b.await(`document.querySelector("[data-ply-text]").textContent === "0"`)
	for selector, want := range map[string]string{"[data-analysis]": "0%2C0%2F0%2C0+A+0+0&rules=gpcc2016", "[data-beat]": fmt.Sprintf("beat=%d", last.Score())} {
		if href := eval[string](b, fmt.Sprintf(`document.querySelector(%q).href`, selector)); !strings.Contains(href, want) {
			t.Errorf("%s leads to %s, want %s there", selector, href, want)
		}
	}
	eval[bool](b, `(document.querySelector("[data-beat]").click(), true)`) // the list of mistakes may move it meanwhile
	b.await(`location.search.includes("beat") && ` + myTurn)
	if goal := b.text("[data-goal]"); goal != fmt.Sprintf("Hold the bot below %d points.", last.Score()) {
		t.Errorf("the goal is %q", goal)
	}
}

// A game goes on after its connection was lost, also if the page notices the loss before the arena does, and if the bot
// has moved meanwhile.
func TestGameAfterLostConnection(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "defender", opponent: "random", size: "3x3"}`)
	b.await(myTurn)
	const hidden = `document.getElementById("notice").hidden`
	eval[bool](b, `(({ client }) => { window.first = client.socket; client.connect(); return true; })(`+game+`)`)
	b.await(`!` + hidden) // the name is in use
	eval[bool](b, `(first.onclose = null, first.close(), `+game+`.turn = false, true)`)
	b.await(hidden + ` && ` + myTurn) // the arena has sent its request again
	before := eval[int](b, game+`.table.ply`)
	eval[bool](b, `((game) => {
		for (const move of "NSWE") if (game.turn) game.move(move);
		game.client.socket.close();
		return true;
	})(`+game+`)`)
	b.await(fmt.Sprintf(game+`.table.ply === %d && `+hidden+` && `+myTurn, before+2))
	if ply := eval[int](b, game+`.line.at(-1).ply`); ply != before+2 {
		t.Errorf("the page knows the game to ply %d, want %d", ply, before+2)
	}
	b.finish()
	r, err := record.Parse(eval[string](b, game+`.after.record`))
	if err != nil {
		t.Fatal(err)
	}
	if last, err := r.Replay(); err != nil || last.Score() != eval[int](b, game+`.after.score`) {
		t.Errorf("the record ends with %v (%v)", last, err)
	}
}

// A game on record leads to its page after its end.
func TestRecordedGameLeadsToItsPage(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.ask(`{mode: "defender", opponent: "random", size: "2x2", recorded: true}`)
	const second = `document.querySelector("[data-play]").game?.leg === 2`
	b.await(myTurn)
	for !eval[bool](b, second+` && `+gameEnd) {
		b.finish()
	}
	b.await(`!document.querySelector("[data-after]").hidden`)
	path := eval[string](b, `new URL(document.querySelector("[data-page-link]").href).pathname`)
	until(t, "the page of the game", func() bool { status, _ := h.get(path); return status == http.StatusOK })
	if address := b.text("[data-address]"); address != h.URL()+path {
		t.Errorf("the link to share is %s, want that of %s", address, path)
	}
}

// While a clock runs the whole board stays in view, wherever the page is scrolled, and it does not move between turns.
func TestBoardStaysInView(t *testing.T) {
	h := open(t)
	for _, p := range phones {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			b := browse(t, h.URL())
			b.hold(p)
			b.visit("/play?level=beginner&role=attacker")
			b.await(myTurn)
			top := `Math.round(document.querySelector("[data-board]").getBoundingClientRect().top)`
			before := eval[int](b, top)
			eval[bool](b, `(document.querySelector(".cell:not(:has(.tile))").click(), true)`)
			b.await(myTurn + ` && document.querySelector("[data-play]").game.table.ply === 2`)
			if after := eval[int](b, top); after != before {
				t.Errorf("the board has moved from %d to %d", before, after)
			}
			for _, where := range []int{0, 60, 120} {
				eval[bool](b, fmt.Sprintf(`(scrollBy(0, %d), true)`, where))
				if out := b.outOfView("[data-board]"); out != 0 {
					t.Errorf("%v pixels of the board are out of view after scrolling by %d", out, where)
				}
			}
		})
	}
}
