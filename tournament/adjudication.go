package tournament

import (
	"fmt"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Adjudication ends games while the defender still has legal moves. The zero Adjudication plays every game out. See
// docs/adr/0011-endings.md.
type Adjudication struct {
	MaxTurns int `json:"max_turns,omitzero" toml:"max_turns"` // a game ends after this many turns; 0 means no limit
	MaxTile  int `json:"max_tile,omitzero" toml:"max_tile"`   // a game ends when this tile is made; 0 means no limit
	// EarlyDecision ends a match's second game once its score has passed the first game's score.
	// The second game then begins only after the first is over.
	EarlyDecision bool `json:"early_decision,omitzero" toml:"early_decision"`
	// Resign lets bots resign: a defender keeps its score, an attacker forfeits the match.
	Resign bool `json:"resign,omitzero" toml:"resign"`
}

func (a Adjudication) validate() error {
	if t := a.MaxTile; t != 0 && (t < 8 || t > 1<<16 || t&(t-1) != 0) {
		return fmt.Errorf("largest tile %d: want a power of two from 8 to 65536, or 0 for no limit", t)
	}
	return nil
}

// Target returns the score of the first game: once the second game has passed this score, the match
// is decided. Target returns nil if nothing decides the match early. A first game that the attacker
// forfeited sets no target, because the match may still end as a double forfeit.
func (a Adjudication) Target(first Summary) *int {
	if !a.EarlyDecision || first.Forfeited {
		return nil
	}
	return &first.Score
}

// Judge returns the match as statistics of scores need it: if EarlyDecision is set, it marks the second game as
// [Summary.Selected]. Second games that did not end early have low scores, so their mean would be biased.
func (a Adjudication) Judge(m MatchResult) MatchResult {
	m.Legs[1].Selected = a.EarlyDecision
	return m
}

// ending returns the ending of a game that reaches p after the given number of turns, or "" if the game
// continues. target is the result of Target for the game's match, nil in a first game. A game ends only between turns.
func (a Adjudication) ending(p rules.Position, turns int, target *int) (e record.Ending, detail string) {
	switch {
	case p.SideToMove() == rules.Defender:
		return "", ""
	case target != nil && p.Score() > *target:
		return record.Decided, fmt.Sprintf("the score has passed the %d of the match's first game", *target)
	case a.MaxTile > 0 && p.LargestTile() >= a.MaxTile:
		return record.MaxTile, fmt.Sprintf("a tile of %d is made", a.MaxTile)
	case a.MaxTurns > 0 && turns >= a.MaxTurns:
		return record.MaxTurns, fmt.Sprintf("%d turns are played", a.MaxTurns)
	}
	return "", ""
}

// Check returns an error if a finished game does not end exactly as these rules require. The moves of
// the game must be legal. target is the result of Target for its match, nil for a match's first game.
func (a Adjudication) Check(r *record.Record, target *int) error {
	if r.Ending == record.Resigned && !a.Resign {
		return fmt.Errorf("ending %q, but the event does not allow resigning", r.Ending)
	}
	p := r.Start
	for turns, i := 0, 0; ; i++ {
		e, detail := a.ending(p, turns, target)
		switch last := i == len(r.Moves); {
		case e != "" && (!last || r.Ending != e):
			return fmt.Errorf("ending %q, want %q at ply %d: %s", r.Ending, e, p.Ply(), detail)
		case last && e == "" && r.Ending.Adjudicated():
			return fmt.Errorf("ending %q at ply %d, where the event's rules do not end the game", r.Ending, p.Ply())
		case last:
			return nil
		}
		if r.Moves[i].IsSlide() {
			turns++
		}
		p = p.Next(r.Moves[i])
	}
}
