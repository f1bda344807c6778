package live

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"versus2048/internal/study"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Snapshot is the state of a game at one moment, in progress or not.
type Snapshot struct {
	Event      *tournament.Event
	Game       tournament.Game
	Position   rules.Position   // after the last ply
	Since      time.Time        // when the last ply was played; zero if the game is not in progress
	At         time.Time        // the time of the snapshot
	Away       []rules.Side     // sides with a disconnected bot
	Still      time.Duration    // how long the clock of this move has stood still so far, because the bot was away
	Voided     time.Time        // when its match was voided, zero for a game that counts
	Result     string           // in words
	Rival      *Rival           // of the defender of a game in progress, nil if no score is to be beaten yet
	RivalKnown bool             // this is the first game of its match, or the first game is over: Rival stays
	Advantage  *study.Advantage // of the defender, nil if the final score is not known
	// Changed is closed when the game may have changed: a ply was played, the game is over or goes on, or a bot has
	// come or gone. It is nil if nothing can change any more.
	Changed <-chan struct{}
}

// Rival is the bot that defended in the first game of a match, with the score that the second game's defender is to
// beat.
type Rival struct {
	Name  string
	Score int
}

// Live reports whether the game is in progress.
func (s *Snapshot) Live() bool { return !s.Since.IsZero() }

// Over reports whether the game has an ending. An interrupted game has none: it goes on when its event does.
func (s *Snapshot) Over() bool { return s.Game.Record.Ending != record.Unfinished }

// Waits reports whether the clock stands still because the bot that is to move is away.
func (s *Snapshot) Waits() bool { return slices.Contains(s.Away, s.Position.SideToMove()) }

// Continues sets Still from an earlier snapshot of the same move: it adds the time between the snapshots if the clock
// stood still at the earlier one. It does nothing if last is from another move.
func (s *Snapshot) Continues(last *Snapshot) {
	if last.Plies() != s.Plies() || !last.Since.Equal(s.Since) {
		return
	}
	if s.Still = last.Still; last.Waits() {
		s.Still += s.At.Sub(last.At)
	}
}

// Plies returns the number of plies that have been played.
func (s *Snapshot) Plies() int { return len(s.Game.Record.Moves) }

// Frame is a message to the watchers of a game after new plies. It has the whole position, so that a lost frame does
// not matter, and the moves since an earlier frame, for the animation.
type Frame struct {
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
	Clocks *Clocks       `json:"clocks,omitempty"` // while the game is in progress
	Away   []rules.Side  `json:"away,omitempty"`   // sides with a disconnected bot
	Ending record.Ending `json:"ending"`
	Result string        `json:"result"`          // in words
	Start  string        `json:"start,omitempty"` // with From 0: the position before the first move

	Advantage *study.Advantage `json:"advantage,omitempty"` // of the defender, nil if the final score is not known
}

// Clocks are the remaining times of the sides, in milliseconds.
type Clocks struct {
	Turn     *int64 `json:"turn_ms,omitempty"`     // for this move, at its beginning; absent without a limit
	Spent    int64  `json:"spent_ms"`              // on this move
	Base     int64  `json:"base_ms,omitempty"`     // for the whole game, at its beginning; absent without a total
	Attacker *int64 `json:"attacker_ms,omitempty"` // of the total for the game; absent without a total
	Defender *int64 `json:"defender_ms,omitempty"`
}

