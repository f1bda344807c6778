package study

import (
	"cmp"
	"fmt"
	"slices"

	"versus2048/players/alphabeta"
	"versus2048/players/evaluation"
	"versus2048/players/exact"
	"versus2048/players/expectimax"
	"versus2048/players/searching"
	"versus2048/rules"
	"versus2048/rules/record"
)

const (
	firstDepth = 3              // the depth in slides of the search that judges all moves: the default of evminimax
	mostDepth  = 12             // the depth of the last search, which judges the worst moves
	candidates = 2 * worstMoves // moves of each side that are judged again, at most
	mostNodes  = 5_000_000      // a deeper search begins only if it is likely to see at most this many positions
	growth     = 8              // one more slide multiplies the positions of a search by about this factor
)

// drop is the difference of a move from the best one.
type drop struct {
	ply    int            // the number of plies played, this move included
	before rules.Position // the position before the move
	best   rules.Move
	// size is in points of the final score if a table judges. Otherwise it is in the units of a search's evaluation,
	// which are no points. A bad move has a size above 0.
	size  float64
	by    string // the judge, such as "under perfect play"
	exact bool   // whether a table judged
}

// findDrops returns the bad moves of a game, the largest drop first, and the number of plies that were judged before
// pause returned an error. A table judges the positions that it has, a search the others. Deeper searches then judge
// the worst moves again: a move is not bad if one of them finds no better move.
func findDrops(r *record.Record, tables []*exact.Table, pause func() error) (all []drop, judged int) {
	ended := false
	stop := func() bool {
		ended = ended || pause() != nil
		return ended
	}
	all, judged = judgeAll(r, tables, stop)
	sortDrops(all)
	all = largest(all, candidates)
	for depth, nodes := firstDepth+1, int64(1); depth <= mostDepth && nodes > 0 && growth*nodes <= mostNodes; depth++ {
		var deeper []drop
		if deeper, nodes = judgeAgain(r, all, depth, stop); ended {
			break
		}
		all = deeper
	}
	sortDrops(all)
	return all, judged
}

// largest returns the first drops of each side in a sorted list. most limits the drops of each side.
func largest(all []drop, most int) (some []drop) {
	count := map[rules.Side]int{}
	for _, d := range all {
		side := d.before.SideToMove()
		if count[side]++; count[side] <= most {
			some = append(some, d)
		}
	}
	return some
}

// sortDrops puts the largest drops first, and drops by a table before drops by a search.
func sortDrops(all []drop) {
	slices.SortStableFunc(all, func(a, b drop) int {
		switch {
		case a.exact == b.exact:
			return cmp.Compare(b.size, a.size)
		case a.exact:
			return -1
		}
		return 1
	})
}

// judgeAll judges the moves of a game until stop reports true. It returns the bad moves, and the number of plies that
// it has judged.
func judgeAll(r *record.Record, tables []*exact.Table, stop func() bool) (all []drop, judged int) {
	search, p := newJudge(r, firstDepth), r.Start
	for i, played := range r.Moves {
		if !p.Rules().Chance() || p.SideToMove() == rules.Defender {
			d, known := look(tables, p, played)
			if !known {
				d, _ = search.compare(p, played, stop)
			}
			if stop() {
				return all, i
			}
			if d.ply, d.before = i+1, p; d.size > 0 {
				all = append(all, d)
			}
		}
		p = p.Next(played)
	}
	return all, len(r.Moves)
}

// judgeAgain judges by a deeper search all bad moves that no table has judged. It returns the moves that are still
// bad, and the number of positions that the search saw.
func judgeAgain(r *record.Record, all []drop, depth int, stop func() bool) (bad []drop, nodes int64) {
	search := newJudge(r, depth)
	for _, d := range all {
		if !d.exact {
			again, n := search.compare(d.before, r.Moves[d.ply-1], stop)
			again.ply, again.before = d.ply, d.before
			d, nodes = again, nodes+n
		}
		if d.size > 0 {
			bad = append(bad, d)
		}
	}
	return bad, nodes
}

// look judges a move by a table, if one has the position. A move that leads to the same final score as the best move
// is not bad.
func look(tables []*exact.Table, p rules.Position, played rules.Move) (d drop, known bool) {
	table := Values(tables).Table(p)
	if table == nil {
		return d, false
	}
	moves, err := table.Moves(p)
	if err != nil {
		return d, false // no game from the empty board comes here
	}
	d.by, d.exact = "under perfect play", true
	var best, own float64
	for n, m := range moves {
		gain := m.Value.Gain
		if p.SideToMove() == rules.Attacker {
			gain = -gain
		}
		if n == 0 || gain > best {
			d.best, best = m.Move, gain
		}
		if m.Move == played {
			own = gain
		}
	}
	d.size = best - own
	return d, true
}

// judge judges moves by a search.
type judge struct {
	search interface {
		Choose(p rules.Position, moves []rules.Move, b searching.Budget) rules.Move
		Result() searching.Result
	}
	depth int
}

// newJudge returns the judge of a game that looks depth slides ahead: alphabeta with the evaluation of evminimax, or
// expectimax if chance attacks.
func newJudge(r *record.Record, depth int) *judge {
	if !r.Start.Rules().Chance() {
		return &judge{alphabeta.New(alphabeta.Config{}), depth}
	}
	return &judge{expectimax.New(expectimax.Config{
		Mated:      evaluation.SlopeMated,
		Evaluation: func(size rules.Size) searching.Evaluation { return evaluation.Slope().On(size) },
	}), depth}
}

// find returns the best of some moves, its value, and the number of positions that the search saw.
func (j *judge) find(p rules.Position, moves []rules.Move, stop func() bool) (best rules.Move, value float64, nodes int64) {
	best = j.search.Choose(p, moves, searching.Budget{Depth: j.depth, Stop: stop})
	found := j.search.Result()
	return best, found.Moves[0].Value, found.Nodes
}

// compare returns the drop of a move from the best one, and the number of positions that the searches saw.
func (j *judge) compare(p rules.Position, played rules.Move, stop func() bool) (d drop, nodes int64) {
	best, value, nodes := j.find(p, p.AppendMoves(nil), stop)
	if best == played {
		return drop{}, nodes
	}
	_, own, more := j.find(p, []rules.Move{played}, stop)
	d = drop{best: best, size: value - own, by: fmt.Sprintf("by a search %d slides deep", j.depth)}
	if p.SideToMove() == rules.Attacker {
		d.size = -d.size // the attacker wants low values
	}
	return d, nodes + more
}
