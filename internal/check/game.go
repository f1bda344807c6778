package check

import (
	"slices"
	"strings"
	"time"

	"versus2048/rules"
)

// game is one game that a bot plays with the checker.
type game struct {
	name     string
	role     rules.Side
	start    rules.Position
	leg      int
	seed     uint64
	opponent string
	move     time.Duration // for each move; 0 means no limit
	base     time.Duration // for the game; 0 means no limit
	extra    time.Duration // added after each move
	resumed  bool          // the game goes on after an interruption
	search   bool          // the bot's reports on its searches are welcome
	resign   bool          // the bot may resign
}

// quick is the time for a move in checks that have nothing to do with the clock.
const quick = 100 * time.Millisecond

// newGame returns a game that begins at a position with the bot to move. Its time is quick.
func newGame(name string, p rules.Position) game {
	return game{name: name, role: p.SideToMove(), start: p, leg: 1, seed: 2048, opponent: "the checker", move: quick}
}

// left returns the time for the next move. total is the rest of the bot's time for the game.
func (g game) left(total time.Duration) (left time.Duration, limited bool) {
	switch {
	case g.base > 0 && g.move > 0:
		return min(g.move, total), true
	case g.base > 0:
		return total, true
	}
	return g.move, g.move > 0
}

// newGameLine announces the game in the line protocol.
func (g game) newGameLine(s style) message {
	m := message{word: "new"}.
		add("game", coded(g.name)).add("role", g.role).add("rules", g.start.Rules()).add("size", g.start.Size()).add("seed", g.seed)
	m.fields = append(m.fields, g.clockFields()...)
	if s.optional {
		m = m.add("match", 7)
	}
	if s.optional || g.opponent != "" {
		m = m.add("opponent", coded(g.opponent))
	}
	if g.resign {
		m = m.add("resign", "true")
	}
	return m
}

// clockFields are the fields of the game's clock in the line protocol.
func (g game) clockFields() (fields []field) {
	for _, f := range []struct {
		key   string
		limit time.Duration
	}{{"move_ms", g.move}, {"total_ms", g.base}, {"increment_ms", g.extra}} {
		if f.limit > 0 {
			fields = append(fields, field{f.key, f.limit.Milliseconds()})
		}
	}
	return fields
}

// goLine asks for a move in p in the line protocol.
func (g game) goLine(p rules.Position, last string, left time.Duration, limited bool) message {
	words := strings.Fields(p.String()) // tiles, side, score, ply
	m := message{word: "go", more: words[:2]}.
		add("ply", words[3]).add("score", words[2]).add("role", g.role).add("rules", p.Rules()).add("size", p.Size())
	if limited {
		m = m.add("left_ms", left.Milliseconds())
	}
	if last != "" {
		m = m.add("last", last)
	}
	m.fields = append(m.fields, g.clockFields()...)
	return m
}

// startObject announces the game over a WebSocket, at its present position p.
func (g game) startObject(p rules.Position, s style) message {
	m := message{word: "start"}.
		add("game", g.name).add("event", "a check").add("match", 1).add("leg", g.leg).add("role", g.role).
		add("opponent", g.opponent).add("rules", p.Rules()).add("size", p.Size()).
		add("clock", map[string]int64{"move_ms": g.move.Milliseconds(), "base_ms": g.base.Milliseconds(), "increment_ms": g.extra.Milliseconds()}).
		add("seed", g.seed).add("board", p.Tiles()).add("score", p.Score()).add("ply", p.Ply()).add("resumed", g.resumed)
	if g.search {
		m = m.add("search", true)
	}
	if g.resign {
		m = m.add("resign", true)
	}
	if s.optional {
		m = m.add("budget", map[string]int{"playouts": 50, "nodes": 1000}).add("max_turns", 2000).add("max_tile", 65536)
	}
	return m
}

// requestObject asks for a move in p over a WebSocket.
func (g game) requestObject(p rules.Position, moves []string, left time.Duration, limited bool) message {
	m := message{word: "request"}.
		add("game", g.name).add("ply", p.Ply()).add("board", p.Tiles()).add("score", p.Score()).add("moves", append([]string{}, moves...))
	if !limited {
		return m.add("left_ms", nil)
	}
	return m.add("left_ms", left.Milliseconds())
}

