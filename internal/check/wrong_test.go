package check

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"versus2048/rules"
)

// wrongBot is a bot with one fault, "" for none, whatever the medium.
type wrongBot struct {
	fault string
	world *world
	mu    sync.Mutex // of the fields that the search reads: games and their counts
	games map[string]*wrongGame
	over  map[string]bool
	last  *wrongGame
	overs atomic.Int32 // games that are over
	first bool         // the process has not ended a game yet
	send  func(kind, text string, t *turn)
}

// world holds the state that all processes of one bot have in common.
type world struct {
	only    rules.Variants // the games that the bot plays
	silent  bool           // it does not say so
	running atomic.Int32
	draws   *rand.Rand
	mu      sync.Mutex
}

// wrongGame is a game as the bot knows it.
type wrongGame struct {
	name, opponent string
	role           rules.Side
	rules          rules.Ruleset
	size           rules.Size
	ply            int // at its start; -1 if that is not known
	move, base     time.Duration
	resumed, known bool
	search, resign bool
	alone          bool // no other game was being played at its start
	asked          int
	afterSame      bool // the game before it was like it
	thinking       atomic.Bool
}

// turn is a request.
type turn struct {
	game    *wrongGame
	p       rules.Position
	left    time.Duration
	limited bool
}

func (w *wrongBot) is(fault string) bool { return w.fault == fault }

// begin takes note of a game.
func (w *wrongBot) begin(g *wrongGame) {
	w.mu.Lock()
	defer w.mu.Unlock()
	g.known = w.over[g.name]
	g.alone = len(w.games) == 0
	full := func(x *wrongGame) bool {
		return x != nil && x.size == rules.Full && x.rules == rules.GPCC2015 && x.alone && x.ply <= 0
	}
	g.afterSame = full(g) && full(w.last) && g.role == w.last.role
	w.games[g.name], w.last = g, g
}

// end forgets a game.
func (w *wrongBot) end(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.games, name)
	w.over[name] = true
	w.first = false
	w.overs.Add(1)
}

// thinks returns how long the bot thinks, and whether it answers at all.
func (w *wrongBot) thinks(t *turn) (d time.Duration, answers bool) {
	at := func(ms time.Duration) bool { return t.game.move == ms*time.Millisecond && t.limited }
	switch {
	case w.is("never answers without a clock") && !t.limited:
		return 0, false
	case w.is("plans with move_ms") && at(8000) && t.left < time.Second:
		return 5 * time.Second, true
	case w.is("late at 1 s") && at(1000):
		return 1500 * time.Millisecond, true
	case w.is("late at 100 ms") && at(100):
		return 250 * time.Millisecond, true
	case w.is("late at 50 ms") && at(50):
		return 200 * time.Millisecond, true
	case w.is("spends its total") && t.game.base > 0 && t.game.move == 0:
		return 600 * time.Millisecond, true
	case w.is("dies of an end while it thinks"), w.is("mixes up an end while it thinks"):
		return min(t.left, time.Second) / 4, true
	case w.is("does not read while it thinks") && t.limited && t.left > 5500*time.Millisecond:
		return 4 * time.Second, true
	case w.is("does not read quit while it thinks") && at(1000) && t.p.Size() == rules.Full:
		return 4 * time.Second, true
	}
	return 0, true
}

// choice returns the bot's move as text. kind is "move", "resign" or "error".
func (w *wrongBot) choice(t *turn) (kind, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t.game.asked++
	p, g := t.p, t.game
	legal := p.AppendMoves(nil)
	m := legal[0]
	if g.role == rules.Defender && len(legal) > 1 {
		m = legal[(p.Ply()/2)%len(legal)]
	}
	switch {
	case !w.world.only.Allows(p.Rules(), p.Size(), g.role):
		return "error", fmt.Sprintf("I play only %s, this is %s %s", w.world.only, p.Rules(), p.Size())
	case w.errs(t):
		m = illegalIn(p)
	case w.is("places 4s always") && g.role == rules.Attacker:
		m = rules.Place(m.Cell(), true)
	case w.is("plays at random without the seed"):
		w.world.mu.Lock()
		m = anyMove(w.world.draws, p)
		w.world.mu.Unlock()
	case w.is("resigns early") && p.Ply() >= 5:
		return "resign", ""
	case w.is("gives up late") && g.asked > 12:
		return "error", "no idea"
	case w.is("knows no hints") && strings.HasPrefix(g.name, "hint"):
		return "error", "what is this game?"
	case w.is("plays one game at once") && (len(w.games) > 1 || w.world.running.Load() > 1):
		return "error", "busy"
	}
	switch {
	case w.is("writes small letters"):
		return "move", strings.ToLower(m.String())
	case w.is("writes spaces"):
		return "move", strings.ReplaceAll(m.String(), ",", ", ")
	}
	return "move", m.String()
}

