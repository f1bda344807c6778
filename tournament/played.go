package tournament

import (
	"context"
	"fmt"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

// played is what becomes of a game that was begun.
type played struct {
	game  Game
	seats []Seat
	err   error
}

// play plays one game from its place in the journal into the journal. The target
// is the score that decides its match, or nil.
func (r *Runner) play(ctx context.Context, g Game, target *int, bots map[string]Bot) played {
	g.Started = time.Now().UTC()
	g.Record.Date = g.Started.Format(time.DateOnly)
	g, err := r.Journal.Open(ctx, g)
	if err != nil && ctx.Err() != nil {
		return played{game: g, err: ErrInterrupted}
	}
	if err != nil {
		return played{game: g, err: fmt.Errorf("opening match %d game %d: %w", g.Match, g.Leg, err)}
	}
	seats := r.seat(g, bots)
	if r.Watcher != nil {
		r.Watcher.Begun(g)
	}
	g, err = r.referee(target).Play(ctx, g, seats[rules.Attacker], seats[rules.Defender])
	if err != nil {
		return played{g, seats, err}
	}
	g.Finished = time.Now().UTC()
	// A stop must not tear a finished game from its record.
	if err := r.record(context.WithoutCancel(ctx), g, bots); err != nil {
		g.Record.Ending = record.Unfinished
		return played{g, seats, fmt.Errorf("recording game %d: %w", g.ID, err)}
	}
	g.Record.Searches = nil // on record now, and too much to keep of every game
	return played{g, seats, nil}
}

func (r *Runner) referee(target *int) Referee {
	e := &r.Event
	return Referee{
		Clock:        e.Clock,
		Lenience:     e.Settings.Lenience,
		Adjudication: e.Settings.Adjudication,
		Target:       target,
		Search:       e.Search,
		Played:       r.note,
	}
}

// record records a finished game, and who the bots were that played it.
func (r *Runner) record(ctx context.Context, g Game, bots map[string]Bot) error {
	for _, name := range []string{g.Record.Attacker, g.Record.Defender} {
		if bot := bots[name]; bot != nil {
			if err := r.identify(ctx, bot.Identity()); err != nil {
				return err
			}
		}
	}
	return r.Journal.Finish(ctx, g)
}

// identify tells the journal who a bot is, once.
func (r *Runner) identify(ctx context.Context, id Identity) error {
	if _, known := r.identified.Load(id); known {
		return nil
	}
	if err := r.Journal.Identify(ctx, id); err != nil {
		return err
	}
	r.identified.Store(id, true)
	return nil
}

// seat seats both sides of a game.
func (r *Runner) seat(g Game, bots map[string]Bot) []Seat {
	sit := func(name string, side rules.Side, seed uint64) Seat {
		if side == rules.Attacker && r.Event.Rules.Chance() {
			return localSeat{players.WithMargin(players.Chance(seed), 0)}
		}
		return bots[name].Sit(Assignment{
			Event: r.Event.Name, Game: g, Side: side, Seed: seed,
			Clock: r.Event.Clock, Search: r.Event.Search, Settings: r.Event.Settings,
		})
	}
	return []Seat{
		rules.Attacker: sit(g.Record.Attacker, rules.Attacker, g.Record.AttackerSeed),
		rules.Defender: sit(g.Record.Defender, rules.Defender, g.Record.DefenderSeed),
	}
}

// note journals a ply and passes it on.
func (r *Runner) note(g Game, ply Ply) {
	r.Journal.Append(g.ID, ply)
	if r.Watcher != nil {
		r.Watcher.Played(g, ply)
	}
}
