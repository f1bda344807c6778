package check

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"versus2048/rules"
)

// Set holds the positions of one check of moves.
type Set struct {
	Check     string // the id of the check
	Positions []rules.Position
}

// Positions returns the positions of all checks that ask a bot for a legal move.
func Positions() []Set {
	return []Set{
		{"moves.defender", defences()},
		{"moves.attacker", attacks()},
		{"moves.merges", traps()},
		{"moves.one-slide", lasts()},
		{"moves.one-cell", singles()},
		{"moves.huge", giants()},
	}
}

const (
	perRole = 100 // the least number of random positions of each role
	perKind = 20  // the number of random positions of each special kind
)

// defences returns positions for the defender under all rules, on boards of all sizes. In each of them at least two
// slides are legal, and no wrong model of merging takes an illegal slide for a legal one.
var defences = sync.OnceValue(func() []rules.Position {
	return drawn(rules.Defender, rules.Rulesets(), func(p rules.Position) bool {
		return len(p.AppendMoves(nil)) > 1 && !misled(p)
	})
})

// attacks returns positions for the attacker under all rules that have one. At least two cells are empty.
var attacks = sync.OnceValue(func() []rules.Position {
	return drawn(rules.Attacker, []rules.Ruleset{rules.GPCC2015, rules.GPCC2016}, func(p rules.Position) bool {
		return p.Board().EmptyCells(p.Size()) > 1
	})
})

// drawn returns positions of random games, equally many for each rule set and size.
func drawn(side rules.Side, rulesets []rules.Ruleset, fits func(rules.Position) bool) (list []rules.Position) {
	r := rand.New(rand.NewPCG(2048, uint64(side)))
	each := perRole/(len(rulesets)*len(rules.Sizes())) + 1
	for _, ruleset := range rulesets {
		for _, size := range rules.Sizes() {
			for n := 0; n < each; {
				if p := wander(r, rules.NewPosition(ruleset, size), r.IntN(12*size.Cells())); p.SideToMove() == side && !p.Over() && fits(p) {
					list = append(list, p)
					n++
				}
			}
		}
	}
	return list
}

// wander plays the given number of random plies, or fewer if the game ends.
func wander(r *rand.Rand, p rules.Position, plies int) rules.Position {
	for range plies {
		if p.Over() {
			break
		}
		p = p.Next(anyMove(r, p))
	}
	return p
}

// anyMove returns a legal move.
func anyMove(r *rand.Rand, p rules.Position) rules.Move {
	moves := p.AppendMoves(nil)
	return moves[r.IntN(len(moves))]
}

// model is a wrong rule of merging. It reports whether the tiles at places i < j of a line merge.
type model func(line []int, i, j int) bool

// models are the wrong rules that make a bot play an illegal slide.
var models = map[string]model{
	// Equal tiles merge although another tile is between them.
	"across": func(line []int, i, j int) bool { return line[i] == line[j] && j > i+1 },
	// A 2 and a 4 side by side merge, as a 1 and a 2 do in other games.
	"unequal": func(line []int, i, j int) bool { return j == i+1 && line[i] != line[j] && line[i]+line[j] == 6 },
}

// misled reports whether a bot with one of the wrong models takes an illegal slide for a legal one.
func misled(p rules.Position) bool {
	for _, m := range models {
		if len(m.illegal(p)) > 0 {
			return true
		}
	}
	return false
}

// illegal returns the illegal slides that the model takes for legal ones.
func (m model) illegal(p rules.Position) (moves []rules.Move) {
	legal := p.AppendMoves(nil)
	for _, slide := range []rules.Move{rules.North, rules.South, rules.West, rules.East} {
		if !slices.Contains(legal, slide) && m.merges(p, slide == rules.North || slide == rules.South) {
			moves = append(moves, slide)
		}
	}
	return moves
}

// merges reports whether the model merges any tiles of a row or, if columns is set, of a column.
func (m model) merges(p rules.Position, columns bool) bool {
	for _, line := range linesOf(p, columns) {
		for i := range line {
			for j := i + 1; j < len(line); j++ {
				if line[i] != 0 && line[j] != 0 && m(line, i, j) {
					return true
				}
			}
		}
	}
	return false
}

// linesOf returns the rows or the columns of a board.
func linesOf(p rules.Position, columns bool) [][]int {
	rows := p.Tiles()
	if !columns {
		return rows
	}
	lines := make([][]int, len(rows[0]))
	for _, row := range rows {
		for x, tile := range row {
			lines[x] = append(lines[x], tile)
		}
	}
	return lines
}

