package rules_test

import (
	"fmt"
	"reflect"

	"versus2048/rules"
)

// naiveGame is the game a second time, as plain as can be: tile values in a
// slice, moves in the notation, no tables. The tests hold rules against it.
type naiveGame struct {
	width, height int
	fours         bool
	tiles         [][]int
	defends       bool // the defender is to move
	score, ply    int
}

func newNaiveGame(r rules.Ruleset, s rules.Size) *naiveGame {
	g := &naiveGame{width: int(s.Width), height: int(s.Height), fours: r == rules.GPCC2016 || r == rules.Solo}
	for range g.height {
		g.tiles = append(g.tiles, make([]int, g.width))
	}
	return g
}

// legal are the legal moves: placements from left to right and from top to
// bottom, or slides.
func (g *naiveGame) legal() []string {
	var moves []string
	if g.defends {
		for _, slide := range []string{"N", "S", "W", "E"} {
			if tiles, _ := g.slid(slide); !reflect.DeepEqual(tiles, g.tiles) {
				moves = append(moves, slide)
			}
		}
		return moves
	}
	for y := range g.height {
		for x := range g.width {
			if g.tiles[y][x] != 0 {
				continue
			}
			moves = append(moves, fmt.Sprintf("(%d,%d)", x+1, y+1))
			if g.fours {
				moves = append(moves, fmt.Sprintf("(%d,%d,4)", x+1, y+1))
			}
		}
	}
	return moves
}

// play plays a legal move.
func (g *naiveGame) play(move string) {
	if g.defends {
		tiles, gain := g.slid(move)
		g.tiles = tiles
		g.score += gain
	} else {
		x, y, tile := int(move[1]-'1'), int(move[3]-'1'), 2
		if len(move) > len("(x,y)") {
			tile = 4
		}
		g.tiles[y][x] = tile
	}
	g.defends = !g.defends
	g.ply++
}

// slid are the tiles after a slide, and the sum of the merged ones.
func (g *naiveGame) slid(slide string) (tiles [][]int, gain int) {
	for range g.height {
		tiles = append(tiles, make([]int, g.width))
	}
	for _, line := range g.lines(slide) {
		var values []int
		for _, at := range line {
			if v := g.tiles[at[1]][at[0]]; v != 0 {
				values = append(values, v)
			}
		}
		values, merged := mergeNaively(values)
		for i, v := range values {
			tiles[line[i][1]][line[i][0]] = v
		}
		gain += merged
	}
	return tiles, gain
}

// lines are the cells (x, y) of each row or column, from the wall that the
// slide goes to.
func (g *naiveGame) lines(slide string) (lines [][][2]int) {
	if slide == "N" || slide == "S" {
		for x := range g.width {
			var line [][2]int
			for y := range g.height {
				line = append(line, [2]int{x, y})
			}
			lines = append(lines, line)
		}
	} else {
		for y := range g.height {
			var line [][2]int
			for x := range g.width {
				line = append(line, [2]int{x, y})
			}
			lines = append(lines, line)
		}
	}
	if slide == "S" || slide == "E" {
		for _, line := range lines {
			for i, j := 0, len(line)-1; i < j; i, j = i+1, j-1 {
				line[i], line[j] = line[j], line[i]
			}
		}
	}
	return lines
}

// mergeNaively merges equal neighbours, the first pair first, each tile once.
func mergeNaively(values []int) (out []int, gain int) {
	for i := 0; i < len(values); i++ {
		v := values[i]
		if i+1 < len(values) && values[i+1] == v && v < 65536 {
			v *= 2
			gain += v
			i++
		}
		out = append(out, v)
	}
	return out, gain
}
