package analysis

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"time"

	"versus2048/internal/web/templates"
	"versus2048/players/exact"
	"versus2048/rules"
)

// PuzzlePage is the page of a puzzle.
type PuzzlePage struct {
	*exact.Puzzle
	puzzleFilter
	Day      time.Time // the day of a daily puzzle, else zero
	Board    Board
	Slides   []LegalMove // all four, if the defender is to move
	Moves    []puzzleMove
	Analysis template.URL // the address of the position's analysis
	All      int          // the number of puzzles
	Sizes    []rules.Size // the boards of all puzzles
	Problem  string       // the reason why this is not a puzzle that the request asks for, "" if it is one
}

// puzzleMove is a legal move with its value in words.
type puzzleMove struct {
	Move rules.Move
	Text string
	Best bool
}

// View returns the page with its frame.
func (p *PuzzlePage) View() View {
	title := fmt.Sprintf("Puzzle %d", p.Number)
	if p.Daily() {
		title = "Puzzle of the day"
	}
	return View{Title: title, Section: "puzzles", Modules: []string{"puzzles.js"}, Body: p}
}

// Daily reports whether this is the page of the daily puzzle.
func (p *PuzzlePage) Daily() bool { return !p.Day.IsZero() }

// DayNumber returns the number of the day since 1970.
func (p *PuzzlePage) DayNumber() int64 { return p.Day.Unix() / (24 * 60 * 60) }

// Date returns the day in words.
func (p *PuzzlePage) Date() string { return p.Day.UTC().Format("2 January 2006") }

// Difficulty describes how hard the puzzle is.
func (p *PuzzlePage) Difficulty() string {
	bot := "Minimax"
	if p.Position.Rules().Chance() {
		bot = "Expectimax"
	}
	if p.Depth == 0 {
		return fmt.Sprintf("Level: %s. %s does not find the move when it looks %d slides ahead.", p.Level(), bot, exact.MostPuzzleDepth)
	}
	return fmt.Sprintf("Level: %s. %s finds the move when it looks %s ahead.", p.Level(), bot, templates.Count(p.Depth, "slide"))
}

// NewDaily returns the page of the puzzle of a day. It returns an error if no puzzle can fit the filter of the request.
func NewDaily(book *exact.PuzzleBook, day time.Time, request url.Values) (*PuzzlePage, error) {
	page, err := newPuzzlePage(book, book.Daily(day), request)
	if err == nil {
		page.Day = day
	}
	return page, err
}

// NewOtherDaily returns the page of the puzzle of a day for a request that no puzzle fits. The page says why.
func NewOtherDaily(book *exact.PuzzleBook, day time.Time, why *Problem) *PuzzlePage {
	page := puzzlePage(book, book.Daily(day), puzzleFilter{})
	page.Day, page.Problem = day, why.Title+". "+why.Advice
	return page
}

// NewPuzzlePage returns the page of a puzzle by its number. It returns an error if there is no such puzzle, or if no
// puzzle can fit the filter of the request.
func NewPuzzlePage(book *exact.PuzzleBook, number int, request url.Values) (*PuzzlePage, error) {
	p, err := Numbered(book, number)
	if err != nil {
		return nil, err
	}
	return newPuzzlePage(book, p, request)
}

// Numbered returns a puzzle by its number. It returns an error if there is no such puzzle.
func Numbered(book *exact.PuzzleBook, number int) (*exact.Puzzle, error) {
	p, err := book.Numbered(number)
	if err != nil {
		return nil, missing(fmt.Sprintf("There is no puzzle %d", number), fmt.Sprintf("The last one is %d.", len(book.Puzzles)))
	}
	return p, nil
}

// After returns the number of the next puzzle that fits the filter of a request: the first one after the number in the
// request's parameter after. The first puzzle follows the last one. query is the filter as a part of an address. After
// returns an error if no puzzle fits.
func After(book *exact.PuzzleBook, request url.Values) (number int, query string, err error) {
	filter, err := puzzleFilterOf(request)
	if err != nil {
		return 0, "", err
	}
	after, _ := strconv.Atoi(request.Get("after")) // 0 if there is no number: before the first puzzle
	found, ok := book.Next(after, filter.variants())
	if !ok {
		return 0, "", missing("There is no such puzzle", "Choose other rules, another board or another role.")
	}
	return found.Number, filter.query(), nil
}

func newPuzzlePage(book *exact.PuzzleBook, p *exact.Puzzle, request url.Values) (*PuzzlePage, error) {
	filter, err := puzzleFilterOf(request)
	if err != nil {
		return nil, err
	}
	return puzzlePage(book, p, filter), nil
}

func puzzlePage(book *exact.PuzzleBook, p *exact.Puzzle, filter puzzleFilter) *PuzzlePage {
	at := p.Position
	page := &PuzzlePage{
		Puzzle: p, puzzleFilter: filter, Board: NewBoard(at, nil), Analysis: AddressOf(at), All: len(book.Puzzles), Sizes: book.Sizes(),
	}
	moves := LegalMoves(at, nil)
	if at.SideToMove() == rules.Defender {
		page.Slides = slides(moves)
	} else {
		page.Board.link(moves)
	}
	answers := p.Answers()
	slices.SortStableFunc(answers, func(a, b exact.PuzzleAnswer) int { return cmp.Compare(a.Loss, b.Loss) })
	for _, a := range answers {
		page.Moves = append(page.Moves, puzzleMove{a.Move, answerText(at, a), a.Loss == 0})
	}
	return page
}

// answerText puts a move and the final score that it leads to into words.
func answerText(p rules.Position, a exact.PuzzleAnswer) string {
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

// scoreText writes points. Under solo they are means, with decimals.
func scoreText(p rules.Position, points float64) string {
	decimals := 0
	if p.Rules().Chance() {
		decimals = 2
	}
	return templates.Number(strconv.FormatFloat(points, 'f', decimals, 64))
}

// puzzleFilter is a visitor's choice of puzzles, as typed; "" for all.
type puzzleFilter struct{ Role, Rules, Size string }

// puzzleFilterOf returns the choice in a request. It returns an error if no game fits it.
func puzzleFilterOf(request url.Values) (puzzleFilter, error) {
	f := puzzleFilter{request.Get("role"), request.Get("rules"), request.Get("size")}
	if err := f.variants().Validate(); err != nil {
		return f, wrong("There are no such puzzles", "Choose another role, other rules or another board. Under solo chance attacks.")
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
