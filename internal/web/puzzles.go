package web

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"versus2048/internal/web/words"
	"versus2048/players/puzzle"
	"versus2048/rules"
)

// puzzles are the pages of puzzles: one of each day, and all by their numbers.
type puzzles struct {
	pages *pages
	book  func() (*puzzle.Book, error)
	now   func() time.Time
}

// puzzlePage is the page of a puzzle.
type puzzlePage struct {
	*puzzle.Puzzle
	puzzleFilter
	Day      time.Time // of the daily puzzle, else zero
	Board    boardView
	Slides   []legalMove // all four, if the defender is to move
	Moves    []puzzleMove
	Analysis template.URL // the page of the position
	All      int          // puzzles
	Sizes    []rules.Size // of all puzzles
}

// puzzleMove is a legal move with its value in words.
type puzzleMove struct {
	Move rules.Move
	Text string
	Best bool
}

func (p *puzzlePage) view() view {
	title := fmt.Sprintf("Puzzle %d", p.Number)
	if p.Daily() {
		title = "Puzzle of the day"
	}
	return view{Title: title, Section: "puzzles", Modules: []string{"puzzles.js"}, Body: p}
}

// Daily reports whether this is the page of the daily puzzle.
func (p *puzzlePage) Daily() bool { return !p.Day.IsZero() }

// DayNumber returns the number of the day since 1970.
func (p *puzzlePage) DayNumber() int64 { return p.Day.Unix() / (24 * 60 * 60) }

// Date returns the day in words.
func (p *puzzlePage) Date() string { return p.Day.UTC().Format("2 January 2006") }

// Difficulty describes how hard the puzzle is.
func (p *puzzlePage) Difficulty() string {
	bot := "Minimax"
	if p.Position.Rules().Chance() {
		bot = "Expectimax"
	}
	if p.Depth == 0 {
		return fmt.Sprintf("Level: %s. %s does not find the move when it looks %d slides ahead.", p.Level(), bot, puzzle.MostDepth)
	}
	return fmt.Sprintf("Level: %s. %s finds the move when it looks %s ahead.", p.Level(), bot, words.Count(p.Depth, "slide"))
}

// show answers with the puzzle of the day, or leads to the next puzzle that a visitor asks for.
func (z *puzzles) show(w http.ResponseWriter, r *http.Request) error {
	if r.FormValue("after") != "" {
		return z.next(w, r)
	}
	book, err := z.book()
	if err != nil {
		return err
	}
	day := z.now()
	page, err := newPuzzlePage(r, book, book.Daily(day))
	if err != nil {
		return err
	}
	page.Day = day
	return z.pages.show(tagged{w}, r, "puzzle", page.view())
}

// next leads to the next puzzle after a number that the filter allows.
func (z *puzzles) next(w http.ResponseWriter, r *http.Request) error {
	book, err := z.book()
	if err != nil {
		return err
	}
	filter, err := puzzleFilterOf(r)
	if err != nil {
		return err
	}
	after, _ := strconv.Atoi(r.FormValue("after")) // or else 0, before the first one
	found, ok := book.Next(after, filter.variants())
	if !ok {
		return notFound("There is no such puzzle", "Choose other rules, another board or another role.")
	}
	address := fmt.Sprintf("/puzzles/%d", found.Number)
	if query := filter.query(); query != "" {
		address += "?" + query
	}
	http.Redirect(w, r, address, http.StatusSeeOther)
	return nil
}

// page returns the page of a puzzle by its number.
func (z *puzzles) page(r *http.Request) (*puzzlePage, error) {
	book, p, err := z.numbered(r)
	if err != nil {
		return nil, err
	}
	return newPuzzlePage(r, book, p)
}

// numbered returns the puzzle whose number a request has.
func (z *puzzles) numbered(r *http.Request) (*puzzle.Book, *puzzle.Puzzle, error) {
	n, err := numberIn(r, "number", "puzzle")
	if err != nil {
		return nil, nil, err
	}
	book, err := z.book()
	if err != nil {
		return nil, nil, err
	}
	p, err := book.Numbered(int(n))
	if err != nil {
		return nil, nil, notFound(fmt.Sprintf("There is no puzzle %d", n), fmt.Sprintf("The last one is %d.", len(book.Puzzles)))
	}
	return book, p, nil
}