// frame returns the frame of the snapshot for a watcher who has seen the plies up to from. If the game has fewer plies,
// the frame has all moves.
func (s *Snapshot) frame(from int) Frame {
	r := &s.Game.Record
	if from > len(r.Moves) {
		from = 0
	}
	p := s.Position
	f := Frame{
		Game: s.Game.ID, Live: s.Live(), From: from, Ply: len(r.Moves), Tiles: p.Tiles(), Side: p.SideToMove(), Score: p.Score(),
		Moves: append([]rules.Move{}, r.Moves[from:]...), // not nil, which JSON writes as null
		Times: micros(r.Times, from), Lags: micros(r.Lags, from), Away: s.Away, Ending: r.Ending,
		Result: s.Result, Advantage: s.Advantage,
	}
	if from == 0 {
		f.Start = r.Start.String()
	}
	if s.Live() {
		f.Clocks = s.Clocks()
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

// Clocks returns the clocks of a game in progress.
func (s *Snapshot) Clocks() *Clocks {
	now := time.Now()
	if s.Waits() {
		now = s.At
	}
	c := &Clocks{Spent: (now.Sub(s.Since) - s.Still).Milliseconds()}
	var used [2]time.Duration
	var moves [2]int
	side := s.Game.Record.Start.SideToMove()
	for _, t := range s.Game.Record.Times {
		used[side] += t
		moves[side]++
		side = side.Other()
	}
	control := s.Event.Clock
	if limit, ok := control.Limit(used[side], moves[side]); ok {
		c.Turn = new(limit.Milliseconds())
	}
	c.Base = control.Base.Milliseconds()
	if control.Base > 0 {
		for side, left := range map[rules.Side]**int64{rules.Attacker: &c.Attacker, rules.Defender: &c.Defender} {
			*left = new((control.Base + time.Duration(moves[side])*control.Increment - used[side]).Milliseconds())
		}
	}
	return c
}

// frameInterval is the shortest time between two looks at a game. The eye needs no more than ten boards a second, and
// the cost of a watcher must not depend on the speed of the bots.
const frameInterval = 100 * time.Millisecond

// Games are the games that are being watched.
type Games struct {
	look func(ctx context.Context, game int64, last *Snapshot) (*Snapshot, error)
	hub  *hub[*shown]
}

// shown is a game for its watchers.
type shown struct {
	*Snapshot
	before int    // the ply of the previous snapshot
	shared []byte // the frame from that ply, as an event of a stream; nil for the first snapshot
}

// NewGames returns the games with the snapshots that look returns. last is an earlier snapshot of the game, or nil.
func NewGames(look func(ctx context.Context, game int64, last *Snapshot) (*Snapshot, error)) *Games {
	g := &Games{look: look}
	g.hub = newHub(frameInterval, g.next)
	return g
}

func (g *Games) next(ctx context.Context, game int64, last *shown) (*shown, Wait, error) {
	var before *Snapshot
	if last != nil {
		before = last.Snapshot
	}
	now, err := g.look(ctx, game, before)
	if err != nil {
		return nil, nil, err
	}
	var next Wait
	if now.Changed != nil {
		next = Until(now.Changed)
	}
	switch {
	case last == nil:
		return &shown{Snapshot: now}, next, nil
	case now.Plies() == last.Plies() && now.Live() == last.Live() && now.Over() == last.Over() && slices.Equal(now.Away, last.Away):
		return last, next, nil
	}
	return &shown{now, last.Plies(), now.event(last.Plies())}, next, nil
}

// Follow sends the frames of a game from a ply on, until enough returns true for the snapshot of a frame that was sent,
// or the game cannot change any more. It returns an error if there is no such game or the reader is gone.
func (g *Games) Follow(ctx context.Context, to *Stream, game int64, ply int, enough func(*Snapshot) bool) error {
	return g.hub.follow(ctx, to, game, func(now *shown) (bool, error) {
		frame := now.shared
		if frame == nil || now.before != ply {
			frame = now.event(ply)
		}
		ply = now.Plies()
		return !enough(now.Snapshot), to.Send(frame)
	})
}

// event returns the frame from a ply as an event. Its id has the game and the ply that the reader has after it.
func (s *Snapshot) event(from int) []byte {
	return Event("frame", fmt.Sprintf("%d-%d", s.Game.ID, s.Plies()), s.frame(from))
}

// SeenPly returns the game and the ply that the reader of a stream has, by the id of its last frame, or 0 and 0.
func SeenPly(r *http.Request) (game int64, ply int) {
	number, after, _ := strings.Cut(Seen(r), "-")
	game, _ = strconv.ParseInt(number, 10, 64) // 0 without an id
	ply, _ = strconv.Atoi(after)
	return game, max(0, ply)
}
