package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/rules"
	"versus2048/tournament"
)

// The command on the first page of an arena without a game has the arena's own address.
func TestFirstPageOfEmptyArena(t *testing.T) {
	h := open(t)
	if _, text := h.get("/"); !strings.Contains(text, "arena event run --server "+h.URL()+" --bot") {
		t.Errorf("the page has no command for %s:\n%s", h.URL(), text)
	}
}

// The first page says what the game is and who won the games that it shows, and leads to a game against each level,
// also without JavaScript and in an arena without a game.
func TestFirstPageForStrangers(t *testing.T) {
	h := open(t)
	_, text := h.get("/")
	for _, want := range []string{
		"One player slides the tiles for points", `href="/play?level=beginner"`, `href="/play?level=club"`, `href="/play?level=champion"`,
		`href="/rules"`, "makes a 2048", "wins the match", `data-moves="(`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

const tvPly = `Number(document.querySelector("[data-ply-text]").textContent)`

// Where no game is in progress a scene plays by itself; a button stops it and lets it go on.
func TestSceneOnTheFirstPage(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/")
	first := eval[int](b, tvPly)
	b.await(fmt.Sprintf(tvPly+` > %d`, first+2))
	b.run(chromedp.Click(chromedp.CSS("[data-pause]")))
	if label := eval[string](b, `document.querySelector("[data-pause]").ariaLabel`); label != "play" {
		t.Errorf("the button of a scene that stands still says %q", label)
	}
	b.run(chromedp.Click(chromedp.CSS("[data-pause]")))
	b.await(fmt.Sprintf(tvPly+` > %d`, first+4))
}

// A scene ends as its game says, and another one follows.
func TestScenesFollowEachOther(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/")
	type end struct {
		Tiles string
		Text  string
		Next  string
	}
	got := eval[end](b, module("film.js")+`.then(({ Film }) => {
		const board = { tiles: "", text: "" };
		const film = new Film(document.querySelectorAll("[data-scene]"), ({ tiles }, ply, move, before, scene) => Object.assign(board, { tiles: String(tiles), text: scene.textContent }));
		film.load();
		const { text } = board, left = film.moves.length;
		for (let i = 0; i < left; i++) film.step();
		const { tiles } = board;
		film.step();
		return { Tiles: tiles, Text: text, Next: board.text };
	})`)
	if !strings.Contains(got.Text, "makes a 2048") || !strings.Contains(got.Tiles, "2048") || got.Next == got.Text {
		t.Errorf("%+v", got)
	}
}

// Visitors who want no motion see a scene that stands still until they press the button.
func TestNoMotionUnasked(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.feature("prefers-reduced-motion", "reduce")
	b.visit("/")
	b.await(`document.querySelector("[data-pause]").ariaLabel === "pause" || document.querySelector("[data-pause]").ariaLabel === "play"`)
	first := eval[int](b, tvPly)
	b.run(chromedp.Click(chromedp.CSS("[data-pause]")))
	b.await(fmt.Sprintf(tvPly+` === %d`, first+1))
}

// The first page shows scenes of the arena's own games, with links to them; games of few plies have none.
func TestScenesOfTheArena(t *testing.T) {
	h := open(t)
	h.play(func(e *tournament.Event) { e.Size = rules.Size{Width: 2, Height: 2} })
	if _, text := h.get("/"); !strings.Contains(text, "alphabeta defends") {
		t.Error("games on 2x2 have taken the place of the games that come with the program")
	}
	event := h.play(func(e *tournament.Event) { e.Size = rules.Full })
	_, text := h.get("/")
	if g := h.game(event, true); !strings.Contains(text, fmt.Sprintf(`data-of="%d"`, g.ID)) || strings.Contains(text, "alphabeta defends") || !strings.Contains(text, "bob wins the match") {
		t.Errorf("the page has no scene of game %d:\n%s", g.ID, text)
	}
}

// The boards of the rules play by themselves until they are stopped.
func TestLessonsMove(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/rules")
	const board = `document.querySelectorAll("[data-lesson] [data-board]")[1].textContent.replace(/\s/g, "")`
	b.await(board + ` === "44"`)
	b.await(board + ` === "82"`)
	b.run(chromedp.Click(chromedp.CSS("[data-film]")))
	if label := eval[string](b, `document.querySelector("[data-film]").ariaLabel`); label != "play" {
		t.Errorf("the button of boards that stand still says %q", label)
	}
}

// A keyboard reaches everything on the pages for strangers in at most 40 stops.
func TestFewStops(t *testing.T) {
	h := open(t)
	h.play(nil)
	b := browse(t, h.URL())
	for _, page := range []string{"/", "/rules", "/play"} {
		b.visit(page)
		stops := eval[int](b, `[...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter((e) => e.checkVisibility()).length`)
		if stops < 10 || stops > 40 {
			t.Errorf("%s has %d stops", page, stops)
		}
	}
}