func newPuzzlePage(r *http.Request, book *puzzle.Book, p *puzzle.Puzzle) (*puzzlePage, error) {
	filter, err := puzzleFilterOf(r)
	if err != nil {
		return nil, err
	}
	at := p.Position
	page := &puzzlePage{
		Puzzle: p, puzzleFilter: filter, Board: newBoardView(at, nil), Analysis: addressOf(at), All: len(book.Puzzles), Sizes: book.Sizes(),
	}
	moves := legalMoves(at, nil)
	if at.SideToMove() == rules.Defender {
		page.Slides = slides(moves)
	} else {
		page.Board.link(moves)
	}
	answers := p.Answers()
	slices.SortStableFunc(answers, func(a, b puzzle.Answer) int { return cmp.Compare(a.Loss, b.Loss) })
	for _, a := range answers {
		page.Moves = append(page.Moves, puzzleMove{a.Move, answerText(at, a), a.Loss == 0})
	}
	return page, nil
}

// answerText puts a move and the final score that it leads to into words.
func answerText(p rules.Position, a puzzle.Answer) string {
	text := fmt.Sprintf("%s – %s points", inWords(a.Move), scoreText(p, a.Score))
	if p.Rules().Chance() {
		text += " on average"
	}
	attacks := p.SideToMove() == rules.Attacker
	switch {
	case a.Loss == 0 && attacks:
		return text + ", fewer than by any other move"
	case a.Loss == 0:
		return text + ", more than by any other move"
	case attacks:
		return fmt.Sprintf("%s, %s too many", text, scoreText(p, a.Loss))
	}
	return fmt.Sprintf("%s, %s too few", text, scoreText(p, a.Loss))
}

// scoreText writes points, which under solo are means.
func scoreText(p rules.Position, points float64) string {
	decimals := 0
	if p.Rules().Chance() {
		decimals = 2
	}
	return words.Number(strconv.FormatFloat(points, 'f', decimals, 64))
}

// puzzleFilter is a visitor's choice of puzzles, as typed; "" for all.
type puzzleFilter struct{ Role, Rules, Size string }

// puzzleFilterOf returns the choice in a request. It returns an error if no game fits it.
func puzzleFilterOf(r *http.Request) (puzzleFilter, error) {
	f := puzzleFilter{r.FormValue("role"), r.FormValue("rules"), r.FormValue("size")}
	if err := f.variants().Validate(); err != nil {
		return f, wrong("There are no such puzzles", "Choose the role, the rules and the board on the page of a puzzle. Under solo chance attacks.")
	}
	return f, nil
}

// variants returns the games of the chosen puzzles. It leaves out values that do not exist.
func (f puzzleFilter) variants() rules.Variants {
	list := func(text string) []string {
		if text == "" {
			return nil
		}
		return []string{text}
	}
	return rules.ParseVariants(list(f.Rules), list(f.Size), list(f.Role))
}

// query returns the choice as a part of an address.
func (f puzzleFilter) query() string {
	query := url.Values{}
	for key, value := range map[string]string{"role": f.Role, "rules": f.Rules, "size": f.Size} {
		if value != "" {
			query.Set(key, value)
		}
	}
	return query.Encode()
}

// puzzleJSON is a puzzle for programs.
type puzzleJSON struct {
	Number   int             `json:"number"`
	Rules    rules.Ruleset   `json:"rules"`
	Position string          `json:"position"`
	Level    puzzle.Level    `json:"level"`
	Depth    int             `json:"depth"`
	Best     rules.Move      `json:"best"`
	Moves    []puzzle.Answer `json:"moves"`
}

// answer returns a puzzle with the values of its moves.
func (z *puzzles) answer(r *http.Request) (puzzleJSON, error) {
	_, p, err := z.numbered(r)
	if err != nil {
		return puzzleJSON{}, err
	}
	return puzzleJSON{p.Number, p.Position.Rules(), p.Position.String(), p.Level(), p.Depth, p.Best(), p.Answers()}, nil
}
