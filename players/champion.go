package players

import (
	"context"

	"versus2048/players/champion"
	"versus2048/players/expectimax"
	"versus2048/players/ntuple"
	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

// championKind returns the strongest bot: see package champion.
func championKind() Kind {
	return entry[alphaBetaOptions]{
		name:    "champion",
		summary: "the strongest bot: alphabeta with the settings that were measured to be best in each role, and expectimax against chance",
		options: func(o *alphaBetaOptions) []setting {
			return []setting{
				number(&o.budget.milliseconds, alphaBetaTime("100")),
				alphaBetaThreads(&o.search.Threads),
				seedOption(&o.seed),
			}
		},
		need:   alphaBetaOptions.championNeed,
		player: alphaBetaOptions.championPlayer,
	}.kind()
}

// championTable returns the logarithm of the size of the champion's table. The table is large if the time is long
// enough to fill it: see docs/performance.md.
func (o alphaBetaOptions) championTable() int {
	if o.budget.milliseconds > 0 && o.budget.milliseconds < 5 {
		return 16
	}
	return 18
}

// championNeed returns the need of the search. It includes the largest network, although all games of a process share
// their networks.
func (o alphaBetaOptions) championNeed() Need {
	o.search.Table = o.championTable()
	n := o.need()
	n.Memory += ntuple.OwnBytes(rules.GPCC2016) + expectimax.TableBytes
	return n
}

func (o alphaBetaOptions) championPlayer(g Game) Player {
	if champion.HasNetwork(g.Rules, g.Size) {
		ntuple.Own(g.Rules) // unpacks the network before the first move
	}
	return &bot{seed: g.Seed, ownSeed: o.seed, chooser: o.championChooser(g, true)}
}

// championChooser returns the champion's chooser. With keep, the search keeps its tables from move to move.
func (o alphaBetaOptions) championChooser(g Game, keep bool) *championChooser {
	search := champion.New(champion.Config{Table: o.championTable(), Threads: o.search.Threads, Keep: keep, Network: ntuple.Own})
	pace := o.budget.pace(g)
	c := &championChooser{
		careful: o.budget.chooserWith(pace, deepSearch{deepener: search}),
		chance:  budget{}.chooserWith(pace, deepSearch{deepener: search}),
	}
	c.careful.patient = true
	return c
}

// championChooser paces the champion's search as alphabeta does, or against chance as expectimax does. Its two
// choosers share the search.
type championChooser struct {
	careful *pacedChooser
	chance  *pacedChooser // against chance
	last    *pacedChooser // the chooser that made the last search
}

func (s *championChooser) choose(ctx context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	s.last = s.careful
	if champion.AgainstChance(p) {
		s.last = s.chance
	}
	return s.last.choose(ctx, p, moves, g)
}

// report implements reporter.
func (s *championChooser) report() *record.SearchReport { return s.last.report() }
