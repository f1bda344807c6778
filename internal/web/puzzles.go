package web

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"versus2048/internal/web/analysis"
	"versus2048/players/exact"
	"versus2048/rules"
)

// puzzles are the pages of puzzles: one of each day, and all by their numbers.
type puzzles struct {
	pages *pages
	book  func() (*exact.PuzzleBook, error)
	now   func() time.Time
}

// show answers with the puzzle of the day, or leads to the next puzzle that a visitor asks for.
func (z *puzzles) show(w http.ResponseWriter, r *http.Request) error {
	book, err := z.book()
	if err != nil {
		return err
	}
	if r.FormValue("after") != "" {
		return z.next(w, r, book)
	}
	page, err := analysis.NewDaily(book, z.now(), r.Form)
	if err != nil {
		return z.other(w, r, book, err)
	}
	return z.pages.show(tagged{w}, r, "puzzle", framed(page.View()))
}

// other answers a request that no puzzle fits with the puzzle of the day, where visitors can choose again. Programs get
// the reason alone.
func (z *puzzles) other(w http.ResponseWriter, r *http.Request, book *exact.PuzzleBook, err error) error {
	var why *analysis.Problem
	chooses := r.FormValue("after") != "" // and else the number of a puzzle may be missing
	if !errors.As(err, &why) || isForPrograms(r) || why.Missing && !chooses {
		return err
	}
	v := framed(analysis.NewOtherDaily(book, z.now(), why).View())
	v.status = http.StatusBadRequest
	if why.Missing {
		v.status = http.StatusNotFound
	}
	return z.pages.show(w, r, "puzzle", v)
}

// next redirects to the next puzzle that the filter allows, after the number in the request.
func (z *puzzles) next(w http.ResponseWriter, r *http.Request, book *exact.PuzzleBook) error {
	number, query, err := analysis.After(book, r.Form)
	if err != nil {
		return z.other(w, r, book, err)
	}
	address := fmt.Sprintf("/puzzles/%d", number)
	if query != "" {
		address += "?" + query
	}
	http.Redirect(w, r, address, http.StatusSeeOther)
	return nil
}

// page answers with the page of a puzzle by its number.
func (z *puzzles) page(w http.ResponseWriter, r *http.Request) error {
	book, number, err := z.numbered(r)
	if err != nil {
		return err
	}
	page, err := analysis.NewPuzzlePage(book, number, r.Form)
	if err != nil {
		return z.other(w, r, book, err)
	}
	return z.pages.show(tagged{w}, r, "puzzle", framed(page.View()))
}

// numbered returns the number of a puzzle in a request, and the book with all puzzles.
func (z *puzzles) numbered(r *http.Request) (book *exact.PuzzleBook, number int, err error) {
	n, err := numberIn(r, "number", "puzzle")
	if err != nil {
		return nil, 0, err
	}
	book, err = z.book()
	return book, int(min(n, 1<<31-1)), err
}

// puzzleJSON is a puzzle for programs.
type puzzleJSON struct {
	Number   int               `json:"number"`
	Rules    rules.Ruleset     `json:"rules"`
	Position string            `json:"position"`
	Level    exact.PuzzleLevel `json:"level"` // "easy" for a Depth of 1, "medium" for 2 and 3, "hard" for others
	// Depth is the number of slides that evminimax, or expectimax under solo, must look ahead to find Best. 0 means more
	// than 5.
	Depth int                  `json:"depth"`
	Best  rules.Move           `json:"best"` // the only move that keeps the score
	Moves []exact.PuzzleAnswer `json:"moves"`
}

// answer returns a puzzle with the values of its moves.
func (z *puzzles) answer(r *http.Request) (puzzleJSON, error) {
	book, number, err := z.numbered(r)
	if err != nil {
		return puzzleJSON{}, err
	}
	p, err := analysis.Numbered(book, number)
	if err != nil {
		return puzzleJSON{}, err
	}
	return puzzleJSON{p.Number, p.Position.Rules(), p.Position.String(), p.Level(), p.Depth, p.Best(), p.Answers()}, nil
}
