package results

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
	"versus2048/tournament/standing"
)

// finishedOf selects an event's finished games.
const finishedOf = ` FROM games JOIN matches ON matches.id = match WHERE event = ? AND ending IS NOT NULL`

// The orders for reading games. byMatch makes the two games of a match adjacent; the indexes of
// both tables have that order.
const (
	byGame  = ` ORDER BY games.id`
	byMatch = ` ORDER BY number, leg`
)

// EachMatch calls each with an event's decided matches, in the order of their numbers. It does not
// keep them in memory.
func (s *Reader) EachMatch(ctx context.Context, e tournament.Event, each func(tournament.MatchResult)) error {
	return s.view(ctx, func(tx *sql.Tx) error { return eachMatch(ctx, tx, e, each) })
}

func eachMatch(ctx context.Context, tx *sql.Tx, e tournament.Event, each func(tournament.MatchResult)) error {
	return eachDecided(ctx, tx, e, false, "", func(d decidedMatch) { each(d.match) })
}

// decidedMatch is a match with its games, by leg.
type decidedMatch struct {
	match tournament.MatchResult
	legs  [2]finishedGame
}

// eachDecided calls each with an event's decided matches, in the order of their numbers. timed is as in
// eachResult. condition is a further condition of the statement, with args as its arguments.
func eachDecided(ctx context.Context, tx *sql.Tx, e tournament.Event, timed bool, condition string, each func(decidedMatch), args ...any) error {
	var book tournament.Scorebook
	var first finishedGame // the game before: the two games of a match are adjacent
	return eachResult(ctx, tx, e, timed, condition+byMatch, func(g *finishedGame) error {
		g.times, g.pauses = bytes.Clone(g.times), bytes.Clone(g.pauses)
		if m, decided := book.Add(g.Result); decided {
			each(decidedMatch{m, [2]finishedGame{first, *g}})
		}
		first = *g
		return nil
	}, args...)
}

// Results calls each with every finished game of an event, the oldest first. It uses the results
// that the referee announced, and does not replay the moves (Verify compares the two). It does not
// keep the games in memory. It stops at the first error of each and returns it.
func (s *Reader) Results(ctx context.Context, e tournament.Event, each func(tournament.Result) error) error {
	return s.view(ctx, func(tx *sql.Tx) error {
		return eachResult(ctx, tx, e, false, byGame, func(g *finishedGame) error { return each(g.Result) })
	})
}

// Collect collects an event's decided matches. If timed is true, it also collects the times of the
// matches that count. All data come from one snapshot of the database.
func (s *Reader) Collect(ctx context.Context, e tournament.Event, timed bool) (*report.Collector, error) {
	return s.CollectEach(ctx, e, timed, func(*tournament.MatchResult, [2]bool) {})
}

// CollectEach collects as Collect does. It also calls each with every decided match, in the order of their numbers:
// scored tells for each leg whether its score counts in the statistics. This saves reading the event a second time with
// EachMatch. All calls of each run in one other goroutine, and have returned when CollectEach returns.
func (s *Reader) CollectEach(ctx context.Context, e tournament.Event, timed bool, each func(m *tournament.MatchResult, scored [2]bool)) (collected *report.Collector, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		aside, err := setAside(ctx, tx, e)
		if err != nil {
			return err
		}
		collected = report.NewCollector(e, aside)
		return collect(ctx, tx, e, timed, collected, each)
	})
	return collected, err
}

// setAside returns the bots that are set aside after all decided matches of an event, and the bots
// that have left it.
func setAside(ctx context.Context, tx *sql.Tx, e tournament.Event) (tournament.SetAside, error) {
	if e.FormatStrikes().Faults == 0 {
		return e.Withdrawn(), nil
	}
	count := e.FaultCount()
	err := eachMatch(ctx, tx, e, count.Add)
	return count.SetAside(), err
}

// scoredGames returns a function that reports whether the score of an event's game counts in the
// statistics. It remembers only the matches with a score that does not count.
func scoredGames(ctx context.Context, tx *sql.Tx, event int64) (func(*tournament.Game) bool, error) {
	e, err := readEvent(ctx, tx, event)
	if err != nil {
		return nil, err
	}
	aside, err := setAside(ctx, tx, e)
	if err != nil {
		return nil, err
	}
	var book tournament.Scorebook
	without := map[int][2]bool{}
	err = eachResult(ctx, tx, e, false, byMatch, func(g *finishedGame) error {
		if m, decided := book.Add(g.Result); decided {
			if legs := e.Scored(m, aside); legs != [2]bool{true, true} {
				without[m.Match] = legs
			}
		}
		return nil
	})
	return func(g *tournament.Game) bool {
		legs, some := without[g.Match]
		_, undecided := book.Half(g.Match)
		return g.Record.Ending != record.Unfinished && !undecided && (!some || legs[g.Leg-1])
	}, err
}

// collect adds an event's decided matches to a collector. Counting takes as long as reading, so it
// runs in a goroutine of its own, some matches behind.
func collect(ctx context.Context, tx *sql.Tx, e tournament.Event, timed bool, to *report.Collector, each func(*tournament.MatchResult, [2]bool)) error {
	decided, counted := make(chan decidedMatch, 64), make(chan error, 1)
	go func() { counted <- count(decided, to, each) }()
	err := eachDecided(ctx, tx, e, timed, "", func(d decidedMatch) { decided <- d })
	close(decided)
	return errors.Join(err, <-counted)
}