// traps returns positions for the defender where a wrong model takes illegal slides for legal ones.
var traps = sync.OnceValue(func() (list []rules.Position) {
	for _, name := range []string{"across", "unequal"} {
		list = append(list, filled(func(p rules.Position) bool {
			return len(p.AppendMoves(nil)) == 2 && len(models[name].illegal(p)) == 2
		})...)
	}
	return list
})

// lasts returns positions with exactly one legal slide.
var lasts = sync.OnceValue(func() []rules.Position {
	return filled(func(p rules.Position) bool { return len(p.AppendMoves(nil)) == 1 && !misled(p) })
})

// filled returns positions for the defender on boards with few empty cells and without tiles above 64.
func filled(fits func(rules.Position) bool) (list []rules.Position) {
	r := rand.New(rand.NewPCG(2048, 2))
	for len(list) < perKind {
		size := rules.Sizes()[r.IntN(len(rules.Sizes()))]
		tiles := make([][]int, size.Height)
		for y := range tiles {
			for range size.Width {
				tiles[y] = append(tiles[y], tileOf(r))
			}
		}
		if p, ok := defenceOf(tiles); ok && !p.Over() && fits(p) {
			list = append(list, p)
		}
	}
	return list
}

// tileOf returns a tile for a board that is nearly full.
func tileOf(r *rand.Rand) int {
	if r.IntN(12) == 0 {
		return 0
	}
	return 2 << r.IntN(6)
}

// defenceOf returns the position for the defender with the score that these tiles have if only 2s were placed. ok is
// false if there is no such position.
func defenceOf(tiles [][]int) (p rules.Position, ok bool) {
	rows := make([]string, len(tiles))
	for y, row := range tiles {
		words := make([]string, len(row))
		for x, tile := range row {
			words[x] = strconv.Itoa(tile)
		}
		rows[y] = strings.Join(words, ",")
	}
	p, err := rules.ParsePosition(rules.GPCC2015, strings.Join(rows, "/")+" D")
	if err != nil {
		return p, false
	}
	return usual(p), true
}

// usual returns the position with a usual ply, as in games without an opening: 40 if the attacker is to move, 41 if the
// defender is.
func usual(p rules.Position) rules.Position { return atPly(p, 40+int(p.SideToMove())) }

// atPly returns the position with another ply.
func atPly(p rules.Position, ply int) rules.Position {
	p, err := rules.PositionFrom(p.Rules(), p.Tiles(), p.SideToMove(), p.Score(), ply)
	if err != nil {
		panic(err) // only the ply differs
	}
	return p
}

// singles returns positions with one empty cell, the attacker to move.
var singles = sync.OnceValue(func() (list []rules.Position) {
	r := rand.New(rand.NewPCG(2048, 3))
	for len(list) < perKind {
		size := rules.Sizes()[len(list)%len(rules.Sizes())]
		p := rules.NewPosition([]rules.Ruleset{rules.GPCC2015, rules.GPCC2016}[len(list)%2], size)
		for !p.Over() && (p.SideToMove() == rules.Defender || p.Board().EmptyCells(size) > 1) {
			p = p.Next(anyMove(r, p))
		}
		if !p.Over() {
			list = append(list, p)
		}
	}
	return list
})

// giants returns positions with two 65536s side by side. They do not merge: a slide that could only merge them is
// illegal.
var giants = sync.OnceValue(func() []rules.Position {
	return parsed(
		"65536,65536/0,0 D", "0,0/65536,65536 D", "65536,0/65536,0 D", "0,65536/0,65536 D",
		"65536,65536,8/2,4,2/0,0,0 D", "65536,8,2/65536,4,8/32,2,4/0,0,0 D", "65536,65536,4,2/2,4,2,4/4,2,4,2/0,0,0,0 D",
		"2,4,65536,65536/4,2,4,2/0,0,0,0/0,0,0,0 D", "32768,32768/65536,65536 D",
	)
})

// easy returns positions of both sides where hardly any move is illegal: a bot that errs there has not
// understood the question.
var easy = sync.OnceValue(func() []rules.Position {
	return parsed(
		"0,0,0,0/0,2,0,0/0,0,4,0/0,0,0,0 D", "0,0,0,0/0,2,0,0/0,0,4,0/0,0,0,0 A", "0,0,0/0,2,0/0,0,0 D", "0,0,0/0,8,0/0,0,0 A",
	)
})

// parsed returns positions of the usual rules.
func parsed(texts ...string) (list []rules.Position) {
	for _, text := range texts {
		p, err := rules.ParsePosition(rules.GPCC2015, text)
		if err != nil {
			panic(err) // the checker's own text
		}
		list = append(list, usual(p))
	}
	return list
}
