package report

import (
	"versus2048/rules"
	"versus2048/tournament"
)

// Role is what one bot did on one side, against all others.
type Role struct {
	Name string `json:"name"`
	Side string `json:"role"` // "attacker" or "defender"
	Scores
	Conduct
}

// NewRoles are the roles of an event's entries by its decided matches that count:
// all as defender, then all as attacker unless chance attacks. An attacker's
// scores are those that it allowed.
func NewRoles(e tournament.Event, done []tournament.MatchResult, times *Timesheet) []Role {
	counting := e.Counting(done)
	roles := []Role{}
	for _, side := range []rules.Side{rules.Defender, rules.Attacker} {
		if side == rules.Attacker && e.Rules.Chance() {
			break
		}
		for _, entry := range e.Entries {
			roles = append(roles, Role{
				Name:    entry.Name,
				Side:    side.String(),
				Scores:  newScores(gamesOf(entry.Name, side, counting)),
				Conduct: newConduct(entry.Name, side, counting, times.overall(entry.Name, side)),
			})
		}
	}
	return roles
}
