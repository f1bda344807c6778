package viewer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"versus2048/plain"
	"versus2048/players/alphabeta"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Mark is a ply worth looking at.
type Mark struct {
	Ply int
	Why string // such as "worst move of bob: S, 14 below N"
}

// judgeDepth is how many slides the search that judges moves looks ahead: as many as the bot evminimax
// does by default.
const judgeDepth = 3

// worstMoves is how many moves of each side are marked at most.
const worstMoves = 3

// Marks returns the plies of a game that are worth looking at, in their order: the last one if a fault or
// a resignation ended the game there, and the worst moves of each side. A bad move is one that the search
// of evminimax, three slides deep, values less than the best move in the same position, and the worst are
// the three with the largest difference. Chance makes no bad moves. Marks returns early, with the marks
// found so far, when ctx ends.
func (g *Game) Marks(ctx context.Context) []Mark {
	var marks []Mark
	if r := g.Record; r.Ending.Fault() || r.Ending == record.Resigned {
		marks = append(marks, Mark{g.Last(), plain.Line(g.faultText())})
	}
	drops := g.drops(ctx)
	slices.SortStableFunc(drops, func(a, b drop) int { return cmp.Compare(b.size, a.size) })
	marked := map[bool]int{}
	for _, d := range drops {
		slide := g.Record.Moves[d.ply-1].IsSlide()
		if marked[slide]++; marked[slide] <= worstMoves {
			marks = append(marks, Mark{d.ply, fmt.Sprintf("bad move of %s: %v, %d worse than %v", plain.Line(g.Mover(d.ply)), g.Record.Moves[d.ply-1], d.size, d.best)})
		}
	}
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.Ply, b.Ply) })
	return marks
}

// faultText says which side ended the game and how.
func (g *Game) faultText() string {
	side, name := g.Positions[g.Last()].SideToMove(), g.Record.Defender
	if side == rules.Attacker {
		name = g.Record.Attacker
	}
	if g.Record.Ending == record.Resigned {
		return fmt.Sprintf("%s resigned as %v", name, side)
	}
	return fmt.Sprintf("fault of %s as %v: %s", name, side, g.Record.Ending)
}

// drop is how much a move is worse than the best one.
type drop struct {
	ply  int
	best rules.Move
	size int // points of the evaluation, above 0
}

// drops returns the bad moves of a game.
func (g *Game) drops(ctx context.Context) (all []drop) {
	judge := alphabeta.New(alphabeta.Config{Depth: judgeDepth})
	ended := func() bool { return ctx.Err() != nil }
	for i, played := range g.Record.Moves {
		before := g.Positions[i]
		if before.Rules().Chance() && before.SideToMove() == rules.Attacker {
			continue
		}
		best := judge.Choose(before, before.AppendMoves(nil), ended)
		if best == played {
			continue
		}
		value := judge.Stats().Moves[0].Value
		judge.Choose(before, []rules.Move{played}, ended)
		size := value - judge.Stats().Moves[0].Value
		if before.SideToMove() == rules.Attacker {
			size = -size // the attacker wants low values
		}
		if ended() {
			return all
		}
		if size > 0 {
			all = append(all, drop{i + 1, best, size})
		}
	}
	return all
}
