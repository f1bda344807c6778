package results

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// flushInterval is the time that a ply waits for further plies, so that they are written together.
const flushInterval = 50 * time.Millisecond

// Journal stores the games of one event while they are played. It implements tournament.Journal. Plies are
// written while Run runs. Finished games are written at once; games that end during a write are written
// together in the next one. A game that begins and ends between two writes is written once. The methods of a
// Journal may be called from several goroutines, but calls for the same game must not overlap.
type Journal struct {
	store *Store
	event int64

	writing sync.Mutex // held while a transaction writes plies or finished games

	opening sync.Mutex // held while a game is opened
	highest int        // the highest number of the event's matches; -1 until the first game is opened
	matches map[int]*openMatch

	mu      sync.Mutex
	bots    map[tournament.Identity]int64 // the numbers of the descriptions that were recorded here
	games   map[int64]*openGame
	ended   []*endedGame  // games that wait for the next write
	waits   unwritten     // measures the time that plies have been waiting for the disk
	waiting chan struct{} // has an element while there may be plies or games to write
}

// ErrRecorded means that the game already has its final record.
var ErrRecorded = errors.New("the game is already recorded")

// Journal returns the journal of an event.
func (s *Store) Journal(event int64) *Journal {
	return &Journal{
		store: s, event: event, highest: -1, bots: map[tournament.Identity]int64{},
		matches: map[int]*openMatch{}, games: map[int64]*openGame{}, waiting: make(chan struct{}, 1),
	}
}

// Record calls play with the journal of an event, and writes the journal meanwhile. If the journal cannot be written,
// the context of play ends. After play, Record writes the rest of the journal. It returns the error of writing the
// journal, or else play's error.
func (s *Store) Record(ctx context.Context, event int64, play func(context.Context, tournament.Journal) error) error {
	j := s.Journal(event)
	writing, finish := context.WithCancel(context.WithoutCancel(ctx))
	playing, stop := context.WithCancel(ctx)
	defer stop()
	var writeErr error
	var writer sync.WaitGroup
	writer.Go(func() {
		writeErr = j.Run(writing)
		stop()
	})
	err := play(playing, j)
	finish()
	writer.Wait()
	if writeErr != nil {
		return fmt.Errorf("writing the journal: %w", writeErr)
	}
	return err
}

// SetMemberships replaces the recorded memberships of an entry, and writes only the differences. It adds the entry
// itself if it is new.
func (j *Journal) SetMemberships(ctx context.Context, e tournament.Entry, all []tournament.Membership) error {
	err := j.store.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO entries (event, seat, name, spec)
			SELECT ?1, count(*), ?2, ?3 FROM entries WHERE event = ?1 ON CONFLICT (event, name) DO NOTHING`, j.event, e.Name, e.Spec)
		if err != nil {
			return err
		}
		return j.setMemberships(ctx, tx, e.Name, all)
	})
	return wrap(err, "recording the memberships of %q", e.Name)
}

// setMemberships replaces the recorded memberships of the named entry. It writes only the differences, since a
// bot may have joined and left a thousand times, and usually only its last memberships are new.
func (j *Journal) setMemberships(ctx context.Context, tx *sql.Tx, name string, all []tournament.Membership) error {
	last, extra := map[int]int{}, map[int]bool{} // of the recorded memberships, by their first matches
	err := queryEach(ctx, tx, func(row *sql.Rows) error {
		var m tournament.Membership
		err := row.Scan(&m.From, &m.To)
		last[m.From], extra[m.From] = m.To, true
		return err
	}, `SELECT first_match, coalesce(last_match, ?) FROM stays WHERE event = ? AND name = ?`, tournament.NotLeft, j.event, name)
	for i := 0; err == nil && i < len(all); i++ {
		m := all[i]
		delete(extra, m.From)
		if to, known := last[m.From]; known && to == m.To {
			continue
		}
		last[m.From] = m.To
		err = writeMembership(ctx, tx, j.event, m)
	}
	for from := range extra {
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM stays WHERE event = ? AND name = ? AND first_match = ?`, j.event, name, from)
		}
	}
	return err
}

