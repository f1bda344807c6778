package web

import (
	"context"
	"net/http"
	"sync"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/study"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/live"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// finder finds the games and the positions that requests name.
type finder struct {
	arena  *server.Server
	store  *results.Store
	values study.Values
	mu     sync.Mutex
	played map[int64]*tournament.Event // events with games in progress
}

// snapshot returns the present state of a game, which is in progress or on record. Only an unfinished game has its
// search reports. last is an earlier snapshot of the game, or nil. Facts that cannot have changed are copied from last.
func (f *finder) snapshot(ctx context.Context, id int64, last *live.Snapshot) (*live.Snapshot, error) {
	if g, ok := f.arena.Game(id); ok {
		return f.inProgress(ctx, g, last)
	}
	now, err := f.onRecord(ctx, id)
	if err != nil {
		return nil, err
	}
	if last != nil {
		now.Rival = last.Rival
	}
	f.compare(now)
	if now.Over() {
		return now, nil
	}
	now.Changed = f.arena.Changed(now.Event.ID)
	if g, ok := f.arena.Game(id); ok { // the game was resumed before the call of Changed
		return f.inProgress(ctx, g, last)
	}
	return now, nil
}

// onRecord returns the state of a game on record. Only an unfinished game has its search reports.
func (f *finder) onRecord(ctx context.Context, id int64) (now *live.Snapshot, err error) {
	err = f.store.Games(ctx, results.Filter{Game: id}, func(g results.Stored) error {
		p, err := g.Record.Replay()
		now = &live.Snapshot{Event: &tournament.Event{ID: g.Event}, Game: g.Game, Position: p, Voided: g.Voided}
		now.Result = live.GameResult(now)
		return err
	})
	if err != nil {
		return nil, err
	}
	if now == nil {
		return nil, &results.NotFoundError{What: "game", ID: id}
	}
	// Reading the game holds a connection to the database until it ends. Only then is the event read: a request must
	// not wait for a connection while it holds another one.
	e, err := f.store.Event(ctx, now.Event.ID)
	now.Event = &e
	return now, err
}

// inProgress returns the snapshot of a game in progress.
func (f *finder) inProgress(ctx context.Context, g server.LiveGame, last *live.Snapshot) (*live.Snapshot, error) {
	now := &live.Snapshot{Game: g.Game, Position: g.Record.Start, Since: g.Since, At: time.Now(), Away: f.awayFrom(g), Changed: g.Changed}
	played := 0
	if last != nil && last.Plies() <= now.Plies() {
		now.Event, now.Position, now.Rival, now.RivalKnown, played = last.Event, last.Position, last.Rival, last.RivalKnown, last.Plies()
	} else {
		var err error
		if now.Event, err = f.playedEvent(ctx, g.Event); err != nil {
			return nil, err
		}
	}
	if !now.RivalKnown {
		if err := f.rival(ctx, now); err != nil && last == nil { // with an earlier snapshot, the next one asks again
			return nil, err
		}
	}
	for _, m := range g.Record.Moves[played:] {
		now.Position = now.Position.Next(m) // the referee has checked the move
	}
	if last != nil {
		now.Continues(last)
	}
	now.Result = live.GameResult(now)
	f.compare(now)
	return now, nil
}

// compare compares the defender of a game with its rival.
func (f *finder) compare(now *live.Snapshot) {
	var other *int
	if now.Rival != nil {
		other = &now.Rival.Score
	}
	now.Advantage = f.values.In(&now.Game.Record, now.Position, other)
}

// rival sets the score to beat in a game in progress: the score of the first game of its match. It sets none in the
// first game itself, and none if the score of the first game does not count. While the first game is not over, rival
// sets none either: both games may be played at the same time.
func (f *finder) rival(ctx context.Context, now *live.Snapshot) error {
	if now.Game.Leg == 1 {
		now.RivalKnown = true
		return nil
	}
	filter := results.Filter{Event: now.Event.ID, Match: now.Game.Match, Leg: 1, Finished: true}
	return f.store.Games(ctx, filter, func(first results.Stored) error {
		if now.RivalKnown = true; countedScore(first) != nil {
			now.Rival = &live.Rival{Name: first.Record.Defender, Score: first.Announced.Score}
		}
		return nil
	})
}

// countedScore returns the score of a finished game. It returns nil if the attacker failed or resigned: then the score
// says nothing.
func countedScore(g results.Stored) *int {
	if winner, failed := g.Record.Winner(); failed && winner == rules.Defender {
		return nil
	}
	return &g.Announced.Score
}

// mostPlayed is the largest number of remembered events. Before one more is remembered, all are forgotten.
const mostPlayed = 64

// playedEvent returns an event with games in progress. It reads an event once and remembers it: the facts that
// snapshots show do not change while the event is played.
func (f *finder) playedEvent(ctx context.Context, id int64) (*tournament.Event, error) {
	f.mu.Lock()
	defer f.mu.Unlock() // locked while the event is read, too: other watchers of the game need the same event
	if e := f.played[id]; e != nil {
		return e, nil
	}
	e, err := f.store.Event(ctx, id)
	if err != nil {
		return nil, err
	}
	if f.played == nil || len(f.played) >= mostPlayed {
		f.played = map[int64]*tournament.Event{}
	}
	f.played[id] = &e
	return &e, nil
}

// awayFrom returns the sides of a game that are played by disconnected bots.
func (f *finder) awayFrom(g server.LiveGame) (sides []rules.Side) {
	for side, bot := range []string{rules.Attacker: g.Record.Attacker, rules.Defender: g.Record.Defender} {
		if f.arena.Away(bot) {
			sides = append(sides, rules.Side(side))
		}
	}
	return sides
}

// gameAndPly returns the game and the ply that a request asks for.
func (f *finder) gameAndPly(r *http.Request) (now *live.Snapshot, ply int, err error) {
	id, err := numberIn(r, "game", "game")
	if err != nil {
		return nil, 0, err
	}
	if now, err = f.snapshot(r.Context(), id, nil); err != nil {
		return nil, 0, err
	}
	last := now.Plies()
	ply, err = analysis.PlyOf(r.Form, "ply", last, last)
	return now, ply, err
}

// position returns the position in a request: position=TEXT with rules=NAME, or game=NUMBER with ply=NUMBER. A request
// with neither position nor game means the empty board, under gpcc2015 unless it names rules.
func (f *finder) position(r *http.Request) (rules.Position, error) {
	if r.FormValue("position") == "" && r.FormValue("game") != "" {
		return f.positionInGame(r)
	}
	return analysis.PositionIn(r.Form)
}

func (f *finder) positionInGame(r *http.Request) (p rules.Position, err error) {
	now, ply, err := f.gameAndPly(r)
	if err != nil {
		return p, err
	}
	return analysis.At(&now.Game.Record, ply)
}

// showsLive reports whether a visitor may see the search reports of an event's games in progress. By default only
// operators see them: the reports tell a bot's author the thoughts of the opponent.
func showsLive(r *http.Request, e *tournament.Event) bool {
	return e.Settings.LiveSearch || server.IsOperator(r.Context())
}

// searched returns a game with the search reports that the visitor may see.
func (f *finder) searched(r *http.Request) (*record.Record, error) {
	id, err := numberIn(r, "game", "game")
	if err != nil {
		return nil, err
	}
	g, playing := f.arena.Game(id)
	game, event := &g.Record, g.Event
	if !playing {
		stored, err := f.store.Game(r.Context(), id)
		if err != nil {
			return nil, err
		}
		game, event = &stored.Record, stored.Event
	}
	if game.Ending != record.Unfinished {
		return game, nil
	}
	e, err := f.playedEvent(r.Context(), event)
	if err == nil && !showsLive(r, e) {
		game.Searches = nil
	}
	return game, err
}
