package puzzles

import (
	"versus2048/players/exact"
	"versus2048/rules"
)

// Kind counts the puzzles of one side of a game.
type Kind struct {
	Rules   rules.Ruleset `json:"rules"`
	Size    rules.Size    `json:"size"`
	Role    rules.Side    `json:"role"`
	Puzzles int           `json:"puzzles"`
	Easy    int           `json:"easy"`
	Medium  int           `json:"medium"`
	Hard    int           `json:"hard"`
}

// Kinds counts the puzzles of a book by kind, and leaves out the kinds without puzzles.
func Kinds(b *exact.PuzzleBook) (all []Kind) {
	for _, r := range rules.Rulesets() {
		for _, size := range rules.Sizes() {
			for _, role := range r.Roles() {
				if k := count(b, Kind{Rules: r, Size: size, Role: role}); k.Puzzles > 0 {
					all = append(all, k)
				}
			}
		}
	}
	return all
}

// count counts the puzzles of a kind.
func count(b *exact.PuzzleBook, k Kind) Kind {
	for i := range b.Puzzles {
		p := &b.Puzzles[i]
		if p.Position.Rules() != k.Rules || p.Position.Size() != k.Size || p.Position.SideToMove() != k.Role {
			continue
		}
		k.Puzzles++
		switch p.Level() {
		case exact.Easy:
			k.Easy++
		case exact.Medium:
			k.Medium++
		case exact.Hard:
			k.Hard++
		}
	}
	return k
}
