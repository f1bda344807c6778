package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"versus2048/analysis/exact"
	"versus2048/players/alphabeta"
	"versus2048/players/evaluation"
	"versus2048/players/expectimax"
	"versus2048/rules"
	"versus2048/rules/record"
)

const (
	firstDepth = 3              // slides that the search looks ahead which judges all moves: as many as evminimax does by default
	mostDepth  = 12             // that of the last one, which judges the worst moves
	candidates = 2 * worstMoves // how many moves of each side are judged again
	mostNodes  = 5_000_000      // no deeper search begins that is likely to see more positions
	growth     = 8              // how many times as many a search one slide deeper sees, about
)

// drop is how much a move is worse than the best one.
type drop struct {
	ply  int
	best rules.Move
	// size is above 0: points of the final score if a table judges, and otherwise of a search's evaluation.
	size  float64
	judge string // in words
	exact bool
}

// findDrops returns the bad moves of a game, and the number of plies that were judged before ctx ended. A table
// judges in the positions that it has, elsewhere a search. Deeper searches then judge the worst moves again: one that
// is as good as any other by the deepest of them is not bad.
func findDrops(ctx context.Context, r *record.Record, tables []*exact.Table) (all []drop, judged int) {
	found, judged := judgeAll(ctx, r, tables)
	sortDrops(found)
	count := map[bool]int{}
	for _, d := range found {
		slide := r.Moves[d.ply-1].IsSlide()
		if count[slide]++; count[slide] <= candidates {
			all = append(all, d)
		}
	}
	nodes := int64(1)
	for depth := firstDepth + 1; depth <= mostDepth && growth*nodes <= mostNodes; depth++ {
		var deeper []drop
		if deeper, nodes = judgeAgain(ctx, r, all, depth); ctx.Err() != nil {
			break
		}
		all = deeper
	}
	sortDrops(all)
	return all, judged
}

// sortDrops puts the largest first, and what a table knows before what a search believes.
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

// judgeAll judges the moves of a game until ctx ends.
func judgeAll(ctx context.Context, r *record.Record, tables []*exact.Table) (all []drop, judged int) {
	search, p := newJudge(r, firstDepth), r.Start
	for i, played := range r.Moves {
		if !p.Rules().Chance() || p.SideToMove() == rules.Defender {
			d, known := look(tables, p, played)
			if !known {
				d, _ = search.compare(ctx, p, played)
			}
			if ctx.Err() != nil {
				return all, i
			}
			if d.ply = i + 1; d.size > 0 {
				all = append(all, d)
			}
		}
		p = p.Next(played)
	}
	return all, len(r.Moves)
}

// judgeAgain judges bad moves by a deeper search, but those that a table has judged. It returns those that are bad by it,
// and how many positions it saw.
func judgeAgain(ctx context.Context, r *record.Record, all []drop, depth int) (bad []drop, nodes int64) {
	search, p, at := newJudge(r, depth), r.Start, map[int]rules.Position{}
	for i, m := range r.Moves {
		at[i+1], p = p, p.Next(m)
	}
	for _, d := range all {
		if !d.exact {
			ply, n := d.ply, int64(0)
			d, n = search.compare(ctx, at[ply], r.Moves[ply-1])
			d.ply = ply
			nodes += n
		}
		if d.size > 0 {
			bad = append(bad, d)
		}
	}
	return bad, nodes
}

// look judges a move by a table, if one has the position. Of moves with the same final score none is bad.
func look(tables []*exact.Table, p rules.Position, played rules.Move) (d drop, known bool) {
	i := slices.IndexFunc(tables, func(t *exact.Table) bool { return t.Rules() == p.Rules() && t.Size() == p.Size() })
	if i < 0 {
		return d, false
	}
	moves, err := tables[i].Moves(p)
	if err != nil {
		return d, false // no game from the empty board comes here
	}
	d.judge, d.exact = "under perfect play", true
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
	search func(p rules.Position, moves []rules.Move, stop func() bool) (best rules.Move, value float64, nodes int64)
	name   string
}

// newJudge returns the judge of a game that looks some slides ahead: alphabeta with the evaluation of evminimax, and
// expectimax where chance attacks.
func newJudge(r *record.Record, depth int) *judge {
	j := &judge{name: fmt.Sprintf("by a search %d slides deep", depth)}
	if !r.Start.Rules().Chance() {
		s := alphabeta.New(alphabeta.Config{Depth: depth})
		j.search = func(p rules.Position, moves []rules.Move, stop func() bool) (rules.Move, float64, int64) {
			best := s.Choose(p, moves, stop)
			return best, float64(s.Stats().Moves[0].Value), s.Stats().Nodes
		}
		return j
	}
	s := expectimax.New(expectimax.Config{
		Depth: depth, Mated: -30_000, // as the bot expectimax
		Evaluation: func(size rules.Size) expectimax.Evaluation { return evaluation.Slope().On(size) },
	})
	j.search = func(p rules.Position, moves []rules.Move, stop func() bool) (rules.Move, float64, int64) {
		best := s.Choose(p, moves, stop)
		return best, s.Stats().Moves[0].Value, s.Stats().Nodes
	}
	return j
}

// compare returns by how much a move is worse than the best one, and how many positions that took.
func (j *judge) compare(ctx context.Context, p rules.Position, played rules.Move) (d drop, nodes int64) {
	ended := func() bool { return ctx.Err() != nil }
	best, value, nodes := j.search(p, p.AppendMoves(nil), ended)
	if best == played {
		return drop{}, nodes
	}
	_, own, more := j.search(p, []rules.Move{played}, ended)
	d = drop{best: best, size: value - own, judge: j.name}
	if p.SideToMove() == rules.Attacker {
		d.size = -d.size // the attacker wants low values
	}
	return d, nodes + more
}