// count adds the decided matches to a collector, with the times of their games, and calls each with them.
func count(decided <-chan decidedMatch, to *report.Collector, each func(*tournament.MatchResult, [2]bool)) (err error) {
	for d := range decided {
		to.Add(d.match)
		each(&d.match, to.Scored(d.match))
		for i := range d.legs {
			err = cmp.Or(err, d.legs[i].addTimes(to))
		}
	}
	return err
}

// Rate adds an event's decided matches to the standing lists, with the descriptions of the players.
// All data come from one snapshot of the database.
func (s *Reader) Rate(ctx context.Context, e tournament.Event, to *standing.Collector) error {
	return s.view(ctx, func(tx *sql.Tx) error {
		described, err := readDescriptions(ctx, tx, e.ID)
		if err != nil {
			return err
		}
		aside, err := setAside(ctx, tx, e)
		if err != nil {
			return err
		}
		event := to.Event(e, described.all, aside)
		defer event.Close()
		return eachDecided(ctx, tx, e, false, "", func(d decidedMatch) { event.Add(d.match, described.cast(&d)) })
	})
}

// descriptions are the descriptions that an event's bots gave of themselves. A bot that changed its
// description during the event has several.
type descriptions struct {
	all      []tournament.Identity
	byNumber map[int64]tournament.Identity
}

func readDescriptions(ctx context.Context, db querier, event int64) (d descriptions, err error) {
	d.byNumber = map[int64]tournament.Identity{}
	err = queryEach(ctx, db, func(row *sql.Rows) error {
		var number int64
		var id tournament.Identity
		err := row.Scan(&number, &id.Name, &id.Version, &id.Author, &id.Spec)
		d.all, d.byNumber[number] = append(d.all, id), id
		return err
	}, `SELECT bots.id, name, version, author, spec FROM participants JOIN bots ON bots.id = bot WHERE event = ? ORDER BY bots.id`, event)
	return d, wrap(err, "listing the bots of event %d", event)
}

func (d *descriptions) cast(m *decidedMatch) (c standing.Cast) {
	for _, g := range m.legs {
		for side, number := range g.bots {
			c.Legs[g.Leg-1][side] = d.byNumber[number]
		}
		if len(g.finished) >= len(time.DateOnly) {
			c.Date = max(c.Date, g.finished[:len(time.DateOnly)])
		}
	}
	return c
}

// finishedGame is a finished game with the data for a report.
type finishedGame struct {
	tournament.Result
	times, pauses []byte   // see appendTimes and formatPauses; empty unless asked for
	bots          [2]int64 // the numbers of the attacker's and the defender's descriptions, 0 for an unknown one
	finished      string   // the time of its end, as the database has it
}

// addTimes adds the times and pauses of a game of a decided match.
func (g *finishedGame) addTimes(to *report.Collector) (err error) {
	to.AddTimes(g.Pairing, g.Leg, g.Start, func(yield func(spent, lag time.Duration) bool) {
		err = eachTime(g.times, yield)
	})
	pauses, pausesErr := parsePauses(g.pauses)
	if err := cmp.Or(err, pausesErr); err != nil {
		return fmt.Errorf("game %d: %w", g.Game, err)
	}
	to.AddPauses(g.Pairing, g.Leg, g.Start, pauses)
	return nil
}

// eachResult calls each with an event's finished games, and with their times if timed is true. The
// times and pauses are valid until each returns. rest is the end of the statement: further
// conditions, with args as their arguments, and the order.
func eachResult(ctx context.Context, tx *sql.Tx, e tournament.Event, timed bool, rest string, each func(*finishedGame) error, args ...any) error {
	starts := newStarts(e)
	err := queryEach(ctx, tx, func(row *sql.Rows) error {
		var g finishedGame
		var start, turns, times, pauses sql.RawBytes
		var f tournament.Facts
		err := row.Scan(&g.Match, &g.Round, &g.Nth, &g.First, &g.Second, &g.Leg, &start, &f.Ending, &f.Plies, &f.Score, &f.LargestTile, &turns, &times, &pauses, &g.Game, &g.Detail,
			&g.bots[rules.Attacker], &g.bots[rules.Defender], &g.finished)
		if err == nil {
			f.Line = tournament.LineOf(turns)
			f.Start, err = starts.parse(start)
		}
		if err != nil {
			return err
		}
		g.Start, g.Summary, g.times, g.pauses = f.Start, f.Summary(), times, pauses
		return each(&g)
	}, `SELECT number, round, nth, first, second, leg, start, ending, plies, score, largest_tile, turns, iif(?, times, NULL), iif(?, pauses, NULL), games.id, detail,
		coalesce(attacker_bot, 0), coalesce(defender_bot, 0), finished`+finishedOf+rest, append([]any{timed, timed, e.ID}, args...)...)
	return wrap(err, "reading the results of event %d", e.ID)
}

// mostKnown limits how many starts are remembered. It exceeds the number of openings that an event may have.
const mostKnown = 20_000

// starts parses the starts of an event's games, each different text once.
type starts struct {
	rules rules.Ruleset
	known map[string]rules.Position
}

func newStarts(e tournament.Event) *starts {
	return &starts{e.Rules, map[string]rules.Position{"": rules.NewPosition(e.Rules, e.Size)}}
}

func (s *starts) parse(text []byte) (rules.Position, error) {
	if p, ok := s.known[string(text)]; ok {
		return p, nil
	}
	p, err := rules.ParsePosition(s.rules, string(text))
	if err == nil && len(s.known) < mostKnown {
		s.known[string(text)] = p
	}
	return p, err
}