// errs reports whether the fault makes the bot play an illegal move.
func (w *wrongBot) errs(t *turn) bool {
	p, g := t.p, t.game
	legal := p.AppendMoves(nil)
	tall := rules.Size{Width: 4, Height: 2}
	later := g.asked > 1
	switch w.fault {
	case "slides wrongly on 4x2":
		return g.role == rules.Defender && p.Rules() == rules.Solo && p.Size() == tall && len(legal) > 1 && len(legal) < 4
	case "swaps columns and rows on 4x2":
		return g.role == rules.Attacker && p.Rules() == rules.GPCC2016 && p.Size() == tall && len(legal) > 2
	case "merges across tiles", "merges unequal tiles":
		m := models[map[string]string{"merges across tiles": "across", "merges unequal tiles": "unequal"}[w.fault]]
		return g.role == rules.Defender && !p.Over() && len(m.illegal(p)) == 2 && p.Board().EmptyCells(p.Size()) < 4 && !p.HasHuge()
	case "misses the only slide":
		return g.role == rules.Defender && len(legal) == 1 && !p.HasHuge() && p.Ply() >= 40
	case "misses the only cell":
		return g.role == rules.Attacker && p.Board().EmptyCells(p.Size()) == 1
	case "merges 65536s":
		return p.HasHuge() && len(legal) < 4
	case "errs late in a game":
		return g.asked > 12
	case "starts every game from the empty board":
		return later && g.ply >= 20 && p.Rules() == rules.GPCC2016 && !g.resumed && !w.first
	case "takes its side from the ply":
		return p.Ply()%2 != int(p.SideToMove())
	case "changes sides after every game":
		return g.afterSame
	case "attacks in solo":
		return later && p.Rules() == rules.Solo && p.Size() == rules.Full
	case "keeps the size of an earlier game":
		return later && p.Rules() == rules.GPCC2015 && p.Size() == rules.Size{Width: 4, Height: 3}
	case "knows nothing of resumed games":
		return later && g.ply >= 20 && p.Rules() == rules.GPCC2016 && (g.resumed || w.first)
	case "keeps the board of an unfinished game":
		return g.known && g.resumed
	case "keeps one board for all games":
		return len(w.games) > 1
	}
	return false
}

// askedIn returns how many moves the bot was asked for in a game.
func (w *wrongBot) askedIn(g *wrongGame) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return g.asked
}

// illegalIn returns a move of the side to move that is illegal, if there is one.
func illegalIn(p rules.Position) rules.Move {
	legal := p.AppendMoves(nil)
	if p.SideToMove() == rules.Attacker {
		for i := range 16 {
			if m := rules.Place(i, false); !slices.Contains(legal, m) {
				return m
			}
		}
		return rules.North
	}
	for _, m := range []rules.Move{rules.North, rules.South, rules.West, rules.East} {
		if !slices.Contains(legal, m) {
			return m
		}
	}
	return rules.Place(0, false)
}

// answer thinks about a turn and answers. stop ends it.
func (w *wrongBot) answer(ctx context.Context, t *turn, stop <-chan struct{}) {
	think, answers := w.thinks(t)
	if !answers {
		return
	}
	if think > 0 {
		t.game.thinking.Store(true)
		defer t.game.thinking.Store(false)
		select {
		case <-time.After(think):
			t.game.thinking.Store(false)
		case <-stop:
			return
		case <-ctx.Done():
			return
		}
	}
	kind, text := w.choice(t)
	w.send(kind, text, t)
	if w.is("answers twice") {
		w.send(kind, text, t)
	}
}

// fault describes the fault of a wrong bot, and the check that has to fail. The fault is possible over each of the
// media.
type fault struct {
	name  string
	check string
	media Media
}

