package players

import (
	"context"
	"fmt"
	"runtime"

	"versus2048/analysis/exact"
	"versus2048/rules"
)

// perfectOptions are the options of the kind perfect.
type perfectOptions struct {
	path string
	bot  *perfect // once the table is open
}

func perfectKind() Kind {
	return entry[perfectOptions]{
		name:    "perfect",
		summary: "perfect play from a table of exact values, on the board and under the rules that were solved",
		options: func(o *perfectOptions) []setting {
			return []setting{file(&o.path, Option{Name: "table", File: true, Meaning: "written by arena solve --table"})}
		},
		open:   func(o *perfectOptions) (err error) { o.bot, err = openPerfect(o.path); return err },
		plays:  func(o perfectOptions, r rules.Ruleset, s rules.Size) error { return o.bot.plays(r, s) },
		player: func(o perfectOptions, _ Game) Player { return o.bot },
	}.kind()
}

// perfect plays from the table of a solved game. As defender it takes the highest final score and then
// the longer game, as attacker the lowest score and then the shorter game. Of equal moves it takes the
// first by cells, a 2 before a 4, and in the order N S W E. It keeps nothing from move to move: all
// games of a spec share it.
//
// If there is a choice between moves, the position must be in the table. Otherwise Choose returns an
// error: the position is from another game, or no game from the empty board reaches it.
type perfect struct{ table *exact.Table }

// openPerfect opens a table. It is closed when no player can use it any more.
func openPerfect(path string) (*perfect, error) {
	table, err := exact.Open(path)
	if err != nil {
		return nil, err
	}
	p := &perfect{table}
	runtime.AddCleanup(p, func(t *exact.Table) { _ = t.Close() }, table) // it was only read
	return p, nil
}

// plays returns an error unless the table is for these rules and this size.
func (p *perfect) plays(r rules.Ruleset, s rules.Size) error {
	if r != p.table.Rules() || s != p.table.Size() {
		return fmt.Errorf("its table is of %v on %v, it cannot play %v on %v", p.table.Rules(), p.table.Size(), r, s)
	}
	return nil
}

// Choose implements Player.
func (p *perfect) Choose(_ context.Context, position rules.Position) (rules.Move, error) {
	defer runtime.KeepAlive(p) // it keeps the table open
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
