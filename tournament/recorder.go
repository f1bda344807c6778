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
	games  []Game // the games that have not ended
	seats  []Seat // the seats in the first of them
	from   Origin // the origin of its last ply
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
