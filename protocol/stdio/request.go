package stdio

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Version is the version of the protocol.
const Version = 1

// StartTimeout is the longest time from the start of a program until it is ready, unless the caller sets another
// limit. It is enough to start a virtual machine, or to load a network with a large library, on a busy machine.
const StartTimeout = time.Minute

// Request is a line from the arena: Hello, Set, New, Go, Over, Quit or Unknown. String writes it.
type Request interface {
	fmt.Stringer
	request()
}

func (Hello) request()   {}
func (Set) request()     {}
func (New) request()     {}
func (Go) request()      {}
func (Over) request()    {}
func (Quit) request()    {}
func (Unknown) request() {}

// Hello is the first line. The bot answers with its IDs, its Options and Ready.
type Hello struct {
	Version int // of the protocol, from 1
}

// Set sets an option of the bot, before its first game or between two.
type Set struct{ Name, Value string }

// New announces a game.
type New struct {
	Game     string // its name
	Role     rules.Side
	Rules    rules.Ruleset
	Size     rules.Size
	Seed     uint64 // for the bot's random choices, below 2^53
	Clock    players.Clock
	Match    int    // its number in the event; 0 if unknown
	Opponent string // "" if unknown
	Resign   bool   // the bot may resign
}

// Go asks for a move. It holds everything that a bot needs.
type Go struct {
	Position rules.Position // with the rules, the size, the score and the ply; the side to move is the bot's role
	Limited  bool           // whether there is a clock
	Left     time.Duration  // left_ms: time for this move, if Limited
	Last     *rules.Move    // the other side's last move, nil at the beginning
	Clock    players.Clock
}

// Over ends a game.
type Over struct {
	Result Result        // "" if the game was not decided by a fault or a resignation
	Score  *int          // the defender's; nil if unknown
	Ending record.Ending // the kind of the end; "" if unknown
}

// Result is the result, for the bot, of a game that was decided by a fault or a resignation.
type Result string

// The results.
const (
	Won  Result = "won"
	Lost Result = "lost"
)

// Quit ends the program.
type Quit struct{}

// ParseRequest reads a line from the arena, with or without its end. It returns a *LineError for a
// line with a known first word and missing or invalid parts.
func ParseRequest(line string) (Request, error) {
	r, err := parseRequest(strings.TrimRight(line, "\r\n"))
	if err != nil {
		return nil, &LineError{line, err.Error()}
	}
	return r, nil
}

func parseRequest(line string) (Request, error) {
	a := parseArguments(line)
	switch word, _ := cutWord(line); word {
	case "v2048":
		return parseHello(a)
	case "set":
		return parseSet(line)
	case "new":
		return parseNew(a)
	case "go":
		return parseGo(a)
	case "over":
		return parseOver(a)
	case "quit":
		return Quit{}, nil
	}
	return Unknown{line}, nil
}

func parseHello(a arguments) (Request, error) {
	if len(a.words) < 2 {
		return nil, errors.New("want the version, such as v2048 1")
	}
	version, err := strconv.Atoi(a.words[1])
	if err != nil || version < 1 {
		return nil, fmt.Errorf("version %.40q: want a whole number from 1", a.words[1])
	}
	return Hello{version}, nil
}

func (h Hello) String() string { return fmt.Sprintf("v2048 %d", h.Version) }

func parseSet(line string) (Request, error) {
	name, value, ok := strings.Cut(rest(line, 1), "=")
	if !ok || !isName(name) {
		return nil, errors.New("want set NAME=VALUE")
	}
	return Set{name, strings.TrimSpace(value)}, nil
}

func (s Set) String() string { return "set " + s.Name + "=" + oneLine(s.Value) }

func parseNew(a arguments) (Request, error) {
	n := New{Game: percentDecode(a.values["game"]), Opponent: percentDecode(a.values["opponent"]), Resign: a.values["resign"] == "true"}
	var hasRole bool
	var roleErr, gameErr, clockErr error
	n.Role, hasRole, roleErr = a.side("role")
	if !hasRole {
		roleErr = errors.New("want role=attacker or role=defender")
	}
	seed, seedErr := a.number("seed", 0, 1<<53-1)
	match, matchErr := a.number("match", 0, 1<<31-1)
	n.Seed, n.Match = uint64(seed), int(match)
	n.Rules, n.Size, gameErr = parseGame(a)
	n.Clock, clockErr = parseClock(a)
	return n, cmp.Or(roleErr, gameErr, seedErr, clockErr, matchErr)
}

