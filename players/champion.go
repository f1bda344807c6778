package players

import (
	"context"
	_ "embed" // of the network
	"sync"

	"versus2048/players/alphabeta"
	"versus2048/players/evaluation"
	"versus2048/players/ntuple"
	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

// championKind returns the strongest bot: alphabeta with the settings that won the matches of
// docs/adr/0020-alphabeta.md, which differ by role.
func championKind() Kind {
	return entry[alphaBetaOptions]{
		name:    "champion",
		summary: "the strongest bot: alphabeta with the settings that were measured to be best in each role",
		options: func(o *alphaBetaOptions) []setting {
			return []setting{
				number(&o.milliseconds, alphaBetaTime("100")),
				alphaBetaThreads(&o.search.Threads),
				seedOption(&o.seed),
			}
		},
		need:   alphaBetaOptions.championNeed,
		player: alphaBetaOptions.championPlayer,
	}.kind()
}

// champion returns the options with the settings of the champion. Its table is large where the time is
// long enough to fill it: see docs/performance.md.
func (o alphaBetaOptions) champion() alphaBetaOptions {
	o.ties = tiesDrawn
	o.search = alphabeta.Config{
		Depth: alphabeta.MaxDepth, Hurry: true, Table: 18, Keep: true, Reductions: true, Threads: o.search.Threads,
	}
	if o.milliseconds > 0 && o.milliseconds < 5 {
		o.search.Table = 16
	}
	return o
}

// championNeed returns what the search and the network need, which is in memory once.
func (o alphaBetaOptions) championNeed() Need {
	n := o.champion().need()
	n.Memory += attackBytes
	return n
}

func (o alphaBetaOptions) championPlayer(g Game) Player {
	o = o.champion()
	pace := o.pace(g)
	return &bot{seed: g.Seed, ownSeed: o.seed, chooser: &byRole{
		usual:  o.searching(pace, func(s rules.Size) alphabeta.Evaluation { return evaluation.Reserve().On(s) }),
		attack: o.searching(pace, func(rules.Size) alphabeta.Evaluation { return attackNetwork() }),
	}}
}

// byRole is a chooser that attacks with an evaluation of its own where there is one.
type byRole struct {
	usual, attack *paced
	last          *paced // the one that made the last search
}

func (s *byRole) choose(ctx context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	s.last = s.of(p)
	return s.last.choose(ctx, p, moves, g)
}

// of returns the chooser for a position. The network knows one game.
func (s *byRole) of(p rules.Position) *paced {
	if p.SideToMove() == rules.Attacker && p.Rules() == rules.GPCC2015 && p.Size() == rules.Full {
		return s.attack
	}
	return s.usual
}

// report implements reporter.
func (s *byRole) report() *record.SearchReport { return s.last.report() }

// attackNetwork returns the network that the champion attacks with: it values a board by the points that
// the defender will still score on 4x4 under gpcc2015. docs/adr/0020-alphabeta.md says how it was learned.
var attackNetwork = sync.OnceValue(func() *ntuple.Network {
	n, err := ntuple.Read(attackFile)
	if err != nil {
		panic("the champion's network: " + err.Error()) // TestAttackNetwork reads it
	}
	return n
})

//go:embed attack.ntuple
var attackFile []byte

// attackBytes is the memory that the network takes.
const attackBytes = 10 << 20
