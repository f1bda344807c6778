package tournament

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Bot is a participant of an event that plays games.
type Bot interface {
	// Identity returns what the bot says about itself.
	Identity() Identity
	// Slots returns how many games it plays at once, at least 1.
	Slots() int
	// Sit takes a seat in a game that starts or resumes.
	Sit(a Assignment) Seat
}

// Assignment describes to a bot a game that it is to play.
type Assignment struct {
	Event string
	Game  Game // with the plies played so far
	Side  rules.Side
	Seed  uint64 // for the bot's random choices in this game, below 2^53
	Clock Clock
	// Search reports whether the bot's reports on its searches are recorded.
	Search bool
	// Settings are the event's settings, for bots that want to know more.
	Settings Settings
}

// Seat is where a bot plays one game. The referee uses it from one goroutine.
type Seat interface {
	// Ask asks for a move in p. It returns what a players.Player returns: its error is
	// context.DeadlineExceeded once the turn is over. ctx ends only when the game is interrupted.
	// While the bot is away within its grace, Ask stops the turn.
	Ask(ctx context.Context, p rules.Position, turn *clock.Turn) (rules.Move, error)
	// LastSearch returns the report on the search behind the last move, or nil.
	LastSearch() *record.SearchReport
	// Played is called after each ply of the game, the seat's own included.
	Played(m rules.Move)
	// Lag returns the part of the last turn that the network took, as far as known.
	Lag() time.Duration
	// RoundTrip returns how long a message to the bot and its answer last took, as the
	// arena itself measured it; 0 without a network.
	RoundTrip() time.Duration
	// Complaint returns what the bot did wrong before its last answer, such as an answer
	// for another ply; usually "".
	Complaint() string
	// Over gives up the seat when the game has ended.
	Over(r GameResult)
}

// Logger is a Seat of a bot that keeps a log of its own, such as a program's standard error.
type Logger interface {
	Seat
	// Log returns what the bot has written during the game, 64 KiB at most. It is called before Over.
	Log() []byte
}

// GameResult describes to both seats how their game has ended.
type GameResult struct {
	Game Game
	Summary
	OtherLeg *int // the defender's score in the match's other game, if it is finished
}

// LocalBot plays inside the arena's process.
type LocalBot struct {
	ID     Identity
	Games  int                               // games at once, at least 1
	New    func(players.Game) players.Player // returns a player for one game
	Margin time.Duration                     // taken off the time for a move, so that the answer is in time
	Most   time.Duration                     // the longest that it thinks about a move, 0 for as long as its clock allows
	// Admit, if it is not nil, waits until the bot may think about a move, and returns for how long, 0 for Most.
	// Meanwhile the bot's clock stands still. leave is called once the bot has moved.
	Admit func(ctx context.Context) (most time.Duration, leave func(), err error)
}

// LocalMargin is how long before its deadline a bot in this process moves, so that its moves are on time.
const LocalMargin = 10 * time.Millisecond

// NewLocalBot returns the bot of an entry that has a spec, for the games of an event in this process, which
// is of that version. Its searches share the pool, which may be nil. It returns an error if the spec cannot be read,
// a file of it cannot be opened, or the bot does not play such games.
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

// Slots returns how many games it plays at once.
func (b *LocalBot) Slots() int { return b.Games }

// Sit takes a seat in a game.
func (b *LocalBot) Sit(a Assignment) Seat {
	c := a.Clock
	if b.Most > 0 && (c.PerMove == 0 || b.Most < c.PerMove) {
		c.PerMove = b.Most // so that it does not take its deadlines for the end of the total
	}
	start := a.Game.Record.Start
	g := players.Game{Seed: a.Seed, Clock: c, Rules: start.Rules(), Size: start.Size()}
	return localSeat{players.WithMargin(b.New(g), b.Margin), b}
}

// localSeat is a seat without a network: it has no lag, and needs no news of the game.
type localSeat struct {
	players.Searcher
	bot *LocalBot
}

// Ask implements Seat.
func (s localSeat) Ask(ctx context.Context, p rules.Position, turn *clock.Turn) (rules.Move, error) {
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

// ask asks the player, which may think for most, 0 for as long as its clock allows. A player that gave up because this
// process stalled is asked again.
func (s localSeat) ask(ctx context.Context, p rules.Position, turn *clock.Turn, most time.Duration) (rules.Move, error) {
	if most > 0 && (!turn.Limited() || turn.Told() > most) {
		return s.chooseWithin(ctx, p, most)
	}
	if !turn.Limited() {
		return s.Choose(ctx, p)
	}
	for {
		m, err := s.chooseWithin(ctx, p, turn.Told())
		if !errors.Is(err, context.DeadlineExceeded) || turn.Told() == 0 || ctx.Err() != nil {
			return m, err
		}
	}
}

func (s localSeat) chooseWithin(ctx context.Context, p rules.Position, limit time.Duration) (rules.Move, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return s.Choose(ctx, p)
}

func (localSeat) Played(rules.Move)        {}
func (localSeat) Lag() time.Duration       { return 0 }
func (localSeat) RoundTrip() time.Duration { return 0 }
func (localSeat) Complaint() string        { return "" }
func (localSeat) Over(GameResult)          {}
