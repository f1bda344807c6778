package players

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"runtime"

	"versus2048/internal/disk"
	"versus2048/players/alphabeta"
	"versus2048/players/certificate"
	"versus2048/players/exact"
	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

// perfectOptions are the options of the kind perfect.
type perfectOptions struct {
	table, proof string           // the paths of the files; one of them is given
	search       alphaBetaOptions // for positions that the proof does not cover
	bot          *perfect         // nil until the table is open
	strategy     strategy         // nil until the proof is read
}

// noFile is the word for a file that is not given.
const noFile = "none"

func perfectKind() Kind {
	return entry[perfectOptions]{
		name:    "perfect",
		summary: "perfect play from a table of exact values, or one that keeps a proven claim about the score",
		options: (*perfectOptions).settings,
		open:    (*perfectOptions).open,
		plays:   perfectOptions.plays,
		need:    perfectOptions.need,
		player:  perfectOptions.player,
	}.kind()
}

func (o *perfectOptions) settings() []setting {
	none := []string{noFile}
	return []setting{
		file(&o.table, Option{Name: "table", File: true, Default: noFile, Choices: none, Meaning: "written by lab solve --table"}),
		file(&o.proof, Option{
			Name: "proof", File: true, Default: noFile, Choices: none,
			Meaning: "written by lab prove --certificate, in place of a table; the other options are for positions that the proof does not cover",
		}),
		deepeningDepth(number(&o.search.budget.depth, Option{
			Name: "depth", Default: "8", Least: 1, Most: alphabeta.MaxDepth,
			Meaning: "slides to look ahead, with the evaluations of champion",
		}), &o.search.budget.milliseconds),
		number(&o.search.budget.milliseconds, alphaBetaTime("0")),
		alphaBetaThreads(&o.search.search.Threads),
		seedOption(&o.search.seed),
	}
}

// open opens the one file that is given.
func (o *perfectOptions) open() (err error) {
	switch {
	case (o.table == noFile) == (o.proof == noFile):
		return errors.New("want one file: perfect:table=FILE or perfect:proof=FILE")
	case o.table != noFile:
		o.bot, err = openPerfect(o.table)
	default:
		o.strategy, err = openStrategy(o.proof)
	}
	return err
}

// strategy holds the moves of one side that keep a proven claim.
type strategy interface {
	Header() certificate.Header
	Move(p rules.Position) (rules.Move, bool) // the second result reports whether the proof has a move
	Bytes() uint64
}

// openStrategy reads a certificate of either kind.
func openStrategy(path string) (s strategy, err error) {
	file, _, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // it was only read
	in := bufio.NewReader(file)
	if certificate.IsCoarse(in) {
		s, err = certificate.ReadCoarseStrategy(in)
	} else {
		s, err = certificate.ReadStrategy(in)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func (o perfectOptions) plays(r rules.Ruleset, s rules.Size) error {
	switch {
	case o.bot != nil:
		return o.bot.plays(r, s)
	case o.strategy == nil:
		return errors.New("its file is not open")
	}
	if h := o.strategy.Header(); r != h.Rules || s != h.Size {
		return fmt.Errorf("its proof is of %v on %v, it cannot play %v on %v", h.Rules, h.Size, r, s)
	}
	return nil
}

// need returns the need of a table, which is small, or of a proof and the search beside it. A proof counts only once
// its file is open.
func (o perfectOptions) need() Need {
	if o.proof == noFile {
		return Need{Memory: leastMemory, Threads: 1}
	}
	n := o.search.championNeed()
	if o.strategy != nil {
		n.Memory += o.strategy.Bytes()
	}
	return n
}

func (o perfectOptions) player(g Game) Player {
	if o.strategy == nil {
		return o.bot
	}
	return &bot{seed: g.Seed, ownSeed: o.search.seed, chooser: &claimant{strategy: o.strategy, search: o.search.championChooser(g, false)}}
}

// claimant keeps the claim of a proof where the proof covers the position, and searches elsewhere.
type claimant struct {
	strategy strategy
	search   *championChooser
	proven   *record.SearchReport // the report on the last move, if the proof has that move
}

func (c *claimant) choose(ctx context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	m, ok := c.strategy.Move(p)
	if !ok {
		c.proven = nil
		return c.search.choose(ctx, p, moves, g)
	}
	c.proven = &record.SearchReport{
		Source: record.FromProof, Variation: []rules.Move{m},
		Moves: []record.RootMove{{Move: m, Value: float64(c.strategy.Header().Bound())}},
	}
	return m
}

// report implements reporter.
func (c *claimant) report() *record.SearchReport {
	if c.proven != nil {
		return c.proven
	}
	r := c.search.report()
	r.Source = record.FromSearch
	return r
}

// perfect plays from the table of a solved game. As defender it takes the highest final score and then the
// longer game, as attacker the lowest score and then the shorter game. Of equal moves it takes the first one,
// by cells with a 2 before a 4, or in the order N S W E. It keeps nothing from move to move: all games of a
// spec share it.
//
// If several moves are legal in a position that is not in the table, Choose returns an error: the position is from
// another game, or no game from the empty board reaches it.
type perfect struct{ table *exact.Table }

// openPerfect opens a table. The file is closed when no player can use it any more.
func openPerfect(path string) (*perfect, error) {
	table, err := exact.Open(path)
	if err != nil {
		return nil, err
	}
	p := &perfect{table}
	runtime.AddCleanup(p, func(t *exact.Table) { _ = t.Close() }, table) // the file was only read
	return p, nil
}

// plays returns an error unless the table is for these rules and this board size.
func (p *perfect) plays(r rules.Ruleset, s rules.Size) error {
	if r != p.table.Rules() || s != p.table.Size() {
		return fmt.Errorf("its table is of %v on %v, it cannot play %v on %v", p.table.Rules(), p.table.Size(), r, s)
	}
	return nil
}

// Choose implements Player.
func (p *perfect) Choose(_ context.Context, position rules.Position) (rules.Move, error) {
	defer runtime.KeepAlive(p) // p keeps the table open
	switch legal := position.AppendMoves(nil); len(legal) {
	case 0:
		return 0, gameOver(position)
	case 1:
		return legal[0], nil
	}
	moves, err := p.table.Moves(position)
	if err != nil {
		return 0, fmt.Errorf("perfect play: %w", err)
	}
	return preferred(moves, position.SideToMove()).Move, nil
}

// preferred returns the first of the best moves.
func preferred(moves []exact.MoveValue, side rules.Side) exact.MoveValue {
	best := moves[0]
	for _, m := range moves[1:] {
		better, worse := m.Value, best.Value
		if side == rules.Attacker {
			better, worse = worse, better
		}
		if better.Gain > worse.Gain || better.Gain == worse.Gain && better.Plies > worse.Plies {
			best = m
		}
	}
	return best
}
