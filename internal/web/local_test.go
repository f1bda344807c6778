package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"versus2048/internal/web/welcome"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

// game is the game on the page in JavaScript.
const game = `document.querySelector("[data-play]").game`

// playLevel opens the page of play, waits until its browser can play, counts its sockets in the variable sockets,
// chooses the fields of the form and presses a level.
func (b *tab) playLevel(level, fields string) {
	b.t.Helper()
	b.visit("/play")
	b.await(`document.querySelector("[data-level]")?.onclick`)
	eval[string](b, module("champion.js")+`.then(async ({ ask }) => (await ask({ rules: "gpcc2015", position: "2,0/0,2 D", ms: 1 })).move)`)
	eval[bool](b, fmt.Sprintf(`(() => {
		const Socket = WebSocket, form = document.querySelector("[data-form]");
		window.sockets = 0;
		window.WebSocket = class extends Socket { constructor(...how) { super(...how); sockets++; } };
		for (const [name, value] of Object.entries(%s)) form.elements[name].value = value;
		form.dispatchEvent(new Event("change"));
		document.querySelector("[data-level=%s]").click();
		return true;
	})()`, fields, level))
	b.await(myTurn)
}

// alone fails the test if the page has opened a socket: the game was not played in the browser.
func (b *tab) alone() {
	b.t.Helper()
	if n := eval[int](b, `sockets`); n != 0 {
		b.t.Errorf("the page has opened %d sockets", n)
	}
}

// A game against each level is played in the browser to its end. The level makes the moves that it makes natively with
// the seed of the record; under solo chance does.
func TestLevelsPlayInTheBrowser(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	for _, c := range []struct {
		level, role string
		set         rules.Ruleset
	}{
		{"beginner", "defender", rules.GPCC2015},
		{"beginner", "attacker", rules.GPCC2016},
		{"club", "defender", rules.GPCC2016},
		{"club", "attacker", rules.GPCC2015},
		{"champion", "defender", rules.GPCC2015},
		{"champion", "attacker", rules.GPCC2016},
		{"beginner", "defender", rules.Solo},
	} {
		b.playLevel(c.level, fmt.Sprintf(`{mode: %q, rules: %q, size: "2x2", name: "Ada"}`, c.role, c.set))
		b.finish()
		b.alone()
		text := eval[string](b, game+`.after.record`)
		r, err := record.Parse(text)
		if err != nil {
			t.Fatalf("%+v: %v in\n%s", c, err, text)
		}
		seed, name, side := r.AttackerSeed, r.Attacker, rules.Attacker
		if c.role == "attacker" {
			seed, name, side = r.DefenderSeed, r.Defender, rules.Defender
		}
		levels := welcome.Levels()
		bot := levels[slices.IndexFunc(levels, func(l welcome.Level) bool { return l.Name == c.level })].Spec
		if c.set.Chance() {
			bot, c.level = "chance", "chance"
		}
		if r.Ending != record.Mate || name != c.level || seed == 0 || !strings.Contains(text, `"guest Ada"`) {
			t.Errorf("%+v: %s", c, text)
		}
		if bot != "champion" { // whose search takes its time
			natively(t, &r, bot, seed, side)
		}
	}
}

// natively checks that a bot makes the moves of a side in a game.
func natively(t *testing.T, r *record.Record, bot string, seed uint64, side rules.Side) {
	t.Helper()
	spec, err := players.Parse(bot)
	if err != nil {
		t.Fatal(err)
	}
	player, p := spec.New(players.Game{Seed: seed, Rules: r.Start.Rules(), Size: r.Start.Size()}), r.Start
	for _, played := range r.Moves {
		if p.SideToMove() == side {
			if want, err := player.Choose(t.Context(), p); err != nil || played != want {
				t.Errorf("%s with seed %d played %v in %v, natively %v (error %v)", bot, seed, played, p, want, err)
			}
		}
		p = p.Next(played)
	}
}

// In a game in the browser a person gets a hint, takes a move back, resigns, and plays the rematch, which is the second
// game of a match.
func TestGameInTheBrowser(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.playLevel("club", `{mode: "attacker", size: "3x3", rules: "gpcc2016"}`)
	b.press("4")
	b.press(kb.ArrowRight)
	b.press(kb.Enter)
	b.await(myTurn + ` && ` + game + `.table.ply === 2`)
	b.run(chromedp.Click(chromedp.CSS("[data-do=hint]")))
	b.await(`document.querySelector("[data-say]").textContent.includes("champion would play")`)
	b.press("u")
	b.await(myTurn + ` && ` + game + `.table.ply === 0`)
	b.run(chromedp.Click(chromedp.CSS("[data-do=resign]")))
	b.await(gameEnd)
	if say := b.text("[data-say]"); say != "Resigned: 0 points for the bot. The bot wins by it." {
		t.Errorf("after resigning the page says %q", say)
	}
	b.run(chromedp.Click(chromedp.CSS("[data-do=swap]")))
	b.await(game + `.role === "defender" && ` + myTurn)
	b.run(chromedp.Click(chromedp.CSS("[data-do=resign]")))
	b.await(gameEnd)
	if say := b.text("[data-say]"); !strings.Contains(say, "The match: you 0, the bot 0.") {
		t.Errorf("after the match the page says %q", say)
	}
	b.alone()
}

