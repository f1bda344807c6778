package players

import (
	"context"

	"versus2048/players/alphabeta"
	"versus2048/players/expectimax"
	"versus2048/players/ntuple"
	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
	"versus2048/rules/record"
)

// championKind returns the strongest bot. It is alphabeta with the settings that won the matches of
// docs/adr/0020-alphabeta.md; they differ by role and by rules. Against chance it is expectimax.
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

// champion returns the options with the settings of the champion. Its table is large if the time is long enough
// to fill it: see docs/performance.md.
func (o alphaBetaOptions) champion() alphaBetaOptions {
	o.ties = tiesDrawn
	o.search = alphabeta.Config{Hurry: true, Table: 18, Keep: true, Reductions: true, Threads: o.search.Threads}
	if o.budget.milliseconds > 0 && o.budget.milliseconds < 5 {
		o.search.Table = 16
	}
	return o
}

// championNeed returns the need of the search and of a network. The process holds the network in memory once.
func (o alphaBetaOptions) championNeed() Need {
	n := o.champion().need()
	n.Memory += ntuple.OwnBytes(rules.GPCC2016) + expectimax.TableBytes
	return n
}

func (o alphaBetaOptions) championPlayer(g Game) Player {
	o = o.champion()
	if g.Size == rules.Full && !g.Rules.Chance() {
		ntuple.Own(g.Rules) // unpacks it
	}
	return &bot{seed: g.Seed, ownSeed: o.seed, chooser: o.championChooser(g)}
}

// championChooser returns a chooser with these settings and the champion's evaluations.
func (o alphaBetaOptions) championChooser(g Game) *championChooser {
	pace := o.budget.pace(g)
	with := func(h heuristic) *pacedChooser { return o.chooser(pace, (&leafEvaluation{heuristic: h}).on) }
	return &championChooser{
		usual:   with(heuristicReserve),
		cramped: with(heuristicRoom),
		attack:  o.chooser(pace, func(rules.Size) searching.Evaluation { return ntuple.Own(rules.GPCC2015) }),
		learned: o.chooser(pace, func(rules.Size) searching.Evaluation { return &network{ntuple.Own(rules.GPCC2016)} }),
		chance:  againstChance(pace),
	}
}

// rareLine is the probability below which the search against chance follows no line of play: see
// docs/experiments.md.
const rareLine = 1.0 / 1000

// againstChance returns the chooser of solo games.
func againstChance(p *pace) *pacedChooser {
	c := expectimax.Config{Rare: rareLine}
	(&leafEvaluation{heuristic: heuristicSlope}).configure(&c)
	return budget{}.chooserWith(p, deepSearch{deepener: expectimax.New(c)})
}

// championChooser selects the chooser by the rules, the size and the role: see docs/adr/0020-alphabeta.md.
type championChooser struct {
	usual   *pacedChooser
	cramped *pacedChooser // under gpcc2016 on small boards
	attack  *pacedChooser // in the game that the network v1 has learned
	learned *pacedChooser // in the game that the network v1-gpcc2016 has learned
	chance  *pacedChooser // under solo, as the defender
	last    *pacedChooser // the chooser that made the last search
}

func (s *championChooser) choose(ctx context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	s.last = s.chooserFor(p)
	return s.last.choose(ctx, p, moves, g)
}

// chooserFor returns the chooser for a position.
func (s *championChooser) chooserFor(p rules.Position) *pacedChooser {
	switch {
	case p.Rules() == rules.Solo && p.SideToMove() == rules.Defender:
		return s.chance
	case p.Rules() == rules.GPCC2016 && p.Size() == rules.Full:
		return s.learned
	case p.Rules() == rules.GPCC2016:
		return s.cramped
	case p.SideToMove() == rules.Attacker && p.Rules() == rules.GPCC2015 && p.Size() == rules.Full:
		return s.attack
	default:
		return s.usual
	}
}

// report implements reporter.
func (s *championChooser) report() *record.SearchReport { return s.last.report() }