func faults() []fault {
	return []fault{
		{"never is ready", "handshake.ready", Both},
		{"has no name", "handshake.ready", Sockets},
		{"offers no subprotocol", "handshake.subprotocol", Sockets},
		{"speaks first", "handshake.patient", Both},
		{"answers twice", "answer.once", Both},
		{"is anonymous", "handshake.identity", Both},
		{"has an option twice", "handshake.options", Lines},
		{"has an option without a type", "handshake.options", Lines},
		{"has a default out of range", "handshake.options", Lines},
		{"has a broken option", "handshake.options", Lines},
		{"refuses its own default", "handshake.set", Lines},
		{"dies of an unknown option", "handshake.unknown-option", Lines},

		{"dies of a carriage return", "framing.line-ends", Lines},
		{"splits at each space", "framing.spaces", Both},
		{"knows no tabs", "framing.spaces", Lines},
		{"takes each read for a line", "framing.pieces", Both},
		{"reads one line of each read", "framing.batch", Both},
		{"has a short buffer", "framing.long", Both},

		{"dies of unknown messages", "unknown.messages", Both},
		{"dies of unknown fields", "unknown.fields", Both},
		{"wants fields in order", "fields.order", Both},
		{"reads no escapes", "fields.escapes", Sockets},
		{"dies of a field that may be absent", "fields.optional", Both},
		{"reads only ASCII", "text.scripts", Both},
		{"dies of an error", "error.survived", Sockets},

		{"slides wrongly on 4x2", "moves.defender", Both},
		{"swaps columns and rows on 4x2", "moves.attacker", Both},
		{"merges across tiles", "moves.merges", Both},
		{"merges unequal tiles", "moves.merges", Both},
		{"misses the only slide", "moves.one-slide", Both},
		{"misses the only cell", "moves.one-cell", Both},
		{"merges 65536s", "moves.huge", Both},
		{"places 4s always", "moves.twos", Both},
		{"errs late in a game", "moves.in-games", Both},

		{"writes no UTF-8", "output.valid", Lines},
		{"writes a line without an end", "output.valid", Lines},
		{"writes binary frames", "output.valid", Sockets},
		{"writes no JSON", "output.valid", Sockets},
		{"logs on its output", "output.words", Lines},
		{"writes too much", "output.modest", Lines},
		{"writes small letters", "answer.notation", Both},
		{"writes spaces", "answer.notation", Both},
		{"forgets the ply", "answer.echo", Sockets},
		{"changes the game's name", "answer.echo", Sockets},
		{"moves at the beginning", "answer.unasked", Both},
		{"moves after the end", "answer.unasked", Both},
		{"resigns early", "answer.resign", Both},
		{"gives up late", "answer.gives-up", Both},
		{"reports nonsense", "search.valid", Both},
		{"reports what cannot be read", "search.valid", Both},
		{"reports uninvited", "search.uninvited", Sockets},
		{"claims more time than its answer took", "clock.spent", Sockets},

		{"starts every game from the empty board", "openings.position", Both},
		{"takes its side from the ply", "openings.parity", Both},
		{"changes sides after every game", "games.role", Both},
		{"attacks in solo", "games.solo", Both},
		{"keeps the size of an earlier game", "games.next", Both},
		{"plays one game at once", "games.interleaved", Both},
		{"keeps one board for all games", "games.interleaved", Sockets},
		{"knows no hints", "games.hint", Sockets},
		{"dies of an end while it thinks", "over.thinking", Both},
		{"knows nothing of resumed games", "resume.position", Both},
		{"keeps the board of an unfinished game", "resume.unfinished", Sockets},
		{"plays at random without the seed", "games.seed", Both},
		{"needs more memory with each game", "memory.growth", Both},

		{"never answers without a clock", "clock.none", Both},
		{"plans with move_ms", "clock.left", Both},
		{"late at 1 s", "clock.1s", Both},
		{"late at 100 ms", "clock.100ms", Both},
		{"late at 50 ms", "clock.50ms", Both},
		{"spends its total", "clock.increment", Both},

		{"ignores quit", "end.quit", Lines},
		{"ignores the end of its input", "end.eof", Lines},
		{"ignores SIGTERM", "end.sigterm", Lines},
		{"does not read quit while it thinks", "end.thinking", Lines},
		{"ends with a status", "end.status", Lines},
		{"leaves a child behind", "end.children", Lines},

		{"answers pings with something else", "ping.answered", Sockets},
		{"does not read while it thinks", "ping.thinking", Sockets},
		{"ends when the connection is lost", "connection.cut", Sockets},
		{"ignores a repeated request", "resume.request", Sockets},
		{"asks for no secret", "resume.secret", Sockets},
		{"forgets the secret", "resume.secret", Sockets},
		{"gives up when its name is in use", "refusal.in-use", Sockets},
		{"ends after every goodbye", "goodbye.returns", Sockets},
		{"connects again after every refusal", "refusal.stops", Sockets},
		{"connects again after every goodbye", "goodbye.leaves", Sockets},
		{"never closes the connection", "goodbye.leaves", Sockets},
	}
}

// flag is a bool that two goroutines use.
type flag = atomic.Bool

func newWorld() *world { return &world{draws: rand.New(rand.NewPCG(1, 2))} }

// said returns the games that the bot says it plays.
func (w *world) said() rules.Variants {
	if w.silent {
		return rules.Variants{}
	}
	return w.only
}

func newWrongBot(name string, w *world) *wrongBot {
	return &wrongBot{fault: name, world: w, games: map[string]*wrongGame{}, over: map[string]bool{}, first: true}
}

func (f fault) String() string { return fmt.Sprintf("%s (%s)", f.name, f.check) }