// A game in the browser begins at the position of an address, and its clock ends it.
func TestClockInTheBrowser(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/play?level=champion&position=2,0/0,2+D+0+7&beat=9")
	b.await(myTurn)
	if ply := eval[int](b, game+`.table.ply`); ply != 7 {
		t.Errorf("the game begins at ply %d", ply)
	}
	eval[bool](b, `(document.querySelector("#clock").append(new Option("short", "1500")), true)`)
	eval[bool](b, `(document.querySelector("#clock").value = "1500", document.querySelector("[data-level=club]").click(), true)`)
	b.await(gameEnd)
	if say := b.text("[data-say]"); !strings.HasPrefix(say, "Out of time: 0 points for you. The bot wins by it.") {
		t.Errorf("after the time the page says %q", say)
	}
}

// Where the browser cannot run the program the arena plays, and the page says nothing of it; the same where the program
// comes late.
func TestLevelPlaysInTheArena(t *testing.T) {
	h := open(t)
	for name, worker := range map[string]string{"none": `undefined`, "late": `class { postMessage() {} }`} {
		t.Run(name, func(t *testing.T) { playInTheArena(t, h, worker) })
	}
}

// playInTheArena plays a game against a level on a page with another kind of worker.
func playInTheArena(t *testing.T, h *host, worker string) {
	b := browse(t, h.URL())
	b.visit("/play")
	b.await(`document.querySelector("[data-level]")?.onclick`)
	eval[bool](b, `(Worker = `+worker+`, document.querySelector("[data-form]").elements.size.value = "2x2", document.querySelector("[data-level=club]").click(), true)`)
	b.await(myTurn)
	if eval[bool](b, game+`.client.socket.readyState !== WebSocket.OPEN`) || !eval[bool](b, `document.querySelector("[data-wrong]").hidden`) {
		t.Errorf("the game is not played by the arena; the page says %q", b.text("[data-wrong]"))
	}
	b.finish()
	if say := b.text("[data-say]"); !strings.Contains(say, "No slide is left") {
		t.Errorf("at the end the page says %q", say)
	}
}

// Pages of a site without an arena play in the browser, and say why if they cannot.
func TestPlayWithoutArena(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/play")
	b.await(`document.querySelector("[data-level]")?.onclick`)
	got := eval[string](b, module("rules.js")+`.then(async () => {
		document.documentElement.dataset.site = "";
		Worker = undefined;
		document.querySelector("[data-level=club]").click();
		const wrong = document.querySelector("[data-wrong]");
		while (wrong.hidden) await new Promise((soon) => setTimeout(soon, 20));
		return wrong.textContent;
	})`)
	if !strings.Contains(got, "Worker") {
		t.Errorf("without an arena the page says %q", got)
	}
}

// decided waits for the costliest moves after the game on the page, checks that a press of each shows its ply, and
// returns their texts.
func (b *tab) decided() (texts []string) {
	b.t.Helper()
	b.await(`!document.querySelector("[data-decided]").hidden`)
	texts = eval[[]string](b, `[...document.querySelectorAll("[data-costliest] button")].map((button) => button.textContent)`)
	if len(texts) == 0 || len(texts) > 3 {
		b.t.Errorf("%d moves are shown", len(texts))
	}
	for i, text := range texts {
		b.run(chromedp.Click(chromedp.CSS(fmt.Sprintf("[data-costliest] li:nth-child(%d) button", i+1))))
		if ply := b.text("[data-ply-text]"); !strings.HasPrefix(text, "Ply "+ply+": bad move of ") || !strings.Contains(text, " worse than ") {
			b.t.Errorf("%q leads to ply %s", text, ply)
		}
	}
	return texts
}

// After a casual game the page shows the costliest moves: by exact values where the arena has a table of the board, and
// without the arena by a search in the browser. The next game does away with them.
func TestCostliestMoves(t *testing.T) {
	h := open(t, solved(t, rules.GPCC2015, rules.Size{Width: 2, Height: 2}))
	b := browse(t, h.URL())
	b.ask(`{mode: "defender", opponent: "random", size: "2x2"}`)
	b.finish()
	for _, text := range b.decided() {
		if !strings.HasSuffix(text, "under perfect play") {
			t.Errorf("with a table: %q", text)
		}
	}
	b.playLevel("beginner", `{mode: "defender", size: "3x2"}`)
	if !eval[bool](b, `document.querySelector("[data-decided]").hidden`) {
		t.Error("the moves of the last game are shown in the next one")
	}
	b.refuses("/api/mistakes")
	b.finish()
	for _, text := range b.decided() {
		if !strings.HasSuffix(text, " slides deep") {
			t.Errorf("without the arena: %q", text)
		}
	}
	b.alone()
}

// The arena judges games that visitors send, and refuses what is no game.
func TestMistakesOfPlayedGames(t *testing.T) {
	h := open(t)
	for body, want := range map[string]string{
		`{"record": "[Rules \"gpcc2016\"]\n[Start \"0,0,0,0/0,0,0,0/256,4,2,2/512,32,8,4 D 5224 301\"]\n\n1. ... N 2. (4,4) S"}`: ` worse than `,
		`{"record": "[Attacker \"Ada\"]"}`: `[]`,
		`{"record": "1. N"}`:               `this is no game`,
		`{"game": "1. (1,1) S"}`:           `unknown field`,
		`{"record": "1. (1,1) S`:           `cannot be read`,
	} {
		status, text := h.post("/api/mistakes", body, nil)
		if ok := strings.Contains(want, "worse") || want == "[]"; !strings.Contains(text, want) || (status == http.StatusOK) != ok {
			t.Errorf("%s: %d %s, want %q", body, status, text, want)
		}
	}
}
