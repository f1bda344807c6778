package results

import (
	"versus2048/rules/record"
)

// Filter says which games are wanted. A zero field does not matter.
type Filter struct {
	Event    int64
	Game     int64
	Bot      string // in either role
	Ending   record.Ending
	Finished bool // leave out games in progress
	Last     int  // of those that are left only so many, the last ones

	Searches bool // read the bots' search reports too: they are most of a game
}

// where are the conditions of the filter and their arguments.
func (f Filter) where() (clause string, args []any) {
	clause = " WHERE 1"
	add := func(set bool, condition string, values ...any) {
		if set {
			clause += " AND " + condition
			args = append(args, values...)
		}
	}
	add(f.Event != 0, "event = ?", f.Event)
	add(f.Game != 0, "games.id = ?", f.Game)
	add(f.Bot != "", "? IN (attacker, defender)", f.Bot)
	add(f.Ending != "" && f.Ending != record.Unfinished, "ending = ?", string(f.Ending))
	add(f.Ending == record.Unfinished, "ending IS NULL")
	add(f.Finished, "ending IS NOT NULL")
	if f.Last > 0 {
		clause = " WHERE games.id IN (SELECT games.id" + gameTables + clause + " ORDER BY games.id DESC LIMIT ?)"
		args = append(args, f.Last)
	}
	return clause, args
}
