package tournament

import (
	"context"
	"fmt"
	"time"

	"versus2048/rules/record"
)

// recorder is the runner's Recorder for the games of one match. It passes plies to the journal and to the
// watcher, and each game that ends to the runner.
type recorder struct {
	runner *Runner
	ctx    context.Context
	bots   map[string]Bot
	ended  chan<- playedGame
	games  []Game // the games that have not ended; the first is played next, or in progress
	seats  []Seat // the seats in the first game
	from   Origin // the origin of the last ply of the first game
}

// open opens the games in the journal, which returns their numbers and the plies played before.
func (d *recorder) open(games []Game) error {
	for i, g := range games {
		g.Started, g.Origin = time.Now().UTC(), Origin{} // another worker may continue it
		g.Record.Date = g.Started.Format(time.DateOnly)
		opened, err := d.runner.Journal.Open(d.ctx, g)
		games[i] = opened
		if err != nil && d.ctx.Err() != nil {
			return ErrInterrupted
		}
		if err != nil {
			return fmt.Errorf("opening match %d game %d: %w", g.Match, g.Leg, err)
		}
	}
	return nil
}

func (d *recorder) Begun(g Game, seats ...Seat) {
	d.games[0], d.seats = g, seats
	if d.runner.Watcher != nil {
		d.runner.Watcher.Begun(g)
	}
}

func (d *recorder) Played(g *Game, ply Ply) {
	if g.Origin != d.from {
		d.runner.Journal.TakesPart(g.ID, g.Origin)
	}
	d.games[0], d.from = *g, g.Origin
	d.runner.Journal.Append(g.ID, ply)
	if d.runner.Watcher != nil {
		d.runner.Watcher.Played(g, ply)
	}
}

// Ended implements Recorder: it records the game.
func (d *recorder) Ended(g Game) error {
	p := playedGame{game: g, result: ResultOf(&g), seats: d.seats}
	d.games, d.seats, d.from = d.games[1:], nil, Origin{}
	if d.runner.Event.InProcess {
		d.ended <- playedGame{game: p.game, recording: true}
	}
	// An interruption must not keep a finished game from being recorded.
	if err := d.runner.record(context.WithoutCancel(d.ctx), p.game, d.bots); err != nil {
		p.game.Record.Ending = record.Unfinished
		p.err = fmt.Errorf("recording game %d: %w", p.game.ID, err)
	}
	p.game.Record.Searches, p.game.Logs = nil, [2][]byte{} // recorded now, and too large to keep for every game
	d.ended <- p
	return p.err
}

func (d *recorder) unfinished() (all []playedGame) {
	for i, g := range d.games {
		p := playedGame{game: g, result: ResultOf(&g)}
		if i == 0 {
			p.seats = d.seats
		}
		all = append(all, p)
	}
	return all
}

// Journal stores an event's games while they are played.
type Journal interface {
	// Open begins the game, or finds it again. It returns g with its ID and, if the event was
	// interrupted, with the stored plies.
	Open(ctx context.Context, g Game) (Game, error)
	// Append stores a ply of an open game without waiting for the disk. The ply is usually on disk within 100 ms.
	Append(game int64, ply Ply)
	// TakesPart notes that a worker of a farm plays an open game from now on, so that the game can be played
	// again if the worker proves not to be trusted. The note is on disk with the next plies.
	TakesPart(game int64, o Origin)
	// Finish records the finished game. When it returns nil, the game is on disk.
	Finish(ctx context.Context, g Game) error
	// Finished calls each with every finished game of the event, the oldest first. It stops at the
	// first error of each and returns it.
	Finished(ctx context.Context, each func(Result) error) error
	// Begun calls each with every match of the event that has an unfinished game with plies. It
	// stops at the first error of each and returns it.
	Begun(ctx context.Context, each func(Pairing) error) error
	// SetMemberships records the memberships of an entry. It adds the entry itself if it is new.
	SetMemberships(ctx context.Context, e Entry, all []Membership) error
	// Identify records a participant's description of itself.
	Identify(ctx context.Context, id Identity) error
}
