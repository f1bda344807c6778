package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"versus2048/internal/text/plain"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Kind is a reason to look at a ply.
type Kind string

// The kinds of marks.
const (
	Fault   Kind = "fault"   // a fault or a resignation ended the game here
	Tile    Kind = "tile"    // a tile larger than all before
	Mistake Kind = "mistake" // one of the worst moves of a side
)

// Mark is a ply worth looking at.
type Mark struct {
	Ply int `json:"ply"`
	// Kind is "fault" (also for a resignation), "tile" (a new largest tile, from 64 on) or "mistake" (one of a side's
	// three worst moves).
	Kind Kind   `json:"kind"`
	Why  string `json:"why"` // why the ply is marked, and for a mistake by which judge, such as "bad move of bob: S, 14 worse than N under perfect play"
}

// Marks are the marks of a game.
type Marks struct {
	List   []Mark // by ply
	Judged int    // the number of judged plies, from the first on: all plies unless pause was nil or ended the judging
}

// worstMoves is the largest number of marked moves of each side.
const worstMoves = 3

// Of returns the plies of a game that are worth looking at: the last one if a fault or a resignation ended the game
// there, each new largest tile, and, if pause is not nil, the worst moves of each side. All moves must be legal.
//
// A bad move leads to a worse result than the best move in the same position. If one of the tables has the position,
// the results are known from perfect play. Otherwise they come from a search, which looks three slides ahead for all
// moves, and further for the worst ones. The mark names this judge, and the difference in points if a table knows it: an
// evaluation is not in points. The worst moves of a side are the three with the largest difference; every difference by a
// table counts before every difference by a search. Chance makes no bad moves.
//
// While it judges, Of calls pause every thousand positions or so. pause may let others work meanwhile. Once pause
// returns an error, as ctx.Err does, Of returns early, with the marks found so far.
func Of(r *record.Record, pause func() error, tables ...*exact.Table) Marks {
	marks := Marks{List: tiles(r)}
	if r.Ending.Fault() || r.Ending == record.Resigned {
		marks.List = append(marks.List, Mark{len(r.Moves), Fault, plain.Line(faultText(r))})
	}
	if pause != nil {
		drops, judged := findDrops(r, tables, pause)
		marks.List, marks.Judged = append(marks.List, worst(r, drops)...), judged
	}
	slices.SortStableFunc(marks.List, func(a, b Mark) int { return cmp.Compare(a.Ply, b.Ply) })
	return marks
}

// smallestMarked is the smallest tile that is marked when it first appears.
const smallestMarked = 64

// tiles marks the plies with a new largest tile.
func tiles(r *record.Record) (marks []Mark) {
	p := r.Start
	largest := max(p.LargestTile(), smallestMarked/2)
	for i, m := range r.Moves {
		p = p.Next(m)
		if tile := p.LargestTile(); tile > largest {
			largest = tile
			marks = append(marks, Mark{i + 1, Tile, fmt.Sprintf("the first %d", tile)})
		}
	}
	return marks
}

// faultText says which side ended the game and how.
func faultText(r *record.Record) string {
	winner, _ := r.Winner()
	name, as := player(r, winner.Other())
	if r.Ending == record.Resigned {
		return fmt.Sprintf("%s resigned%s", name, as)
	}
	return fmt.Sprintf("fault of %s%s: %s", name, as, r.Ending)
}

// player returns the name of a side's player, and the words for its role. Records that somebody typed may have
// no names.
func player(r *record.Record, side rules.Side) (name, as string) {
	name = r.Defender
	if side == rules.Attacker {
		name = r.Attacker
	}
	if name == "" {
		return "the " + side.String(), ""
	}
	return name, " as " + side.String()
}

// worst marks the worst moves of each side. The drops, one for each bad move, must be in the order of findDrops.
func worst(r *record.Record, drops []drop) (marks []Mark) {
	for _, d := range largest(drops, worstMoves) {
		marks = append(marks, d.mark(r))
	}
	return marks
}

// mark returns the mark of a bad move in a game.
func (d drop) mark(r *record.Record) Mark {
	name, _ := player(r, d.before.SideToMove())
	size := ""
	if d.exact {
		size = strconv.FormatFloat(max(0.01, math.Round(100*d.size)/100), 'f', -1, 64) + " " // with at most two decimals
	}
	played, best := inWords(d.before, r.Moves[d.ply-1]), inWords(d.before, d.best)
	return Mark{d.ply, Mistake, fmt.Sprintf("bad move of %s: %s, %sworse than %s %s", plain.Line(name), played, size, best, d.by)}
}

// inWords names a move. Where the attacker chooses between tiles it names the tile, too, such as "a 2 at (1,1)".
func inWords(before rules.Position, m rules.Move) string {
	if m.IsSlide() || !before.Rules().Fours() {
		return m.String()
	}
	if m.IsFour() {
		return "a 4 at " + strings.Replace(m.String(), ",4)", ")", 1)
	}
	return "a 2 at " + m.String()
}

// Costliest returns the worst moves of a game, the worst first: at most three, of both sides together. It judges and
// orders them as [Of] does; pause must not be nil.
func Costliest(r *record.Record, pause func() error, tables ...*exact.Table) (marks []Mark) {
	drops, _ := findDrops(r, tables, pause)
	for _, d := range drops[:min(worstMoves, len(drops))] {
		marks = append(marks, d.mark(r))
	}
	return marks
}
