package tournament

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/rules"
)

// Bot is a participant of an event.
type Bot interface {
	// Identity returns the bot's description of itself.
	Identity() Identity
	// Slots returns the number of games that the bot plays at once, at least 1.
	Slots() int
	// Sit returns the bot's seat in a game that starts or resumes.
	Sit(a Assignment) Seat
}

// Slots gives an event the slots of bots that play in several events at once. A bot that plays in no
// other event always has a free slot. All methods return at once.
type Slots interface {
	// Free reports whether Take could take a slot of each of these bots now.
	Free(bots ...string) bool
	// Take takes a slot of each of these bots for a game, or none. It reports whether it took them.
	Take(bots ...string) bool
	// Give gives back slots from Take.
	Give(bots ...string)
	// Wait sets the bots that the event's next game needs, or none if no game waits now.
	Wait(bots ...string)
	// Freed returns a channel that receives a value when the event should try again to start games:
	// slots may be free, or a bot may have come back.
	Freed() <-chan struct{}
}

// Assignment describes a game to a bot that is to play it.
type Assignment struct {
	Event string
	Game  Game // with the plies played so far
	Side  rules.Side
	Seed  uint64 // for the bot's random choices in this game, below 2^53
	Clock Clock
	// Search reports whether the event records the bot's reports on its searches.
	Search bool
	// Settings are the event's other settings, for bots that use them.
	Settings Settings
}

// Seat is a bot's side in one game. The referee uses it from one goroutine.
type Seat interface {
	// Ask asks for a move in p. The error of the reply is context.DeadlineExceeded once the turn is over.
	// ctx ends only when the game is interrupted. A bot may be away for as long as its grace allows: Ask
	// stops the clock of the turn meanwhile.
	Ask(ctx context.Context, p rules.Position, turn *clock.Turn) players.Reply
	// Played is called after each ply of the game, the seat's own included.
	Played(m rules.Move)
	// Log returns the end of the bot's log for the game, at most 64 KiB, such as the standard error of
	// a program; nil for a bot that keeps none. It is called before Over.
	Log() []byte
	// Over tells the bot that the game has ended. The seat is not used after it.
	Over(r GameResult)
}

// GameResult describes the end of a game to both seats.
type GameResult struct {
	Game Game
	Summary
	OtherLeg *int // the defender's score in the match's other game, if it is finished
}

// LocalBot plays in the arena's process.
type LocalBot struct {
	ID     Identity
	Games  int                               // games at once, at least 1
	New    func(players.Game) players.Player // returns a player for one game
	Margin time.Duration                     // subtracted from the time for a move, so that the answer is in time
	Most   time.Duration                     // the longest time for a move; 0 for all the time that the clock allows
	// Admit waits until the bot may think about a move. The bot's clock is stopped meanwhile. Admit returns the
	// longest time for the move; 0 sets no limit beside Most. Margin is not subtracted from it. The caller calls leave
	// once the bot has moved. Admit may be nil.
	Admit func(ctx context.Context) (most time.Duration, leave func(), err error)
}

// LocalMargin is the Margin of the bots in this process: they move this long before the deadline, to be on time.
const LocalMargin = 10 * time.Millisecond

// NewLocalBot returns the bot for an entry with a spec, for the games of an event in this process.
// version is the version of this process. The bot's searches share the pool, which may be nil.
// NewLocalBot returns an error if the spec cannot be read, if one of its files cannot be opened, or
// if the bot does not play such games.
func NewLocalBot(e Event, entry Entry, version string, pool *players.Pool) (*LocalBot, error) {
	spec, err := players.Parse(entry.Spec)
	if err == nil {
		err = spec.Plays(e.Rules, e.Size)
	}
	if err != nil {
		return nil, fmt.Errorf("bot %q: %w", entry.Name, err)
	}
	spec = spec.Within(e.Settings.Budget)
	return &LocalBot{
		ID:    Identity{Name: entry.Name, Spec: entry.Spec, Version: version},
		Games: e.Concurrency,
		New: func(g players.Game) players.Player {
			g.Pool = pool
			return spec.New(g)
		},
		Margin: LocalMargin,
	}, nil
}

// Identity returns the bot's ID.
func (b *LocalBot) Identity() Identity { return b.ID }

// Slots returns the number of games at once.
func (b *LocalBot) Slots() int { return b.Games }

// Sit returns a seat in a game.
func (b *LocalBot) Sit(a Assignment) Seat {
	c := a.Clock
	if b.Most > 0 && (c.PerMove == 0 || b.Most < c.PerMove) {
		c.PerMove = b.Most // else the player would take the deadline of a move for the end of its total time
	}
	start := a.Game.Record.Start
	g := players.Game{Seed: a.Seed, Clock: c, Rules: start.Rules(), Size: start.Size()}
	return localSeat{players.WithMargin(b.New(g), b.Margin), b, a.Search}
}

// localSeat is a seat without a network. It has no lag, and ignores news of the game.
type localSeat struct {
	player  players.Searcher
	bot     *LocalBot
	reports bool // asks the player for its search reports, which takes time
}

func (s localSeat) Ask(ctx context.Context, p rules.Position, turn *clock.Turn) (r players.Reply) {
	if r.Move, r.Err = s.admitted(ctx, p, turn); s.reports && r.Err == nil {
		r.Search = s.player.LastSearch()
	}
	return r
}

// admitted asks the player for a move once the bot may think.
func (s localSeat) admitted(ctx context.Context, p rules.Position, turn *clock.Turn) (rules.Move, error) {
	if s.bot.Admit == nil {
		return s.ask(ctx, p, turn, s.bot.Most)
	}
	turn.Stop()
	most, leave, err := s.bot.Admit(ctx)
	if err != nil {
		return 0, err
	}
	defer leave()
	turn.Start()
	switch {
	case most == 0:
		most = s.bot.Most
	case s.bot.Most > 0:
		most = min(most+s.bot.Margin, s.bot.Most)
	default:
		most += s.bot.Margin
	}
	return s.ask(ctx, p, turn, most)
}

// ask asks the player for a move. The player may think as long as its clock allows, and no longer than
// most unless most is 0. If only the clock limits the player, and the player gave up because this
// process stalled, ask asks it again.
func (s localSeat) ask(ctx context.Context, p rules.Position, turn *clock.Turn, most time.Duration) (rules.Move, error) {
	if most > 0 && (!turn.Limited() || turn.ForBot() > most) {
		return s.chooseWithin(ctx, p, most)
	}
	if !turn.Limited() {
		return s.player.Choose(ctx, p)
	}
	for {
		m, err := s.chooseWithin(ctx, p, turn.ForBot())
		if !errors.Is(err, context.DeadlineExceeded) || turn.ForBot() == 0 || ctx.Err() != nil {
			return m, err
		}
	}
}

func (s localSeat) chooseWithin(ctx context.Context, p rules.Position, limit time.Duration) (rules.Move, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return s.player.Choose(ctx, p)
}

func (localSeat) Played(rules.Move) {}
func (localSeat) Log() []byte       { return nil }
func (localSeat) Over(GameResult)   {}