// String writes the line.
func (n New) String() string {
	l := newLine("new").add("game", percentEncode(n.Game)).add("role", n.Role.String())
	l.add("rules", n.Rules.String()).add("size", n.Size.String()).add("seed", strconv.FormatUint(n.Seed, 10))
	l.clock(n.Clock)
	l.number("match", int64(n.Match)).add("opponent", percentEncode(n.Opponent))
	if n.Resign {
		l.add("resign", "true")
	}
	return l.String()
}

// parseGame reads the rules and the size. The defaults are GPCC 2015 and the full board.
func parseGame(a arguments) (r rules.Ruleset, s rules.Size, err error) {
	r, s = rules.GPCC2015, rules.Full
	if text, ok := a.values["rules"]; ok {
		r, err = rules.ParseRuleset(text)
	}
	if text, ok := a.values["size"]; ok && err == nil {
		s, err = rules.ParseSize(text)
	}
	return r, s, err
}

// parseClock reads a time control in whole milliseconds.
func parseClock(a arguments) (c players.Clock, err error) {
	var perMoveErr, baseErr, incrementErr error
	c.PerMove, perMoveErr = a.millis("move_ms")
	c.Base, baseErr = a.millis("total_ms")
	c.Increment, incrementErr = a.millis("increment_ms")
	return c, cmp.Or(perMoveErr, baseErr, incrementErr)
}

// clock adds a time control in whole milliseconds.
func (l *line) clock(c players.Clock) {
	l.millis("move_ms", c.PerMove).millis("total_ms", c.Base).millis("increment_ms", c.Increment)
}

func parseGo(a arguments) (Request, error) {
	if len(a.words) < 3 {
		return nil, errors.New("want a position, such as go 2,0/0,0 D ply=1 score=0")
	}
	var g Go
	var positionErr, leftErr, clockErr, lastErr error
	ruleset, _, gameErr := parseGame(a)
	g.Position, positionErr = a.position(ruleset)
	_, g.Limited = a.values["left_ms"]
	g.Left, leftErr = a.millis("left_ms")
	g.Clock, clockErr = parseClock(a)
	if text, ok := a.values["last"]; ok {
		g.Last = new(rules.Move)
		*g.Last, lastErr = rules.ParseMove(text)
	}
	return g, cmp.Or(gameErr, positionErr, leftErr, clockErr, lastErr)
}

// position reads the position of a go. The score and the ply are optional.
func (a arguments) position(r rules.Ruleset) (rules.Position, error) {
	text := a.words[1] + " " + a.words[2]
	score, hasScore := a.values["score"]
	if ply, hasPly := a.values["ply"]; hasScore && hasPly {
		return rules.ParsePosition(r, text+" "+score+" "+ply)
	}
	if hasScore {
		return rules.ParsePosition(r, text+" "+score)
	}
	p, positionErr := rules.ParsePosition(r, text)
	ply, plyErr := a.number("ply", 0, 1<<20)
	if err := cmp.Or(positionErr, plyErr); err != nil || ply == 0 {
		return p, err
	}
	return rules.PositionFrom(r, p.Tiles(), p.SideToMove(), p.Score(), int(ply))
}

// String writes the line.
func (g Go) String() string {
	words := strings.Fields(g.Position.String()) // tiles, side, score, ply
	l := newLine("go", words[0], words[1])
	l.add("ply", words[3]).add("score", words[2]).add("role", g.Position.SideToMove().String())
	l.add("rules", g.Position.Rules().String()).add("size", g.Position.Size().String())
	if g.Limited {
		l.add("left_ms", strconv.FormatInt(max(0, g.Left.Milliseconds()), 10))
	}
	if g.Last != nil {
		l.add("last", g.Last.String())
	}
	l.clock(g.Clock)
	return l.String()
}

func parseOver(a arguments) (Request, error) {
	o := Over{Result: Result(a.values["result"])}
	o.Ending, _ = record.ParseEnding(a.values["ending"]) // "" if only a later version knows it
	if _, ok := a.values["score"]; !ok {
		return o, nil
	}
	n, err := a.number("score", 0, 1<<40)
	o.Score = new(int(n))
	return o, err
}

// String writes the line.
func (o Over) String() string {
	l := newLine("over").add("result", string(o.Result))
	if o.Score != nil {
		l.add("score", strconv.Itoa(*o.Score))
	}
	return l.add("ending", string(o.Ending)).String()
}

func (Quit) String() string { return "quit" }
