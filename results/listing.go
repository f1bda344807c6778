package results

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"versus2048/internal/disk"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Listed is a game in a list, without its moves.
type Listed struct {
	ID       int64         `json:"game"`
	Event    int64         `json:"event"`
	Match    int           `json:"match"`
	Round    int           `json:"round"`
	Leg      int           `json:"leg"`
	Attacker string        `json:"attacker"`
	Defender string        `json:"defender"`
	Started  time.Time     `json:"started"`
	Ending   record.Ending `json:"ending"`
	Detail   string        `json:"detail,omitempty"`
	Fault    string        `json:"fault,omitempty"` // the bot that ended the game by a fault
	// The next three are the values that the referee announced; 0 while the game is in progress.
	Plies       int `json:"plies"`
	Score       int `json:"score"`
	LargestTile int `json:"largest_tile"`
	// Voided is the time when the game's match was voided, zero for a game that counts: see [Store.Void].
	Voided time.Time `json:"voided,omitzero"`
}

// Listing selects games for a list, a page at a time. A zero field leaves out no game that counts.
type Listing struct {
	Event    int64
	Bot      string // in either role
	Ending   record.Ending
	Faults   bool   // only games that a fault ended
	FaultOf  string // only games that a fault of this bot ended; used only by Catalog
	Finished bool   // leave out games in progress
	Voided   bool   // also games of voided matches
	Before   int64  // only games with a smaller number; 0: all
	Order    Order
	Reverse  bool
	Offset   int
	Limit    int // 0 means no limit
	Known    int // the number of games on all pages, which saves counting them; 0 if the caller does not know it
}

// Order is an order of a list of games.
type Order string

// The orders. ByMatch, the default, sorts by event and by the number of the match.
const (
	ByMatch   Order = "match"
	ByStart   Order = "game"
	ByScore   Order = "score"
	ByPlies   Order = "plies"
	ByTile    Order = "tile"
	ByDefence Order = "defender"
	ByAttack  Order = "attacker"
	ByEnding  Order = "ending"
)

// orders has the columns that each order sorts by. Games that are equal in one column are sorted by the
// next one.
var orders = map[Order][]string{
	ByMatch: {"event", "number", "leg"}, ByStart: {"games.id"}, ByScore: {"score", "games.id"}, ByPlies: {"plies", "games.id"},
	ByTile: {"largest_tile", "games.id"}, ByDefence: {"defender", "games.id"}, ByAttack: {"attacker", "games.id"}, ByEnding: {"ending", "games.id"},
}

// Orders returns all orders, the default first.
func Orders() []Order {
	return []Order{ByMatch, ByStart, ByDefence, ByAttack, ByScore, ByTile, ByPlies, ByEnding}
}

// List returns the games that a listing selects, and the number of games on all its pages.
func (s *Reader) List(ctx context.Context, l Listing) (games []Listed, total int, err error) {
	clause, args := l.where()
	err = s.view(ctx, func(tx *sql.Tx) error {
		if total = l.Known; total == 0 {
			if err := tx.QueryRowContext(ctx, `SELECT count(*)`+gamesOfMatches+clause, args...).Scan(&total); err != nil {
				return err
			}
		}
		limit := l.Limit
		if limit == 0 {
			limit = -1
		}
		games, err = query(ctx, tx, readListed, listedColumns+gamesOfMatches+clause+l.order()+` LIMIT ? OFFSET ?`, append(slices.Clip(args), limit, l.Offset)...)
		return err
	})
	return games, total, wrap(err, "listing games")
}

const (
	listedColumns = `SELECT games.id, coalesce(event, voided_of), number, round, leg, attacker, defender, start, started, 
		coalesce(ending, '` + string(record.Unfinished) + `'), detail, coalesce(plies, 0), coalesce(score, 0), coalesce(largest_tile, 0), voided`
	gamesOfMatches = ` FROM games JOIN matches ON matches.id = match`
)

func readListed(row *sql.Rows) (g Listed, err error) {
	var start string
	err = row.Scan(&g.ID, &g.Event, &g.Match, &g.Round, &g.Leg, &g.Attacker, &g.Defender, &start, asText{&g.Started},
		&g.Ending, &g.Detail, &g.Plies, &g.Score, &g.LargestTile, asText{&g.Voided})
	if g.Ending.Fault() {
		g.Fault = map[bool]string{true: g.Defender, false: g.Attacker}[defenderMoves(start, g.Plies)]
	}
	return g, err
}

// defenderMoves reports whether the defender is to move after a number of plies.
func defenderMoves(start string, plies int) bool {
	_, rest, _ := strings.Cut(start, " ")
	return strings.HasPrefix(rest, "D") != (plies%2 == 1)
}