// Identify records a participant's description of itself. An unchanged description is not recorded
// again; a different one is added.
func (j *Journal) Identify(ctx context.Context, id tournament.Identity) error {
	var bot int64
	err := j.store.update(ctx, func(tx *sql.Tx) (err error) {
		bot, err = writeIdentity(ctx, tx, j.event, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("recording the identity of bot %q: %w", id.Name, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.bots[id] = bot
	return nil
}

// numbersOf returns the numbers of the descriptions of a game's bots; 0 for one that was not recorded here.
func (j *Journal) numbersOf(g *tournament.Game) [2]int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return [2]int64{j.bots[g.Identities[0]], j.bots[g.Identities[1]]}
}

// sameGame returns an error if found, the game on record, is finished or differs from the wanted game.
func sameGame(found, wanted *tournament.Game) error {
	a, b := &found.Record, &wanted.Record
	switch {
	case a.Ending != record.Unfinished:
		return ErrRecorded
	case found.Pairing != wanted.Pairing:
		return fmt.Errorf("it is of %s, but on record of %s", pairingText(wanted.Pairing), pairingText(found.Pairing))
	case a.Attacker != b.Attacker || a.Defender != b.Defender:
		return fmt.Errorf("%s attacks %s, but on record %s attacks %s", b.Attacker, b.Defender, a.Attacker, a.Defender)
	case a.AttackerSeed != b.AttackerSeed || a.DefenderSeed != b.DefenderSeed:
		return fmt.Errorf("seeds %d and %d, but on record %d and %d", b.AttackerSeed, b.DefenderSeed, a.AttackerSeed, a.DefenderSeed)
	case a.Start != b.Start:
		return fmt.Errorf("it starts from %v, but on record from %v", b.Start, a.Start)
	}
	return nil
}

// Append queues a ply of a game. It may be called after the Open and before the Finish of the game. It never waits
// for the disk.
func (j *Journal) Append(game int64, ply tournament.Ply) {
	j.mu.Lock()
	j.games[game].queue.append(ply)
	j.waits.queued()
	j.mu.Unlock()
	j.wake()
}

// wake makes Run write.
func (j *Journal) wake() {
	select {
	case j.waiting <- struct{}{}:
	default:
	}
}

// Run writes queued plies until ctx ends, and then writes the rest. A transaction has the plies of all
// games. Run returns an error as soon as plies cannot be written. These plies stay queued.
func (j *Journal) Run(ctx context.Context) error {
	j.store.place.playing(j, true)
	defer j.store.place.playing(j, false)
	for {
		select {
		case <-j.waiting:
		case <-ctx.Done():
			return j.Flush(context.WithoutCancel(ctx))
		}
		select {
		case <-time.After(flushInterval):
		case <-ctx.Done():
		}
		if err := j.Flush(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
}

// Flush writes the games and plies that are queued now. After an error the plies are still queued,
// but the ended games are not: Finish returns the error for each of them, and may be called again.
func (j *Journal) Flush(ctx context.Context) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	return wrap(j.write(ctx, j.queued()), "writing games and plies")
}

// Finish records the finished game and removes its plies from the journal. When it returns nil, the game is on disk. If
// the game already has its final record, Finish changes nothing and returns ErrRecorded.
func (j *Journal) Finish(ctx context.Context, g tournament.Game) error {
	e, err := j.end(ctx, &g)
	if err == nil {
		err = j.await(ctx, e)
	}
	return wrap(err, "recording game %d", g.ID)
}

// await returns once the game is written, or could not be written. The caller that gets the lock
// first writes all games that have ended by then.
func (j *Journal) await(ctx context.Context, e *endedGame) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	if !e.done {
		_ = j.write(ctx, j.queuedEnds()) // every game keeps its own error
	}
	return e.err
}

// Finished passes every finished game of the event to each, the oldest first: see [Reader.Results].
func (j *Journal) Finished(ctx context.Context, each func(tournament.Result) error) error {
	e, err := j.store.Event(ctx, j.event)
	if err != nil {
		return err
	}
	return j.store.Results(ctx, e, each)
}

// Begun passes to each the matches of the event that have an unfinished game with plies.
func (j *Journal) Begun(ctx context.Context, each func(tournament.Pairing) error) error {
	begun, err := query(ctx, j.store.read, func(row *sql.Rows) (p tournament.Pairing, err error) {
		err = row.Scan(&p.Match, &p.Round, &p.Nth, &p.First, &p.Second)
		return p, err
	}, `SELECT number, round, nth, first, second FROM matches WHERE event = ? AND id IN (SELECT match FROM games WHERE id IN (SELECT game FROM journal))
		ORDER BY number`, j.event)
	if err != nil {
		return fmt.Errorf("listing the matches that event %d has begun: %w", j.event, err)
	}
	for _, p := range begun {
		if err := each(p); err != nil {
			return err
		}
	}
	return nil
}

// Workers returns the workers of a farm that have played games of an event.
func (s *Reader) Workers(ctx context.Context, event int64) ([]string, error) {
	workers, err := query(ctx, s.read, scanOne[string], `SELECT DISTINCT worker FROM origins WHERE `+gamesOfEvent+` ORDER BY worker`, event)
	return workers, wrap(err, "listing the workers of event %d", event)
}

// chunk holds consecutive plies of one game in packed form, as in a row of the journal.
type chunk struct {
	first int    // index in the game of the chunk's first ply
	moves []byte // one byte per ply
	times []byte // see appendTimes

	searches []*record.SearchReport // one per ply, or nil
	pauses   []record.Pause         // of these plies, with their indices in the game
}

// newChunk packs all plies of a game.
func newChunk(r *record.Record) (c chunk, err error) {
	if c.times, err = packTimes(r); err != nil {
		return c, err
	}
	for _, m := range r.Moves {
		c.moves = append(c.moves, byte(m))
	}
	c.searches, c.pauses = r.Searches, r.Pauses
	return c, nil
}

func (c *chunk) append(ply tournament.Ply) {
	if p, ok := record.NewPause(c.first+len(c.moves), ply.Stall, ply.Away); ok {
		c.pauses = append(c.pauses, p)
	}
	c.moves = append(c.moves, byte(ply.Move))
	c.times = appendTimes(c.times, ply.Time, ply.Lag)
	c.searches = append(c.searches, ply.Search)
}

// drop removes the plies of head from the beginning of c.
func (c *chunk) drop(head chunk) {
	c.first += len(head.moves)
	c.moves = c.moves[len(head.moves):]
	c.times = c.times[len(head.times):]
	c.searches = c.searches[len(head.searches):]
	c.pauses = c.pauses[len(head.pauses):]
}

// appendTo appends the chunk's plies to the game that they continue.
func (c *chunk) appendTo(r *record.Record) error {
	times, lags, err := unpackTimes(c.times)
	switch {
	case err != nil:
		return fmt.Errorf("plies from %d on: %w", c.first, err)
	case c.first != len(r.Moves):
		return fmt.Errorf("ply %d follows after %d plies", c.first, len(r.Moves))
	case len(times) != len(c.moves):
		return fmt.Errorf("plies from %d on: %d moves with %d times", c.first, len(c.moves), len(times))
	case c.searches != nil && len(c.searches) != len(c.moves):
		return fmt.Errorf("plies from %d on: %d moves with %d search reports", c.first, len(c.moves), len(c.searches))
	}
	for i, m := range c.moves {
		r.Moves = append(r.Moves, rules.Move(m))
		var search *record.SearchReport
		if c.searches != nil {
			search = c.searches[i]
		}
		r.AddSearch(search)
	}
	r.Times, r.Lags = append(r.Times, times...), append(r.Lags, lags...)
	r.Pauses = append(r.Pauses, c.pauses...)
	return nil
}

// readJournal reads the stored plies of a game in progress and replays them.
func readJournal(ctx context.Context, tx *sql.Tx, g *tournament.Game) error {
	err := queryEach(ctx, tx, func(row *sql.Rows) error {
		var c chunk
		var searches, pauses []byte
		err := row.Scan(&c.first, &c.moves, &c.times, &searches, &pauses)
		if err == nil {
			c.searches, err = parseSearches(searches)
		}
		if err == nil {
			c.pauses, err = parsePauses(pauses)
		}
		if err != nil {
			return err
		}
		return c.appendTo(&g.Record)
	}, `SELECT ply, moves, times, searches, pauses FROM journal WHERE game = ? ORDER BY ply`, g.ID)
	if err == nil {
		_, err = g.Record.Replay()
	}
	return wrap(cmp.Or(err, g.Record.CheckPauses()), "its journal")
}
