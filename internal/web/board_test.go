package web_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"versus2048/rules"
)

// module returns JavaScript that imports a module of the page that is shown.
func module(name string) string {
	return fmt.Sprintf(`import([...document.scripts].find((s) => s.src.includes("/static/")).src.replace(/[^/]*$/, %q))`, name)
}

// slid is the result of a slide in rules.js: null if it changes nothing.
type slid struct {
	Tiles [][]int `json:"tiles"`
	Gain  int     `json:"gain"`
	Steps []struct {
		From   [2]int `json:"from"`
		To     [2]int `json:"to"`
		Merged bool   `json:"merged"`
	} `json:"steps"`
}

// randomBoards returns boards of all sizes, with lines of three and four equal tiles among them.
func randomBoards(n int) (boards [][][]int) {
	random := rand.New(rand.NewPCG(20, 48))
	for range n {
		size := rules.Sizes()[random.IntN(len(rules.Sizes()))]
		board := make([][]int, size.Height)
		few := 1 + random.IntN(4)
		for y := range board {
			for range size.Width {
				tile := 0
				if random.IntN(4) > 0 {
					tile = 2 << random.IntN(few)
				}
				board[y] = append(board[y], tile)
			}
		}
		boards = append(boards, board)
	}
	return boards
}

// Slides in the browser equal slides of package rules: the tiles, the score, and the way of each tile.
func TestSlides(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/")
	boards := append(randomBoards(600), [][]int{{65536, 65536}, {32768, 32768}}, [][]int{{65536, 2}, {65536, 2}})
	text, err := json.Marshal(boards)
	if err != nil {
		t.Fatal(err)
	}
	got := eval[[][]*slid](b, fmt.Sprintf(`%s.then(({ slide }) => %s.map((tiles) => [..."NSWE"].map((move) => slide(tiles, move))))`, module("rules.js"), text))
	for i, board := range boards {
		for j, move := range []rules.Move{rules.North, rules.South, rules.West, rules.East} {
			wantSlid(t, board, move, got[i][j])
		}
	}
}

// wantSlid compares a slide in the browser with the one of package rules.
func wantSlid(t *testing.T, board [][]int, move rules.Move, got *slid) {
	t.Helper()
	p, ok := positionWith(board)
	if !ok {
		if slices.ContainsFunc(board, func(row []int) bool { return slices.Max(row) > 0 }) {
			t.Errorf("no game leads to %v", board)
		}
		return
	}
	after, err := p.Play(move)
	if (err == nil) != (got != nil) {
		t.Errorf("%v, %v: legal in the browser is %t, want %v", board, move, got != nil, err)
	}
	if err != nil || got == nil {
		return
	}
	moved := make([][]int, len(board))
	for y := range board {
		moved[y] = make([]int, len(board[y]))
	}
	tiles := 0
	for _, s := range got.Steps {
		moved[s.To[1]][s.To[0]] += board[s.From[1]][s.From[0]]
		tiles++
	}
	if !reflect.DeepEqual(got.Tiles, after.Tiles()) || !reflect.DeepEqual(moved, after.Tiles()) || got.Gain != after.Score()-p.Score() {
		t.Errorf("%v, %v: %v by steps to %v with %d points, want %v with %d", board, move, got.Tiles, moved, got.Gain, after.Tiles(), after.Score()-p.Score())
	}
}

// positionWith returns a position with a board where the defender is to move. ok is false if no game
// leads to it.
func positionWith(board [][]int) (p rules.Position, ok bool) {
	score, sum := 0, 0
	for _, row := range board {
		for _, tile := range row {
			sum += tile
			for t := tile; t > 2; t /= 2 {
				score += tile
			}
		}
	}
	p, err := rules.PositionFrom(rules.GPCC2015, board, rules.Defender, score, sum-1)
	return p, err == nil
}

// A slide of three and of four equal tiles in a line is animated in each direction: copies of the tiles
// move from where they were to the cells that package rules says.
func TestAnimation(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/")
	for _, board := range [][][]int{
		{{2, 2, 2, 0}, {2, 2, 2, 2}, {0, 4, 4, 8}, {2, 0, 0, 2}},
		{{2, 2, 0, 4}, {2, 2, 8, 0}, {2, 2, 0, 4}, {0, 2, 8, 2}},
	} {
		for _, move := range []rules.Move{rules.North, rules.South, rules.West, rules.East} {
			p, ok := positionWith(board)
			if !ok {
				t.Fatalf("no game leads to %v", board)
			}
			after, err := p.Play(move)
			if err != nil {
				t.Fatal(err)
			}
			if got := b.animated(p, move, after); !reflect.DeepEqual(got, after.Tiles()) {
				t.Errorf("%v, %v: the tiles move to %v, want %v", board, move, got, after.Tiles())
			}
		}
	}
}

// animated shows a slide and returns the board that results when each moving tile has arrived.
func (b *tab) animated(before rules.Position, move rules.Move, after rules.Position) [][]int {
	b.t.Helper()
	from, _ := json.Marshal(before.Tiles())
	to, _ := json.Marshal(after.Tiles())
	return eval[[][]int](b, fmt.Sprintf(`%s.then(({ Board }) => {
		document.querySelector("main").replaceChildren(Object.assign(document.createElement("div"), { style: "width: 400px" }));
		const element = document.querySelector("main > div"), board = new Board(element, { width: 4, height: 4 });
		board.show({ tiles: %s, side: "attacker", score: 0 }, %q, { tiles: %s });
		const frame = element.getBoundingClientRect(), sums = Array.from({ length: 4 }, () => [0, 0, 0, 0]);
		for (const tile of element.querySelectorAll(".moving-tiles .tile")) {
			const [animation] = tile.getAnimations();
			const [dx, dy] = animation.effect.getKeyframes()[1].transform.match(/-?[\d.]+/g).map(Number);
			const x = parseFloat(tile.style.left) + dx, y = parseFloat(tile.style.top) + dy;
			const cell = [...element.querySelectorAll(".cell")].find((c) => {
				const box = c.getBoundingClientRect();
				return Math.abs(box.left - frame.left - x) < 1 && Math.abs(box.top - frame.top - y) < 1;
			});
			const [, column, row] = /x(\d) y(\d)/.exec(cell.className);
			sums[row - 1][column - 1] += Number(tile.textContent);
		}
		return sums;
	})`, module("board.js"), to, move, from))
}