func (l *Listing) where() (clause string, args []any) {
	s := selection{clause: " WHERE 1"}
	s.add(!l.Voided, "event IS NOT NULL")
	s.add(l.Event != 0 && !l.Voided, "event = ?", l.Event)
	s.add(l.Event != 0 && l.Voided, "(event = ? OR voided_of = ?)", l.Event, l.Event)
	s.add(l.Before != 0, "games.id < ?", l.Before)
	s.add(l.Bot != "" && l.Event == 0 && !l.Voided, "event IN (SELECT event FROM entries WHERE name = ?)", l.Bot)
	s.add(l.Bot != "", "? IN (first, second) AND "+plays, l.Bot, l.Bot)
	s.add(l.Ending != "" && l.Ending != record.Unfinished, "ending = ?", string(l.Ending))
	s.add(l.Ending == record.Unfinished, "ending IS NULL")
	s.add(l.Faults, "ending IN (?, ?, ?)", string(record.IllegalMove), string(record.Time), string(record.Disconnect))
	s.add(l.Finished, "ending IS NOT NULL")
	return s.clause, s.args
}

// plays is the condition for the games that a bot plays. Where chance attacks, a bot only watches a game of each of its
// matches.
const plays = "? IN (attacker, defender)"

// order returns the ORDER BY of a listing.
func (l *Listing) order() string {
	columns, ok := orders[l.Order]
	if !ok {
		columns = orders[ByMatch]
	}
	direction := " ASC"
	if l.Reverse {
		direction = " DESC"
	}
	return " ORDER BY " + strings.Join(columns, direction+", ") + direction
}

// Count returns the number of finished games of an event, and the number of all its games.
func (s *Reader) Count(ctx context.Context, event int64) (finished, all int, err error) {
	row := s.read.QueryRowContext(ctx, `SELECT count(ending), count(*)`+gamesOfMatches+` WHERE event = ?`, event)
	if err := row.Scan(&finished, &all); err != nil {
		return 0, 0, fmt.Errorf("counting the games of event %d: %w", event, err)
	}
	return finished, all, nil
}

// Extent is the part of an event that has been played.
type Extent struct {
	Games, Plies int // of the finished games that count
	// Began is the beginning of the first of these games, and Ended the end of the last one, to the millisecond. Both are
	// zero if there is no such game.
	Began, Ended time.Time
}

