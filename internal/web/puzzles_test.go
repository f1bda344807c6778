package web_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"versus2048/players/exact"
	"versus2048/rules"
)

// ownPuzzles returns the puzzles of the program.
func ownPuzzles(t testing.TB) *exact.PuzzleBook {
	t.Helper()
	book, err := exact.OwnPuzzles()
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// puzzleFor returns the first puzzle for a side under some rules.
func puzzleFor(t testing.TB, r rules.Ruleset, side rules.Side) *exact.Puzzle {
	t.Helper()
	p, ok := ownPuzzles(t).Next(0, rules.Variants{Rules: []rules.Ruleset{r}, Roles: []rules.Side{side}})
	if !ok {
		t.Fatalf("no puzzle for the %v under %v", side, r)
	}
	return p
}

// attackersPuzzle returns the number of a puzzle with a choice between tiles, for its address.
func attackersPuzzle(t testing.TB) string {
	return strconv.Itoa(puzzleFor(t, rules.GPCC2016, rules.Attacker).Number)
}

// wrongMove returns a legal move that is not the best one.
func wrongMove(p *exact.Puzzle) rules.Move {
	for _, a := range p.Answers() {
		if a.Loss > 0 {
			return a.Move
		}
	}
	panic("a puzzle has wrong moves")
}

// puzzled opens the page of a puzzle in a tab.
func (b *tab) puzzled(address string) {
	b.t.Helper()
	b.visit(address)
	b.await(`document.querySelector("[data-puzzle]").ready === true`)
}

// arrow returns the arrow key of a slide.
func arrow(m rules.Move) string {
	return map[rules.Move]string{rules.North: kb.ArrowUp, rules.South: kb.ArrowDown, rules.West: kb.ArrowLeft, rules.East: kb.ArrowRight}[m]
}

// Everybody has the same puzzle on one day, and the page says in words, without JavaScript, what each move leads to.
func TestPuzzleOfTheDay(t *testing.T) {
	h := open(t)
	before := ownPuzzles(t).Daily(time.Now())
	status, text := h.get("/puzzles")
	after := ownPuzzles(t).Daily(time.Now()) // midnight may have passed
	p := before
	if !strings.Contains(text, fmt.Sprintf(`data-puzzle="%d"`, p.Number)) {
		p = after
	}
	if status != http.StatusOK || !strings.Contains(text, fmt.Sprintf(`data-puzzle="%d"`, p.Number)) || !strings.Contains(text, "Puzzle of the day") {
		t.Fatalf("status %d, not puzzle %d: %s", status, p.Number, text)
	}
	plain := html.UnescapeString(text)
	for _, a := range p.Answers() {
		if n := strings.Count(plain, fmt.Sprintf(`data-answer="%v"`, a.Move)); n != 1 {
			t.Errorf("%d answers for %v", n, a.Move)
		}
	}
	for _, want := range []string{"<details", "</summary>", "/analysis?position=", "by any other move", "Level: " + string(p.Level())} {
		if !strings.Contains(plain, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// The number of a puzzle is its address, for people and for programs.
func TestPuzzleByNumber(t *testing.T) {
	h := open(t)
	for _, r := range rules.Rulesets() {
		p := puzzleFor(t, r, rules.Defender)
		if status, text := h.get(fmt.Sprintf("/puzzles/%d", p.Number)); status != http.StatusOK || !strings.Contains(text, fmt.Sprintf(`data-position="%v"`, p.Position)) {
			t.Errorf("puzzle %d: status %d, %s", p.Number, status, text)
		}
		_, text := h.get(fmt.Sprintf("/api/puzzles/%d", p.Number))
		var got struct {
			Number   int
			Rules    rules.Ruleset
			Position string
			Level    exact.PuzzleLevel
			Depth    int
			Best     rules.Move
			Moves    []exact.PuzzleAnswer
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if got.Number != p.Number || got.Rules != r || got.Position != p.Position.String() || got.Best != p.Best() ||
			got.Depth != p.Depth || got.Level != p.Level() || !reflect.DeepEqual(got.Moves, p.Answers()) {
			t.Errorf("puzzle %d in JSON: %s", p.Number, text)
		}
	}
	for _, address := range []string{"/puzzles/0", "/puzzles/x", fmt.Sprintf("/puzzles/%d", len(ownPuzzles(t).Puzzles)+1), "/api/puzzles/" + strconv.Itoa(math.MaxInt32)} {
		if status, _ := h.get(address); status != http.StatusNotFound {
			t.Errorf("%s has status %d", address, status)
		}
	}
}

// The link to another puzzle leads to the next one of the kinds that the visitor has chosen.
func TestAnotherPuzzle(t *testing.T) {
	h := open(t)
	book := ownPuzzles(t)
	for query, chosen := range map[string]rules.Variants{
		"":                                       {},
		"&role=attacker":                         {Roles: []rules.Side{rules.Attacker}},
		"&role=defender&rules=solo&size=3x3":     {Roles: []rules.Side{rules.Defender}, Rules: []rules.Ruleset{rules.Solo}, Sizes: []rules.Size{{Width: 3, Height: 3}}},
		"&role=&rules=gpcc2015&size=4x4":         {Rules: []rules.Ruleset{rules.GPCC2015}, Sizes: []rules.Size{rules.Full}},
		"&role=attacker&rules=gpcc2016&size=4x2": {Roles: []rules.Side{rules.Attacker}, Rules: []rules.Ruleset{rules.GPCC2016}, Sizes: []rules.Size{{Width: 4, Height: 2}}},
	} {
		want, ok := book.Next(5, chosen)
		if !ok {
			t.Fatalf("no puzzle of %v", chosen)
		}
		status, text := h.get("/puzzles?after=5" + query)
		_, link, _ := strings.Cut(text, `href="/puzzles/`)
		if number, _, _ := strings.Cut(strings.ReplaceAll(link, "?", `"`), `"`); status != http.StatusSeeOther || number != strconv.Itoa(want.Number) {
			t.Errorf("%q: status %d, to puzzle %q, want %d", query, status, number, want.Number)
		}
	}
	for _, wrong := range []string{"role=attacker&rules=solo", "role=referee", "rules=chess", "size=5x5"} {
		for _, path := range []string{"/puzzles?after=5&", "/puzzles?", "/puzzles/5?"} {
			if status, text := h.get(path + wrong); status != http.StatusBadRequest || !strings.Contains(text, "There are no such puzzles. Choose another role") || !strings.Contains(text, "data-another") {
				t.Errorf("%s%s has status %d, and no form with the reason", path, wrong, status)
			}
		}
	}
	for _, none := range []string{"size=2x4", "role=attacker&rules=gpcc2015&size=2x2"} {
		if status, text := h.get("/puzzles?after=5&" + none); status != http.StatusNotFound || !strings.Contains(text, "There is no such puzzle. Choose other rules") || !strings.Contains(text, "data-another") {
			t.Errorf("%s has status %d, and no form with the reason", none, status)
		}
	}
}

// A right answer by an arrow key and a wrong one by a click are told with the values of all moves, and counted on the
// visitor's device: each puzzle once.
func TestSolvingPuzzles(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	p := puzzleFor(t, rules.GPCC2015, rules.Defender)
	address := fmt.Sprintf("/puzzles/%d", p.Number)
	b.puzzled(address)
	b.press(arrow(p.Best()))
	if text := b.text("[data-verdict].right"); !strings.HasPrefix(text, "Right: slide ") || !strings.Contains(text, "more than by any other move") {
		t.Errorf("the page says %q", text)
	}
	if !eval[bool](b, `document.querySelector("[data-solution]").open`) {
		t.Error("the values are hidden")
	}
	if got, want := b.tiles(), p.Position.Next(p.Best()).Tiles(); !reflect.DeepEqual(got, want) {
		t.Errorf("the board is %v after the move, want %v", got, want)
	}
	if text := b.text("[data-record]"); text != "Solved: 1 of 1. Right in a row: 1." {
		t.Errorf("the record says %q", text)
	}
	b.puzzled(address) // once more: the record stays, and another try does not count
	b.press(arrow(wrongMove(p)))
	if text := b.text("[data-record]"); text != "Solved: 1 of 1. Right in a row: 1." {
		t.Errorf("after another try the record says %q", text)
	}
	p = puzzleFor(t, rules.Solo, rules.Defender)
	b.puzzled(fmt.Sprintf("/puzzles/%d", p.Number))
	b.run(chromedp.Click(chromedp.CSS(fmt.Sprintf(`#slides [data-play="%v"]`, wrongMove(p)))))
	if text := b.text("[data-verdict].wrong"); !strings.HasPrefix(text, "Wrong: slide ") || !strings.Contains(text, " too few. Right: slide ") {
		t.Errorf("the page says %q", text)
	}
	if text := b.text("[data-record]"); text != "Solved: 1 of 2. Right in a row: 0." {
		t.Errorf("the record says %q", text)
	}
}

// An attacker who has no mouse goes to a cell by the tabulator key; n leads to another puzzle of the same kind.
func TestAttackingInPuzzlesByKeys(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	p := puzzleFor(t, rules.GPCC2016, rules.Attacker)
	b.puzzled(fmt.Sprintf("/puzzles/%d?role=attacker&rules=gpcc2016", p.Number))
	eval[bool](b, `(document.querySelector(".skip").focus(), true)`)
	for range 100 {
		b.press(kb.Tab)
		if eval[string](b, `document.activeElement.dataset.play ?? ""`) == p.Best().String() {
			break
		}
	}
	b.press(kb.Enter)
	if text := b.text("[data-verdict].right"); !strings.Contains(text, "fewer than by any other move") {
		t.Errorf("the page says %q", text)
	}
	if got, want := b.tiles(), p.Position.Next(p.Best()).Tiles(); !reflect.DeepEqual(got, want) {
		t.Errorf("the board is %v after the move, want %v", got, want)
	}
	next, _ := ownPuzzles(t).Next(p.Number, rules.Variants{Rules: []rules.Ruleset{rules.GPCC2016}, Roles: []rules.Side{rules.Attacker}})
	b.press("n")
	b.await(fmt.Sprintf(`document.querySelector("[data-puzzle]").dataset.puzzle === "%d"`, next.Number))
	if query := eval[string](b, `location.search`); query != "?role=attacker&rules=gpcc2016" {
		t.Errorf("the next puzzle has the query %q", query)
	}
}

// On a phone a stroke slides, and the verdict comes into view. Days in a row are counted.
func TestPuzzleOfTheDayOnAPhone(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	for _, p := range phones {
		b.hold(p)
		b.puzzled("/puzzles")
		eval[bool](b, `(localStorage.clear(), true)`)
		b.puzzled("/puzzles")
		for recorded := 0; ; { // again if midnight has passed
			day := eval[int](b, `Number(document.querySelector("[data-puzzle]").dataset.day)`)
			if day == recorded {
				break
			}
			recorded = day
			eval[bool](b, fmt.Sprintf(`(localStorage.setItem("puzzles", '{"answered":["x"],"solved":1,"row":1,"days":6,"day":%d}'), true)`, day-1))
			b.puzzled("/puzzles")
		}
		number := eval[int](b, `Number(document.querySelector("[data-puzzle]").dataset.puzzle)`)
		daily, err := ownPuzzles(t).Numbered(number)
		if err != nil {
			t.Fatal(err)
		}
		if best := daily.Best(); best.IsSlide() {
			b.stroke("[data-board]", best)
		} else {
			b.run(chromedp.Click(chromedp.CSS(fmt.Sprintf(`[data-play="%v"]`, best))))
		}
		if text := b.text("[data-verdict].right"); !strings.HasPrefix(text, "Right: ") {
			t.Errorf("%v: the page says %q", p, text)
		}
		if text := b.text("[data-record]"); text != "Solved: 2 of 2. Right in a row: 2. Daily puzzles in a row: 7." {
			t.Errorf("%v: the record says %q", p, text)
		}
		if out := b.outOfView("[data-verdict]"); out != 0 {
			t.Errorf("%v: %v pixels of the verdict are out of view", p, out)
		}
	}
}

// stroke draws a finger over an element in the direction of a slide.
func (b *tab) stroke(selector string, m rules.Move) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(document.querySelector(%q).scrollIntoView({ block: "center" }), true)`, selector))
	at := eval[[]float64](b, fmt.Sprintf(`(({ left, top, width, height }) => [left + width / 2, top + height / 2])(document.querySelector(%q).getBoundingClientRect())`, selector))
	by := map[rules.Move][2]float64{rules.North: {0, -60}, rules.South: {0, 60}, rules.West: {-60, 0}, rules.East: {60, 0}}[m]
	b.touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: at[0], Y: at[1]})
	for i := 1.0; i <= 4; i++ {
		b.touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: at[0] + i*by[0]/4, Y: at[1] + i*by[1]/4})
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
}
