package protocol

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"versus2048/players"
)

// Client serves players to an arena: the other end of a Session.
type Client struct {
	URL   string // such as ws://127.0.0.1:2048/bot
	Hello Hello
	// New makes the player for a game. If it fails, or its player does, the bot
	// gives that game up and says why.
	New       func(Start) (players.Player, error)
	Margin    time.Duration // how much earlier than its time a move is sent
	Reconnect time.Duration // how long to try to reach an arena that is not there or was lost
	Log       *slog.Logger  // nil keeps silent
}

// RefusedError says that the arena does not admit the bot.
type RefusedError struct {
	Code    Code
	Message string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the arena refuses the bot (%s): %s", e.Code, e.Message)
}

// errGoodbye says that the arena needs the bot no longer.
var errGoodbye = errors.New("the arena said goodbye")

// The pauses between attempts to reach the arena.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = time.Second
)

// Run connects and plays all games that the arena gives the bot, until the
// arena says goodbye (then it returns nil) or ctx ends (then its error). It
// returns a *RefusedError if the arena does not admit the bot, and another
// error if the arena can't be reached for longer than Reconnect.
func (c *Client) Run(ctx context.Context) error {
	log := c.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	table := newTable(c.New, c.Margin, log)
	defer table.close()
	lost, pause, known := time.Now(), firstPause, false
	for {
		welcomed, err := c.connect(ctx, table, log)
		if welcomed {
			lost, pause, known = time.Now(), firstPause, true
		}
		var refused *RefusedError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errGoodbye):
			return nil
		case errors.As(err, &refused) && !(known && refused.passing()):
			return err
		case time.Since(lost) >= c.Reconnect:
			return fmt.Errorf("no arena at %s for %v: %w", c.URL, c.Reconnect, err)
		}
		log.Info("no arena, trying again", "in", pause, "why", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		pause = min(2*pause, lastPause)
	}
}

// passing tells whether a bot that was admitted before may be again: the arena
// may not have noticed yet that the old connection is gone.
func (e *RefusedError) passing() bool { return e.Code == NameInUse || e.Code == InternalError }
