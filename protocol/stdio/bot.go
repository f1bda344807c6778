package stdio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Bot serves players to an arena over two streams, such as the standard input and output of its process.
type Bot struct {
	IDs     []ID
	Options []Option
	Plays   rules.Variants // the games that the players play; the zero value stands for all
	// New returns the player for a game. settings are the options that the arena has set, by name.
	// If New or its player fails, the bot sends the error as its answer to the Go.
	New func(settings map[string]string, g New) (players.Player, error)
	// Set is called with all settings whenever the arena sets an option. If Set fails, the arena
	// gets the error and the option keeps its earlier value. Set may be nil.
	Set    func(settings map[string]string) error
	Margin time.Duration // the time left before the deadline when a move is sent
}

// Run plays until the arena sends Quit or in ends, and then returns nil. If ctx ends first, Run returns ctx's error. If
// in ends while the player thinks, the player may think for another second, after Quit for 100 ms, and Run still sends
// the answer. Run returns another error if a line cannot be read or written. After Run has returned, a goroutine may
// still read from in, until the end of a line or of in.
func (b *Bot) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := botSession{bot: b, out: out, settings: map[string]string{}, answers: make(chan []fmt.Stringer, 1), stop: func() {}}
	defer func() { s.stop() }()
	lines := readLines(ctx, in)
	for {
		var err error
		select {
		case read, open := <-lines:
			if !open {
				return s.finish(lastAnswer)
			}
			if err = read.err; err == nil {
				err = s.handle(ctx, read.text)
			}
		case answer := <-s.answers:
			s.stop()
			s.thinking = false
			err = s.say(answer...)
		case <-ctx.Done():
			return ctx.Err()
		}
		if errors.Is(err, errQuit) {
			return s.finish(lastAnswer / 10)
		}
		if err != nil {
			return err
		}
	}
}

// errQuit means that the arena sent Quit.
var errQuit = errors.New("quit")

// inputLine is a line of the input, or the error from reading it.
type inputLine struct {
	text string
	err  error
}

// readLines reads lines until the input or ctx ends. It closes the channel at the end of the input.
func readLines(ctx context.Context, in io.Reader) <-chan inputLine {
	lines := make(chan inputLine)
	go func() {
		defer close(lines)
		for reader := NewReader(in); ; {
			text, err := reader.Line()
			if errors.Is(err, io.EOF) {
				return
			}
			select {
			case lines <- inputLine{text, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// botSession is a Bot while it runs.
type botSession struct {
	bot      *Bot
	out      io.Writer
	settings map[string]string
	game     *New // nil before the first game, and after the end of a game
	player   players.Searcher
	failed   error // the reason why there is no player

	thinking bool
	stop     func() // stops the player
	answers  chan []fmt.Stringer
}

// handle handles a line from the arena.
func (s *botSession) handle(ctx context.Context, text string) error {
	request, err := ParseRequest(text)
	if err != nil {
		return s.say(Error{err.Error()})
	}
	switch r := request.(type) {
	case Hello:
		return s.greet()
	case Set:
		return s.set(r)
	case New:
		s.end()
		s.game = &r
		s.makePlayer()
	case Go:
		return s.think(ctx, r)
	case Over:
		s.end()
	case Quit:
		return errQuit
	}
	return nil
}

// greet answers a Hello.
func (s *botSession) greet() error {
	var lines []fmt.Stringer
	for _, id := range s.bot.IDs {
		lines = append(lines, id)
	}
	for _, o := range s.bot.Options {
		lines = append(lines, o)
	}
	if plays := (Plays{s.bot.Plays}); s.bot.Plays.String() != "" {
		lines = append(lines, plays)
	}
	return s.say(append(lines, Ready{})...)
}

// set sets an option. If the bot lacks the option or rejects the value, the arena gets an error.
func (s *botSession) set(r Set) error {
	before, had := s.settings[r.Name]
	err := fmt.Errorf("no option is named %.80q", r.Name)
	for _, o := range s.bot.Options {
		if o.Name == r.Name {
			err = o.Check(r.Value)
		}
	}
	if err == nil {
		s.settings[r.Name] = r.Value
		if s.bot.Set != nil {
			err = s.bot.Set(s.settings)
		}
	}
	if err == nil {
		return nil
	}
	if delete(s.settings, r.Name); had {
		s.settings[r.Name] = before
	}
	return s.say(Error{err.Error()})
}

// makePlayer makes the player for the announced game.
func (s *botSession) makePlayer() {
	player, err := s.bot.New(s.settings, *s.game)
	s.player, s.failed = nil, err
	if err == nil {
		s.player = players.WithMargin(player, s.bot.Margin)
	}
}

// end ends the game, and the search if the player thinks.
func (s *botSession) end() {
	s.stop()
	if s.thinking {
		<-s.answers
		s.thinking = false
	}
	s.game, s.player = nil, nil
}

// lastAnswer is the longest time that a player may think after the input has ended.
const lastAnswer = time.Second

// finish sends the answer that the player gives within the given time, or else when it is stopped.
func (s *botSession) finish(within time.Duration) error {
	if !s.thinking {
		return nil
	}
	defer time.AfterFunc(within, s.stop).Stop()
	return s.say(<-s.answers...)
}

// think lets the player think about a Go. If no game was announced, the Go begins one.
func (s *botSession) think(ctx context.Context, r Go) error {
	if s.thinking {
		return s.say(Error{"asked for another move before this one is answered"})
	}
	if s.game == nil {
		p := r.Position
		s.game = &New{Role: p.SideToMove(), Rules: p.Rules(), Size: p.Size(), Clock: r.Clock}
		s.makePlayer()
	}
	if s.failed != nil {
		return s.say(Error{s.failed.Error()})
	}
	if r.Limited {
		ctx, s.stop = context.WithTimeout(ctx, r.Left)
	} else {
		ctx, s.stop = context.WithCancel(ctx)
	}
	s.thinking = true
	go func(player players.Searcher) { s.answers <- choose(ctx, player, r) }(s.player)
	return nil
}

// choose returns the lines that answer a Go.
func choose(ctx context.Context, player players.Searcher, r Go) (lines []fmt.Stringer) {
	move, err := player.Choose(ctx, r.Position)
	switch {
	case errors.Is(err, players.ErrResigned):
		return []fmt.Stringer{Resign{}}
	case err != nil:
		return []fmt.Stringer{Error{err.Error()}}
	}
	if report := player.LastSearch(); report != nil && len(report.Moves) <= record.MaxRootMoves {
		for _, info := range Infos(report) {
			lines = append(lines, info)
		}
	}
	return append(lines, Move{move.String()})
}

// say writes lines, all in one write.
func (s *botSession) say(lines ...fmt.Stringer) error {
	var text strings.Builder
	for _, l := range lines {
		fmt.Fprintln(&text, l)
	}
	if _, err := io.WriteString(s.out, text.String()); err != nil {
		return fmt.Errorf("answering the arena: %w", err)
	}
	return nil
}
