package offline

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"versus2048/internal/study"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/inbrowser"
	"versus2048/players/exact"
	"versus2048/rules"
)

// answer returns the answer to a request as HTML or JSON, and the address of the page if it is not the requested one.
func (s *Site) answer(r Request) (body []byte, address string, err error) {
	switch asked := r.values(); {
	case r.Path == "/analysis":
		body, err = s.analysis(asked)
	case r.Path == "/puzzles":
		return s.puzzle(asked)
	case r.Path == "/replay":
		body, err = s.showReplay(r.Body, asked)
	case r.Path == "/parts/opinion" || r.Path == "/parts/hint":
		body, err = s.opinion(r)
	case r.Path == "/api/mistakes":
		body, err = s.mistakes(r)
	case strings.Contains(r.Path, "/games/"):
		body, err = s.ofGame(r)
	default:
		err = &analysis.Problem{Missing: true, Title: "There is no such page", Advice: "The links at the top lead to all pages."}
	}
	return body, "", err
}

// analysis returns the page of a position, or the page for setting one up.
func (s *Site) analysis(asked url.Values) ([]byte, error) {
	if asked.Get("setup") != "" {
		return s.Page("setup", analysis.Setup(asked), 0)
	}
	var page *analysis.Page
	p, err := analysis.PositionIn(asked)
	if err == nil {
		page, err = analysis.NewTriedPage(s.tables, asked, p)
	}
	var impossible *analysis.Problem
	switch {
	case errors.As(err, &impossible):
		page = analysis.NewFaultyPage(s.tables, asked, impossible)
	case err != nil:
		return nil, err
	}
	if s.tables.Of(page.Position) == nil {
		page.NoExact = noTable(page)
		page.Advantage = nil // until the champion has said its opinion: it alone has the networks
	}
	return s.Page("analysis", page.View(), 0)
}

// noTable tells how to get a table with the exact values of a position, or why there can be none.
func noTable(page *analysis.Page) string {
	if !page.Solvable {
		return "only boards of up to nine cells are solved."
	}
	p := page.Position
	return fmt.Sprintf("open a table of this board. The command “lab solve --rules %v --size %v --table FILE” makes it.", p.Rules(), p.Size())
}

// puzzle returns the puzzle of the day, a puzzle by its number, or the next one that a filter allows.
func (s *Site) puzzle(asked url.Values) (body []byte, address string, err error) {
	book, err := s.book()
	if err != nil {
		return nil, "", err
	}
	page, address, err := puzzlePage(book, asked)
	if why := (*analysis.Problem)(nil); errors.As(err, &why) && (!why.Missing || asked.Get("after") != "") {
		page, err = analysis.NewOtherDaily(book, time.Now(), why), nil
	}
	if err != nil {
		return nil, "", err
	}
	body, err = s.Page("puzzle", page.View(), 0)
	return body, address, err
}

// puzzlePage returns the page of the puzzle that is asked for, and its address if that is not the requested one.
func puzzlePage(book *exact.PuzzleBook, asked url.Values) (page *analysis.PuzzlePage, address string, err error) {
	if asked.Get("after") != "" {
		number, query, err := analysis.After(book, asked)
		if err != nil {
			return nil, "", err
		}
		address = strings.TrimSuffix(fmt.Sprintf("puzzles.html?number=%d&%s", number, query), "&")
		asked.Set("number", strconv.Itoa(number))
	}
	if number := asked.Get("number"); number != "" {
		n, _ := strconv.Atoi(number) // or else 0, which no puzzle has
		page, err = analysis.NewPuzzlePage(book, n, asked)
	} else {
		page, err = analysis.NewDaily(book, time.Now(), asked)
	}
	return page, address, err
}

// asked is a request about a position or a game.
type asked struct {
	Rules    rules.Ruleset      `json:"rules"`
	Position string             `json:"position"`
	Bot      string             `json:"bot"`
	Opinion  *inbrowser.Opinion `json:"opinion"`
	Record   string             `json:"record"` // of a whole game, instead of a position
}

// mistakes returns the costliest moves of the game in a request.
func (s *Site) mistakes(r Request) ([]byte, error) {
	var a asked
	if err := json.Unmarshal([]byte(r.Body), &a); err != nil {
		return nil, err
	}
	game, err := parse(a.Record)
	if err != nil {
		return nil, &analysis.Problem{Title: "This is no game", Advice: err.Error()}
	}
	return json.Marshal(append([]study.Mark{}, study.Costliest(game, judging(), s.tables...)...))
}

// opinion returns the champion's opinion as a part of the page that asks.
func (s *Site) opinion(r Request) ([]byte, error) {
	var a asked
	if r.Body != "" {
		if err := json.Unmarshal([]byte(r.Body), &a); err != nil {
			return nil, err
		}
	}
	if a.Opinion == nil {
		return nil, &analysis.Problem{Title: "The champion cannot run here", Advice: "Use a browser that runs WebAssembly."}
	}
	said := analysis.Visitors{Rules: a.Rules, Position: a.Position, Opinion: *a.Opinion}
	if r.Path == "/parts/opinion" {
		part, err := said.Part(s.pages)
		if err != nil {
			return nil, err
		}
		return json.Marshal(part)
	}
	hint, err := said.Hint(s.tables, a.Bot)
	if err != nil {
		return nil, err
	}
	return s.pages.Make("play", "hint", hint)
}