// Extent returns the part of an event that has been played.
func (s *Reader) Extent(ctx context.Context, event int64) (x Extent, err error) {
	row := s.read.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(plies), 0), min(`+sortable+`started)), max(`+sortable+`finished))`+
		gamesOfMatches+` WHERE event = ? AND ending IS NOT NULL`, event)
	err = row.Scan(&x.Games, &x.Plies, asText{&x.Began}, asText{&x.Ended})
	return x, wrap(err, "the extent of event %d", event)
}

// Absence returns the time from the end of the game lost to the beginning of the bot's next game in the same event.
// Games in progress and games with fewer than two plies do not count. Both times are the recorded ones. Absence returns
// 0 if there is no next game.
func (s *Reader) Absence(ctx context.Context, lost *Listed, bot string) (time.Duration, error) {
	var seconds float64
	err := s.read.QueryRowContext(ctx, `SELECT coalesce(min(julianday(games.started) - julianday(lost.finished)), 0) * 86400
		FROM games AS lost, games JOIN matches ON matches.id = games.match WHERE lost.id = ? AND event = ? AND ? IN (games.attacker, games.defender)
		AND games.plies > 1 AND julianday(games.started) >= julianday(lost.finished)`, lost.ID, lost.Event, bot).Scan(&seconds)
	return time.Duration(seconds * float64(time.Second)), wrap(err, "the games of %q in event %d", bot, lost.Event)
}

// sortable begins the SQL call that turns a time of the database into a text. Such texts sort in the order of time.
const sortable = `strftime('%Y-%m-%dT%H:%M:%fZ', `

// EventsAfter returns the numbers of the events above a number, in order.
func (s *Reader) EventsAfter(ctx context.Context, id int64) ([]int64, error) {
	return s.eventIDs(ctx, "WHERE id > ?", id)
}

// EventsOf returns the numbers of the events with this bot, the oldest first.
func (s *Reader) EventsOf(ctx context.Context, bot string) ([]int64, error) {
	return s.eventIDs(ctx, "WHERE id IN (SELECT event FROM entries WHERE name = ?)", bot)
}

// Encounter is a decided match of two bots.
type Encounter struct {
	tournament.MatchResult
	Games []int64 // the numbers of its two games
}

// Encounters returns the decided matches between two bots in an event, in the order of their numbers. It leaves out
// matches that do not count.
func (s *Reader) Encounters(ctx context.Context, e tournament.Event, a, b string) (matches []Encounter, err error) {
	const together = ` AND ((first = ? AND second = ?) OR (first = ? AND second = ?))`
	err = s.view(ctx, func(tx *sql.Tx) error {
		aside, err := setAside(ctx, tx, e)
		if err != nil {
			return err
		}
		return eachDecided(ctx, tx, e, false, together, func(d decidedMatch) {
			if e.Counts(&d.match, aside) {
				matches = append(matches, Encounter{d.match, []int64{d.legs[0].Game, d.legs[1].Game}})
			}
		}, a, b, b, a)
	})
	return matches, err
}

// IdentitiesOf returns a bot's descriptions of itself, each once, in the order in which they were first recorded.
func (s *Reader) IdentitiesOf(ctx context.Context, bot string) ([]tournament.Identity, error) {
	all, err := query(ctx, s.read, func(row *sql.Rows) (id tournament.Identity, err error) {
		err = row.Scan(&id.Name, &id.Version, &id.Author, &id.Spec)
		return id, err
	}, `SELECT name, version, author, spec FROM bots WHERE name = ? ORDER BY id`, bot)
	return all, wrap(err, "listing the descriptions of %q", bot)
}

// Condition is the state of an arena's database at one moment.
type Condition struct {
	Size, Log int64         // of the database and of its log, in bytes
	Free      int64         // bytes that can be written to its disk
	Backlog   int           // plies of games in progress that are not on disk
	Oldest    time.Duration // the time that the oldest of them has been waiting
	Arena     Readers       // the connections of the store itself
	Visitors  Readers       // the connections of Visiting
}

// Readers are the connections for reading a database.
type Readers struct {
	Used   int           // now
	Most   int           // the largest allowed number
	Waited time.Duration // the time that readers have waited for a connection since the start, in all
}

// Condition returns the state of the database, without using a connection to it. The store must come from Open.
func (s *Store) Condition() (c Condition, err error) {
	var logErr, freeErr error
	c.Size, err = sizeOf(s.place.path)
	c.Log, logErr = sizeOf(s.place.path + "-wal")
	c.Free, freeErr = disk.Free(s.place.path)
	if err = cmp.Or(err, logErr, freeErr); err != nil {
		return c, fmt.Errorf("the condition of the database: %w", err)
	}
	c.Arena, c.Visitors = readersOf(s.read), readersOf(s.look)
	c.Backlog, c.Oldest = s.place.backlog()
	return c, nil
}

// sizeOf returns the size of a file, 0 if there is none.
func sizeOf(path string) (int64, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return info.Size(), nil
}

func readersOf(db *sql.DB) Readers {
	s := db.Stats()
	return Readers{s.InUse, s.MaxOpenConnections, s.WaitDuration}
}

// backlog returns the number of plies that no journal has written yet, and the age of the oldest.
func (p *place) backlog() (plies int, oldest time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for j := range p.journals {
		n, age := j.unwritten()
		plies, oldest = plies+n, max(oldest, age)
	}
	return plies, oldest
}

// Writable returns nil if the database can be written to, and the reason otherwise. To try it, it writes a value
// that is already there, through to the disk. If a transaction is in progress, it waits, but not longer than ctx.
func (s *Store) Writable(ctx context.Context) error {
	err := s.execute(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	return wrap(err, "writing to the database")
}

// Write is a journal's report on one of its writes.
type Write struct {
	// Delay is the time that the oldest ply of the write waited until it was on disk. It is 0 for a
	// write without plies of games in progress.
	Delay time.Duration
	Took  time.Duration // the duration of the transaction
	Err   error         // the reason why nothing was written, or nil
}

// OnWrite makes the journals of the store call told after each write. It must be called before the
// journals are used.
func (s *Store) OnWrite(told func(Write)) { s.told = told }

// unwritten measures how long plies have been waiting for the disk. Its zero value has no waiting plies.
type unwritten struct {
	oldest  time.Time // when the oldest ply was queued; zero if there is none
	later   time.Time // the same for plies queued after the present write began
	writing bool
}

func (u *unwritten) queued() {
	switch {
	case u.oldest.IsZero():
		u.oldest = time.Now()
	case u.writing && u.later.IsZero():
		u.later = time.Now()
	}
}

// begin notes that all plies queued so far are being written.
func (u *unwritten) begin() { u.writing = !u.oldest.IsZero() }

// end notes that the write is over. It returns the time that the oldest ply waited, or 0 if there
// was no ply or the write failed.
func (u *unwritten) end(err error) (delay time.Duration) {
	defer func() { u.writing, u.later = false, time.Time{} }()
	if !u.writing || err != nil {
		return 0
	}
	delay = time.Since(u.oldest)
	u.oldest = u.later
	return delay
}

// age returns the time that the oldest ply has been waiting.
func (u *unwritten) age() time.Duration {
	if u.oldest.IsZero() {
		return 0
	}
	return time.Since(u.oldest)
}

// unwritten returns the number of queued plies of games in progress, and the time that the
// oldest of them has been waiting.
func (j *Journal) unwritten() (plies int, oldest time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, g := range j.games {
		plies += len(g.queue.moves)
	}
	return plies, j.waits.age()
}
