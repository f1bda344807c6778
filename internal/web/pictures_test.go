package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// picturesKey is the environment variable with the folder for pictures.
const picturesKey = "VERSUS2048_PICTURES"

// desk is the window of a laptop.
var desk = phone{1024, 720}

// photographer writes what a tab shows into files.
type photographer struct {
	*tab
	folder string
}

// picture writes what the window shows at an address, once a condition is true.
func (p *photographer) picture(name, address, ready string) {
	p.t.Helper()
	p.visit(address)
	p.await(ready)
	p.shoot(name)
}

// shoot writes what the window shows.
func (p *photographer) shoot(name string) {
	p.t.Helper()
	eval[bool](p.tab, `new Promise((done) => setTimeout(done, 700, true))`) // animations end
	answer, err := chromedp.Call(p.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng})
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.folder, "page-"+name+".png"), answer.Data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// window gives the tab a window of a laptop or a phone.
func (p *photographer) window(size phone) {
	p.t.Helper()
	p.run(chromedp.EmulateViewport(size.width, size.height))
}

// BenchmarkPictures writes pictures of the pages for documents into the folder that the environment names: a
// stranger's first look, a live game, one's own game, a puzzle, events, a bot and an analysis.
func BenchmarkPictures(b *testing.B) {
	folder := os.Getenv(picturesKey)
	if folder == "" {
		b.Fatalf("%s names no folder: run make page-pictures", picturesKey)
	}
	for b.Loop() {
		h := open(b)
		p := &photographer{tab: browse(b, h.URL()), folder: folder}
		p.window(desk)
		p.picture("first", "/", `document.querySelectorAll("[data-board] .tile").length > 4`)
		p.picture("rules", "/rules", `document.querySelectorAll(".lessons .tile").length > 9`)
		p.picture("puzzle", "/puzzles", `document.querySelectorAll("[data-board] .tile").length > 2`)
		p.events(h)
		p.liveGame(h)
		p.ownGames()
		p.window(desk)
		p.analysis("/analysis")
		p.shoot("analysis")
		alone, _ := offline(b)
		p = &photographer{tab: alone, folder: folder}
		p.window(desk)
		p.analysis("/analysis.html")
		p.shoot("site")
	}
}

// analysis shows a position with the champion's opinion.
func (p *photographer) analysis(address string) {
	p.visit(address + "?position=16,64,128,256/4,8,16,32/2,4,2,8/0,0,2,0+D")
	p.await(`document.querySelector("[data-study]").ready === true`)
	p.run(chromedp.Click(chromedp.CSS("[data-toggle]")))
	p.await(`document.querySelector("[data-best]") !== null && document.querySelectorAll("[data-search-moves] tr").length > 0`)
}

// events takes pictures of an SPRT, a bracket, a game and a bot.
func (p *photographer) events(h *host) {
	small := rules.Size{Width: 3, Height: 3}
	test := h.play(func(e *tournament.Event) {
		e.Name, e.Size, e.Bots, e.Matches = "Does depth help?", small, []string{"d2=evminimax:depth=2", "d1=evminimax:depth=1"}, 2000
		e.Settings.Plan = tournament.Plan{Kind: "sprt", SPRT: rating.SPRT{Elo0: 0, Elo1: 60}}
	})
	p.picture("sprt", fmt.Sprintf("/events/%d", test), `document.querySelectorAll("table").length > 0`)
	cup := h.play(func(e *tournament.Event) {
		e.Name, e.Size, e.Settings.Plan.Kind = "Saturday cup", small, "knockout"
		e.Bots = []string{"greedy", "random", "corner=evminimax:depth=1", "mcts:playouts=50", "evminimax:depth=2", "depth4=evminimax:depth=4", "d3=evminimax:depth=3", "mcts30=mcts:playouts=30"}
	})
	p.picture("bracket", fmt.Sprintf("/events/%d#rounds", cup), `document.querySelector("#rounds") !== null`)
	searched := h.play(func(e *tournament.Event) {
		e.Size, e.Search, e.Bots = rules.Full, true, []string{"ann=mcts:playouts=100", "bob=greedy"}
	})
	p.picture("game", fmt.Sprintf("/games/%d?ply=61", h.game(searched, true).ID), `document.querySelector("article.game").replay?.marks && document.querySelector(".curves figure") !== null`)
	p.picture("bot", "/bots/d3", `document.querySelectorAll("table").length > 0`)
}

// liveGame takes a picture of a game while it is played.
func (p *photographer) liveGame(h *host) {
	h.start(func(e *tournament.Event) {
		e.Name, e.Size, e.Bots = "Evening ladder", rules.Full, []string{"ann=mcts:playouts=400", "bob=alphabeta:time=5"}
	})
	h.until(func(playing bool, _ int) bool { return playing })
	p.visit("/")
	p.await(`document.querySelector("[data-game]")?.dataset.game > 0 && Number(document.querySelector("[data-ply-text]").textContent) > 60`)
	p.picture("live", fmt.Sprintf("/games/%d", eval[int](p.tab, `Number(document.querySelector("[data-game]").dataset.game)`)),
		`Number(document.querySelector("[data-ply-text]").textContent) > 80`)
}

// ownGames takes pictures of a visitor's own game: while it is played on a phone, and after its end.
func (p *photographer) ownGames() {
	p.window(phones[0])
	p.visit("/play?level=club&role=defender")
	for range 20 {
		p.await(myTurn)
		for _, key := range []string{kb.ArrowLeft, kb.ArrowUp, kb.ArrowRight, kb.ArrowDown} {
			p.press(key)
		}
	}
	p.await(myTurn)
	p.shoot("phone")
	p.window(phone{desk.width, 1300}) // with all that is there after the end
	p.visit("/play?level=champion&role=defender&size=3x3")
	p.await(myTurn)
	p.finish()
	p.await(gameEnd + ` && !document.querySelector("[data-decided]").hidden`)
	eval[bool](p.tab, `(scroll(0, 0), true)`)
	p.shoot("after")
}
