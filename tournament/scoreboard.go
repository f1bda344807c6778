package tournament

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"versus2048/rules/record"
)

// Scoreboard counts the finished games of an event, and has everything that follows from them: the next matches, the
// standings and the faults. A [Runner] adds the games that it plays, and others may read meanwhile. A Scoreboard keeps
// the results that the event's format keeps, and not the games.
type Scoreboard struct {
	// mu is held for changes, and for reads outside the Runner's goroutine. While a Runner plays, all changes except the
	// changes by Standings are made in its goroutine.
	mu     sync.Mutex
	event  Event
	format Format
	book   Scorebook      // the matches with one finished game
	games  int            // finished
	played int            // decided matches
	last   map[string]int // the highest number of a match with a finished game, by bot
	given  *Pairing       // the match that Over took from the format
	faulty FaultLog
	faults atomic.Pointer[Faults]

	// Standings sets these in any goroutine.
	latest  Standings
	counted int       // the number of matches that latest counts; -1 if latest is out of date
	made    time.Time // the time when latest was computed
}

// Faults are the games of an event that were lost by a fault.
type Faults struct {
	Games int     `json:"games"` // the number of these games
	First []Fault `json:"first"` // the first of them, at most MaxFaults
}

// Fault is a fault of a bot that ended its game.
type Fault struct {
	Bot    string        `json:"bot"`
	Game   int64         `json:"game"`
	Match  int           `json:"match"`
	Fault  record.Ending `json:"fault"` // the ending of the game, such as "illegal-move"
	Detail string        `json:"detail,omitempty"`
}

// MaxFaults is the number of faults of an event that have details.
const MaxFaults = 10

// NewScoreboard returns the scoreboard of an event without finished games. f is the event's format without results.
func NewScoreboard(e Event, f Format) *Scoreboard {
	return &Scoreboard{event: e, format: f, last: map[string]int{}, faulty: FaultLog{}, counted: -1}
}

// Add counts a finished game. If the game decides its match, Add returns the match and true.
func (b *Scoreboard) Add(r Result) (m MatchResult, decided bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.games++
	b.faulty.Add(&b.event, &r)
	if fault := FaultOf(&r); fault != nil {
		b.faults.Store(b.faults.Load().plus(*fault))
	}
	for _, name := range []string{r.First, r.Second} {
		b.last[name] = max(b.last[name], r.Match)
	}
	if m, decided = b.book.Add(r); decided {
		b.played++
		b.format.Add(m)
	}
	return m, decided
}

// FaultOf returns the fault that ended a game, or nil if none did.
func FaultOf(r *Result) *Fault {
	bot := r.Faulty()
	if bot == "" {
		return nil
	}
	return &Fault{Bot: bot, Game: r.Game, Match: r.Match, Fault: r.Ending, Detail: r.Detail}
}

// plus returns the faults with one more. f may be nil.
func (f *Faults) plus(fault Fault) *Faults {
	var sum Faults
	if f != nil {
		sum = *f
	}
	sum.Games++
	if len(sum.First) < MaxFaults {
		sum.First = append(slices.Clip(sum.First), fault)
	}
	return &sum
}

// SetEvent replaces the event after all recorded games have been added, and when a bot has joined or left.
func (b *Scoreboard) SetEvent(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.event, b.counted = e, -1
	b.format.SetLineup(e)
}

// SetID sets the event's number. An event has a number only once it is recorded.
func (b *Scoreboard) SetID(id int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.event.ID = id
}

// Event returns the event with all bots that have joined so far, and their memberships.
func (b *Scoreboard) Event() Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.event
}

// Counts returns the number of finished games and the total.
func (b *Scoreboard) Counts() Counts {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Counts{Done: b.games, Total: b.format.Total()}
}

// Faults returns the games that were lost by a fault so far, nil if there are none. It never waits.
func (b *Scoreboard) Faults() *Faults { return b.faults.Load() }

// Standings returns the standings and the number of matches that they count. Because computing standings takes time, it
// returns the previous ones if they are younger than age.
func (b *Scoreboard) Standings(age time.Duration) (s *Standings, matches int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.counted < 0 || b.counted < b.played && time.Since(b.made) >= age {
		b.latest = b.format.Standings()
		b.counted, b.made = b.played, time.Now()
	}
	latest := b.latest
	return &latest, b.counted
}

// StruckOut reports whether a bot of an open ladder has too many faults.
func (b *Scoreboard) StruckOut(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.event.StruckOut(name, b.faulty[name])
}

// SetAside returns the bots that strikes have set aside, and the bots that have left.
func (b *Scoreboard) SetAside() SetAside {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.format.SetAside())
}

// Participants returns the bots that are present or still have matches to play.
func (b *Scoreboard) Participants() []Entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.event.Participants(b.format)
}

// Over reports whether the event has no matches left to play. An open ladder is never over.
func (b *Scoreboard) Over() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.given != nil {
		return false
	}
	if p, left := b.format.Next(Everyone{}); left {
		b.given = &p // for the Runner, which plays it
		return false
	}
	return !b.format.Total().Open()
}

// Joinable returns an error that says why no bot can join the event now, nil if one can.
func (b *Scoreboard) Joinable() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, joinable := b.format.(Joinable); !joinable {
		return fmt.Errorf("event %d is neither a ladder nor a Swiss event: bots cannot join it", b.event.ID)
	}
	if !b.format.Total().Joinable {
		return fmt.Errorf("the last round of event %d has begun: bots join a Swiss event from the next round on", b.event.ID)
	}
	return nil
}

// nextFor takes from the format the next match that is free to start.
func (b *Scoreboard) nextFor(free Free) (p Pairing, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.format.Next(free)
}
