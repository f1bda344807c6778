package web

import (
	"context"
	"slices"
	"sync"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// frameInterval is the shortest time between two frames of a game: the eye needs no more than ten
// boards a second, and what a watcher costs does not depend on how fast the bots play.
const frameInterval = 100 * time.Millisecond

// snapshot is a game as it stood at one moment, in progress or finished.
type snapshot struct {
	event    *tournament.Event
	game     tournament.Game
	position rules.Position
	since    time.Time    // when the last ply was played; zero if the game is not in progress
	away     []rules.Side // whose bots are disconnected
}

// live reports whether the game is in progress.
func (s *snapshot) live() bool { return !s.since.IsZero() }

// over reports whether nothing more can happen: an interrupted game goes on when its event does.
func (s *snapshot) over() bool { return s.game.Record.Ending != record.Unfinished }

// frame is what the watchers of a game get when plies have been played: the whole position, so that a
// frame that is lost does not matter, and the moves since an earlier one, to show how they came about.
type frame struct {
	Game   int64         `json:"game"`
	Live   bool          `json:"live"`
	From   int           `json:"from"` // the ply before the moves
	Ply    int           `json:"ply"`
	Tiles  [][]int       `json:"tiles"`
	Side   rules.Side    `json:"side"`
	Score  int           `json:"score"`
	Moves  []rules.Move  `json:"moves"`
	Times  []int64       `json:"times_us"`
	Lags   []int64       `json:"lags_us"`
	Clocks *clocks       `json:"clocks,omitempty"` // while the game is in progress
	Away   []rules.Side  `json:"away,omitempty"`   // whose bots are disconnected
	Ending record.Ending `json:"ending"`
	Result string        `json:"result"`          // in words
	Start  string        `json:"start,omitempty"` // with From 0: the position before the first move
}

// clocks are what the sides have left, in milliseconds.
type clocks struct {
	Turn     *int64 `json:"turn_ms,omitempty"`     // for this move from its beginning, absent without a limit
	Spent    int64  `json:"spent_ms"`              // of this move
	Attacker *int64 `json:"attacker_ms,omitempty"` // of the total for the game, absent without one
	Defender *int64 `json:"defender_ms,omitempty"`
}

// frameOf returns the frame that leads a watcher from a ply to the snapshot.
func frameOf(s *snapshot, from int) frame {
	r := &s.game.Record
	if from > len(r.Moves) {
		from = 0
	}
	p := s.position
	f := frame{
		Game: s.game.ID, Live: s.live(), From: from, Ply: len(r.Moves), Tiles: p.Tiles(), Side: p.SideToMove(), Score: p.Score(),
		Moves: r.Moves[from:], Times: micros(r.Times, from), Lags: micros(r.Lags, from), Away: s.away, Ending: r.Ending,
		Result: resultText(s),
	}
	if from == 0 {
		f.Start = r.Start.String()
	}
	if s.live() {
		f.Clocks = clocksOf(s)
	}
	return f
}

func micros(times []time.Duration, from int) []int64 {
	list := []int64{}
	for _, t := range times[min(from, len(times)):] {
		list = append(list, t.Microseconds())
	}
	return list
}

func clocksOf(s *snapshot) *clocks {
	c := &clocks{Spent: time.Since(s.since).Milliseconds()}
	var used [2]time.Duration
	var moves [2]int
	side := s.game.Record.Start.SideToMove()
	for _, t := range s.game.Record.Times {
		used[side] += t
		moves[side]++
		side = side.Other()
	}
	control := s.event.Clock
	if limit, ok := control.Limit(used[side], moves[side]); ok {
		ms := limit.Milliseconds()
		c.Turn = &ms
	}
	if control.Base > 0 {
		for side, left := range map[rules.Side]**int64{rules.Attacker: &c.Attacker, rules.Defender: &c.Defender} {
			ms := (control.Base + time.Duration(moves[side])*control.Increment - used[side]).Milliseconds()
			*left = &ms
		}
	}
	return c
}

// looker returns a game as it stands. last is an earlier snapshot of it, or nil.
type looker func(ctx context.Context, game int64, last *snapshot) (*snapshot, error)

// rooms are the games that are being watched. All watchers of a game share what it costs to look at
// it, and the game itself does not know of them.
type rooms struct {
	look looker
	mu   sync.Mutex
	open map[int64]*room
}

func newRooms(look looker) *rooms {
	return &rooms{look: look, open: map[int64]*room{}}
}

// room is one game that is being watched.
type room struct {
	watchers int // counted by rooms
	close    context.CancelFunc

	mu      sync.Mutex
	latest  *snapshot
	shared  []byte // the frame from ply before to the latest snapshot, as an event of a stream
	before  int
	changed chan struct{} // closed when there is a later snapshot
}

// enter returns the room of a game. The caller calls leave when nobody watches any more.
func (all *rooms) enter(ctx context.Context, game int64) (r *room, leave func(), err error) {
	if r := all.join(game); r != nil {
		return r, func() { all.leave(game, r) }, nil
	}
	first, err := all.look(ctx, game, nil) // before the lock: the database may be busy
	if err != nil {
		return nil, nil, err
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	r = all.open[game]
	if r == nil {
		life, end := context.WithCancel(context.WithoutCancel(ctx))
		r = &room{latest: first, changed: make(chan struct{}), close: end}
		all.open[game] = r
		if !first.over() {
			go all.watch(life, r)
		}
	}
	r.watchers++
	return r, func() { all.leave(game, r) }, nil
}

// join returns the room of a game that others are watching, nil if there is none: hundreds may come at
// once, when the game before it ends.
func (all *rooms) join(game int64) *room {
	all.mu.Lock()
	defer all.mu.Unlock()
	r := all.open[game]
	if r != nil {
		r.watchers++
	}
	return r
}

func (all *rooms) leave(game int64, r *room) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if r.watchers--; r.watchers == 0 {
		r.close()
		delete(all.open, game)
	}
}

// idleInterval is how often the database is asked whether an interrupted game goes on.
const idleInterval = time.Second

// watch looks at a game until it is over or nobody watches any more.
func (all *rooms) watch(ctx context.Context, r *room) {
	last := r.latest // only this goroutine changes it
	for !last.over() {
		interval := frameInterval
		if !last.live() {
			interval = idleInterval
		}
		select {
		case <-time.After(interval):
		case <-ctx.Done():
			return
		}
		now, err := all.look(ctx, last.game.ID, last)
		if err != nil {
			continue // the database may be busy; the game goes on
		}
		r.show(now)
		last = now
	}
}

// show makes a snapshot the latest one, unless nothing has changed.
func (r *room) show(now *snapshot) {
	last := r.latest
	before := len(last.game.Record.Moves)
	if before == len(now.game.Record.Moves) && now.live() == last.live() && now.over() == last.over() && slices.Equal(now.away, last.away) {
		return
	}
	shared := encode(frameOf(now, before))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latest, r.shared, r.before = now, shared, before
	close(r.changed)
	r.changed = make(chan struct{})
}

// since returns what leads a watcher from a ply to the latest snapshot, and that snapshot. changed is
// closed when there is a later one.
func (r *room) since(ply int) (event []byte, now *snapshot, changed <-chan struct{}) {
	r.mu.Lock()
	now, shared, before := r.latest, r.shared, r.before
	changed = r.changed
	r.mu.Unlock()
	if shared == nil || before != ply {
		shared = encode(frameOf(now, ply))
	}
	return shared, now, changed
}
