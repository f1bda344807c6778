package exact

import "versus2048/rules"

// reaches tells whether a game can come to the position: the table has it, or
// what it was before one of its tiles was placed.
func (t *Table) reaches(p rules.Position) bool {
	if p.SideToMove() == rules.Attacker {
		_, ok := t.find(p.Board())
		return ok
	}
	for i := range 16 {
		k := p.Board().Exponent(i)
		if k == 1 || k == 2 && t.rules.Fours() {
			if _, ok := t.find(p.Board() &^ (15 << (4 * i))); ok {
				return true
			}
		}
	}
	return false
}

// after is the worth of playing a legal move.
func (t *Table) after(b rules.Board, m rules.Move) (worth, bool) {
	if !m.IsSlide() {
		k := 1
		if m.IsFour() {
			k = 2
		}
		return t.slide(b.With(m.Cell(), k))
	}
	slid := b.Slide(t.size, m)
	w, ok := t.find(slid)
	return w + worth(slid.Potential()-b.Potential()) + t.tick(), ok
}

// slide is the worth of a board with the defender to move.
func (t *Table) slide(b rules.Board) (worth, bool) {
	most := worth(0)
	for m := rules.North; m <= rules.East; m++ {
		if b.Slide(t.size, m) == b {
			continue
		}
		w, ok := t.after(b, m)
		if !ok {
			return 0, false
		}
		most = max(most, w)
	}
	return most, true
}

// find is the worth of a board with the attacker to move.
func (t *Table) find(b rules.Board) (worth, bool) {
	sum := tileSum(b)
	if sum/2 >= len(t.layers) {
		return 0, false
	}
	l := &t.layers[sum/2]
	place := l.find(t.key(b.Canonical(t.size)))
	if place < 0 {
		return 0, false
	}
	return l.worth(t.game, place), true
}
