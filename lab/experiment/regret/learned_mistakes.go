package regret

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"versus2048/lab/experiment"
	"versus2048/players/exact"
	"versus2048/rules"
)

// LearnedMistake is a move that a bot made in a position of its own games, and that perfect play does not make.
type LearnedMistake struct {
	Position string     `json:"position"` // the canonical position where it was first made, as rules.ParsePosition reads it
	Move     rules.Move `json:"move"`
	Better   rules.Move `json:"better"` // one of the best moves
	Loss     float64    `json:"loss"`   // in points, under perfect play from then on
	Times    int        `json:"times"`  // number of times that the bot made it, in all of its games
	Cost     float64    `json:"cost"`   // Loss * Times / games, in points

	position rules.Position
}

// mostMistakes is the largest number of mistakes that are reported of a bot in a role.
const mostMistakes = 3

// blunder is one move of a bot that lost points, in the canonical image of its position.
type blunder struct {
	position     rules.Position
	move, better rules.Move
	loss         float64
}

// judge describes a move as a blunder. loses reports whether the move loses points.
func judge(t *exact.Table, p rules.Position, m rules.Move) (b blunder, loses bool, err error) {
	values, err := t.Moves(p)
	if err != nil {
		return blunder{}, false, err
	}
	y := p.CanonicalBy()
	b = blunder{position: y.Position(p), move: y.Move(m, p.Size()), loss: Loss(p.SideToMove(), values, m)}
	for _, v := range values {
		if Loss(p.SideToMove(), values, v.Move) == 0 {
			b.better = y.Move(v.Move, p.Size())
			break
		}
	}
	return b, b.loss > 0, nil
}

// costliest returns the mistakes that cost a bot most in all of its games, the costliest first. Moves on boards
// that are equal up to symmetry are the same mistake.
func costliest(games []game) []LearnedMistake {
	type boardAndMove struct {
		board rules.Board
		move  rules.Move
	}
	index, all := map[boardAndMove]int{}, []LearnedMistake{}
	for _, g := range games {
		for _, b := range g.blunders {
			key := boardAndMove{b.position.Board(), b.move}
			i, known := index[key]
			if !known {
				i = len(all)
				index[key] = i
				all = append(all, LearnedMistake{Position: b.position.String(), Move: b.move, Better: b.better, Loss: b.loss, position: b.position})
			}
			all[i].Times++
			all[i].Cost += b.loss / float64(len(games))
		}
	}
	slices.SortStableFunc(all, func(a, b LearnedMistake) int { return cmp.Compare(b.Cost, a.Cost) })
	return all[:min(len(all), mostMistakes)]
}

// lostByQuarter returns the points that a bot's moves lost in each quarter of its games' plies, as means over the
// games.
func lostByQuarter(games []game) []float64 {
	quarters := make([]float64, stages)
	for _, g := range games {
		for _, b := range g.blunders {
			quarters[stages*(b.position.Ply()-g.from)/g.plies] += b.loss / float64(len(games))
		}
	}
	return quarters
}

// writeMistakes writes the costliest mistakes of the bots in a role. It leaves out snapshots of runs.
func (b LearnedBoard) writeMistakes(text *strings.Builder, role rules.Side) {
	bots := slices.DeleteFunc(slices.Clone(b.Bots), func(r LearnedRow) bool { return !r.unlearned() || len(r.in(role).Mistakes) == 0 })
	if len(bots) == 0 {
		return
	}
	fmt.Fprintf(text, "The costliest mistakes in these games, as %v:\n\n", role)
	table := experiment.NewTable([]string{"bot", "position"}, "played", "better", "loses", "times", "points a game")
	for _, r := range bots {
		name := code(r.Name)
		for _, m := range r.in(role).Mistakes {
			table.Add(name, code(boardText(m.position)), m.Move, m.Better, fmt.Sprintf("%.2f", m.Loss), m.Times, fmt.Sprintf("%.2f", m.Cost))
			name = nil
		}
	}
	text.WriteString(table.Markdown() + "\n")
}

// boardText returns the tiles of a position by rows, such as "4 . 2 / 8 2 .".
func boardText(p rules.Position) string {
	var rows []string
	for _, tiles := range p.Tiles() {
		row := strings.ReplaceAll(fmt.Sprint(tiles), " 0", " .")
		row = strings.Replace(row, "[0", "[.", 1)
		rows = append(rows, strings.Trim(row, "[]"))
	}
	return strings.Join(rows, " / ")
}

// lossesText returns numbers with two decimals each, or without decimals if one of them rounds to 100 or more.
func lossesText(numbers []float64) string {
	decimals := 2
	if slices.ContainsFunc(numbers, func(n float64) bool { return n >= 99.5 }) {
		decimals = 0
	}
	var texts []string
	for _, n := range numbers {
		texts = append(texts, strconv.FormatFloat(n, 'f', decimals, 64))
	}
	return strings.Join(texts, ", ")
}