// overObject ends the game over a WebSocket.
func (g game) overObject(p rules.Position, ending string) message {
	score := p.Score()
	mine, theirs := &score, (*int)(nil)
	if g.role == rules.Attacker {
		mine, theirs = theirs, mine
	}
	return message{word: "over"}.
		add("game", g.name).add("ending", ending).add("winner", nil).add("score", score).add("largest_tile", p.LargestTile()).
		add("plies", p.Ply()-g.start.Ply()).
		add("match", map[string]any{"number": 1, "your_score": mine, "opponent_score": theirs})
}

// scope is the set of games that a bot is checked in: games that it claims to play and that the options ask for.
type scope struct {
	games rules.Variants
	why   string // the reason why these are not all games, "" if they are
}

// newScope returns the scope for the games that a bot claims to play and the games that the options ask for.
// It returns an error if no game is in both.
func newScope(said, asked rules.Variants) (s scope, err error) {
	var why []string
	if said.String() != "" {
		why = append(why, "the bot plays only "+said.String())
	}
	if asked.String() != "" {
		why = append(why, "only "+asked.String()+" is asked for")
	}
	s.games, s.why = said.And(asked), strings.Join(why, ", and ")
	if err := s.games.Validate(); err != nil {
		return scope{why: s.why}, err
	}
	if s.games.Rules == nil {
		s.games.Rules = rules.Rulesets()
	}
	switch {
	case !slices.ContainsFunc(s.games.Rules, rules.Ruleset.Chance):
	case s.games.Roles != nil && !slices.Contains(s.games.Roles, rules.Defender): // under rules with chance, no bot attacks
		s.games.Rules = slices.DeleteFunc(slices.Clone(s.games.Rules), rules.Ruleset.Chance)
	case len(s.games.Rules) == 1:
		s.games.Roles = []rules.Side{rules.Defender}
	}
	return s, nil
}

// nearest returns the wanted value, if it is checked, or the first of the checked values.
func nearest[T comparable](checked []T, wanted T) T {
	if checked == nil || slices.Contains(checked, wanted) {
		return wanted
	}
	return checked[0]
}

// side returns the wanted role, or the other role if the wanted one is not checked.
func (s scope) side(wanted rules.Side) rules.Side { return nearest(s.games.Roles, wanted) }

// sides returns the wanted roles that are checked. If both roles are wanted, it returns at least one.
func (s scope) sides(wanted ...rules.Side) []rules.Side {
	return slices.DeleteFunc(wanted, func(side rules.Side) bool { return s.side(side) != side })
}

// board returns the empty board of a game like the wanted one.
func (s scope) board(r rules.Ruleset, size rules.Size) rules.Position {
	return rules.NewPosition(nearest(s.games.Rules, r), nearest(s.games.Sizes, size))
}

// game returns the empty board of a game like the wanted one, and the number of plies that a check plays,
// 0 for the whole game: on a larger board a whole game would take many times as long.
func (s scope) game(r rules.Ruleset, size rules.Size) (p rules.Position, plies int) {
	p = s.board(r, size)
	if p.Size().Cells() > size.Cells() {
		plies = 12 * size.Cells()
	}
	return p, plies
}

// among returns the positions of games that are checked, or the error of outside if there are none.
func (s scope) among(list []rules.Position) ([]rules.Position, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(p rules.Position) bool { return !s.games.Allows(p.Rules(), p.Size(), p.SideToMove()) })
	if len(list) == 0 {
		return nil, s.outside()
	}
	return list, nil
}

// outside is the error of a check that is only about other games.
func (s scope) outside() error { return skipf("%s", s.why) }

// easy returns easy positions of games that are checked.
func (s scope) easy() []rules.Position {
	list := slices.Clone(easy())
	for i, p := range list {
		if side := s.side(p.SideToMove()); !s.games.Allows(p.Rules(), p.Size(), p.SideToMove()) {
			list[i] = single(s.board(p.Rules(), p.Size()), side)
		}
	}
	return list
}

// single returns the position with one tile on an empty board.
func single(p rules.Position, side rules.Side) rules.Position {
	tiles := p.Tiles()
	tiles[0][0] = 2
	p, err := rules.PositionFrom(p.Rules(), tiles, side, 0, 40+int(side))
	if err != nil {
		panic(err) // such a position is valid under each of the rules
	}
	return p
}
