package exact

import "versus2048/rules"

// Best are the moves that keep the position's value, in the order of AppendMoves;
// none for chance and for a mated defender. It returns the errors that Value
// returns.
func (t *Table) Best(p rules.Position) ([]rules.Move, error) {
	moves, err := t.Moves(p)
	if err != nil || p.SideToMove() == rules.Attacker && t.rules.Chance() {
		return nil, err
	}
	value, err := t.Value(p)
	var best []rules.Move
	for _, m := range moves {
		if m.Value == value {
			best = append(best, m.Move)
		}
	}
	return best, err
}

// PrincipalVariation is a game from p under perfect play by both sides, the
// first of the best moves played each time. Under solo it ends where chance is to
// move. It returns the errors that Value returns.
func (t *Table) PrincipalVariation(p rules.Position) ([]rules.Move, error) {
	var line []rules.Move
	for {
		best, err := t.Best(p)
		if err != nil || len(best) == 0 {
			return line, err
		}
		line = append(line, best[0])
		p = p.Next(best[0])
	}
}
