package tournament

// Tally counts matches from one bot's side.
type Tally struct {
	Won   int `json:"won"`
	Drawn int `json:"drawn"`
	Lost  int `json:"lost"`
}

// Played is the number of matches counted.
func (t Tally) Played() int { return t.Won + t.Drawn + t.Lost }

// Points are 1 for a match won and 1/2 for one drawn.
func (t Tally) Points() float64 { return float64(t.Won) + float64(t.Drawn)/2 }

// add counts a match of the named bot.
func (t *Tally) Add(m MatchResult, name string) {
	switch {
	case m.Outcome == Drawn:
		t.Drawn++
	case (m.Outcome == FirstWins) == (m.First == name):
		t.Won++
	default:
		t.Lost++
	}
}

// plus is both tallies together.
func (t Tally) Plus(u Tally) Tally {
	return Tally{Won: t.Won + u.Won, Drawn: t.Drawn + u.Drawn, Lost: t.Lost + u.Lost}
}

// defence is the match's game in which the named bot defends.
func (m *MatchResult) Defence(name string) Summary {
	if m.First == name {
		return m.Legs[0]
	}
	return m.Legs[1]
}
