package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// finishedOf selects an event's finished games.
const finishedOf = ` FROM games JOIN matches ON matches.id = match WHERE event = ? AND ending IS NOT NULL`

// The orders in which games are read. byMatch makes the two games of a match follow each other: the
// indexes of both tables have that order.
const (
	byGame  = ` ORDER BY games.id`
	byMatch = ` ORDER BY number, leg`
)

// Matches returns an event's decided matches, by number.
func (s *Store) Matches(ctx context.Context, e tournament.Event) (matches []tournament.MatchResult, err error) {
	err = s.EachMatch(ctx, e, func(m tournament.MatchResult) { matches = append(matches, m) })
	return matches, err
}

// EachMatch calls each with an event's decided matches, in the order of their numbers. It keeps none of
// them in memory.
func (s *Store) EachMatch(ctx context.Context, e tournament.Event, each func(tournament.MatchResult)) error {
	return s.eachMatchBy(ctx, e, byMatch, each)
}

// eachMatchBy calls each with the decided matches, in the order in which the second of their games comes.
func (s *Store) eachMatchBy(ctx context.Context, e tournament.Event, order string, each func(tournament.MatchResult)) error {
	var book tournament.Scorebook
	return s.results(ctx, e, order, func(r tournament.Result) error {
		if m, decided := book.Add(r); decided {
			each(m)
		}
		return nil
	})
}

// eachMatch is EachMatch in the order in which the matches were recorded.
func (s *Store) eachMatch(ctx context.Context, e tournament.Event, each func(tournament.MatchResult)) error {
	return s.eachMatchBy(ctx, e, byGame, each)
}

// Results calls each with every finished game of an event, in the order in which they were opened.
// It uses what the referee announced and does not play the moves again (Verify compares the two), and
// keeps none of them in memory. It stops at the first error of each and returns it.
func (s *Store) Results(ctx context.Context, e tournament.Event, each func(tournament.Result) error) error {
	return s.results(ctx, e, byGame, each)
}

func (s *Store) results(ctx context.Context, e tournament.Event, order string, each func(tournament.Result) error) error {
	return s.resultsWhere(ctx, e, "", order, each)
}

// resultsWhere is Results for the games that meet a further condition.
func (s *Store) resultsWhere(ctx context.Context, e tournament.Event, condition, order string, each func(tournament.Result) error, args ...any) error {
	starts := newStarts(e)
	err := s.view(ctx, func(tx *sql.Tx) error {
		return queryEach(ctx, tx, func(row *sql.Rows) error {
			var r tournament.Result
			var start, turns sql.RawBytes
			var f tournament.Facts
			err := row.Scan(&r.Match, &r.Round, &r.Nth, &r.First, &r.Second, &r.Leg, &start, &f.Ending, &f.Plies, &f.Score, &f.LargestTile, &turns, &r.Game, &r.Detail)
			if err == nil {
				f.Line = tournament.LineOf(turns)
				f.Start, err = starts.parse(start)
			}
			if err != nil {
				return err
			}
			r.Start, r.Summary = f.Start, f.Summary()
			return each(r)
		}, `SELECT number, round, nth, first, second, leg, start, ending, plies, score, largest_tile, turns, games.id, detail`+finishedOf+condition+order, append([]any{e.ID}, args...)...)
	})
	if err != nil {
		return fmt.Errorf("reading the results of event %d: %w", e.ID, err)
	}
	return nil
}

// SetAside returns the bots that an event's strikes have set aside.
func (s *Store) SetAside(ctx context.Context, e tournament.Event) (tournament.SetAside, error) {
	if e.Settings.Strikes.Faults == 0 {
		return nil, nil
	}
	count := e.Settings.Strikes.Count()
	err := s.EachMatch(ctx, e, count.Add)
	return count.SetAside(), err
}

// Timesheet collects the times of an event's decided matches that count, given the bots that all decided
// matches set aside. Two readers share the work, because decoding takes as long as SQLite does.
func (s *Store) Timesheet(ctx context.Context, e tournament.Event, aside tournament.SetAside) (*report.Timesheet, error) {
	even, odd := report.NewTimesheet(), report.NewTimesheet()
	other := make(chan error, 1)
	go func() { other <- s.readTimes(ctx, e, aside, odd, 1) }()
	if err := errors.Join(s.readTimes(ctx, e, aside, even, 0), <-other); err != nil {
		return nil, fmt.Errorf("reading the times of event %d: %w", e.ID, err)
	}
	even.Merge(odd)
	return even, nil
}

// readTimes adds the times of the matches whose numbers have this remainder modulo 2.
func (s *Store) readTimes(ctx context.Context, e tournament.Event, aside tournament.SetAside, sheet *report.Timesheet, remainder int) error {
	starts := newStarts(e)
	var legs [2]timedGame
	return s.view(ctx, func(tx *sql.Tx) error {
		return queryEach(ctx, tx, func(row *sql.Rows) error {
			var leg int
			var g timedGame
			var start, packed sql.RawBytes
			if err := row.Scan(&g.id, &g.match.Match, &g.match.First, &g.match.Second, &leg, &start, &packed); err != nil {
				return err
			}
			from, err := starts.parse(start)
			if err != nil {
				return fmt.Errorf("game %d: %w", g.id, err)
			}
			before := &legs[leg-1]
			before.id, before.match, before.start, before.packed = g.id, g.match, from, append(before.packed[:0], packed...)
			if leg == 1 || legs[0].match.Match != g.match.Match || !e.Counts(&tournament.MatchResult{Pairing: g.match}, aside) {
				return nil
			}
			return errors.Join(legs[0].addTo(sheet, 1), legs[1].addTo(sheet, 2))
		}, `SELECT games.id, number, first, second, leg, start, times`+finishedOf+` AND number % 2 = ?`+byMatch, e.ID, remainder)
	})
}

// timedGame is a game whose times count if the other game of its match is finished, too.
type timedGame struct {
	id     int64
	match  tournament.Pairing
	start  rules.Position
	packed []byte // see appendTimes
}

func (g *timedGame) addTo(sheet *report.Timesheet, leg int) (err error) {
	sheet.Add(g.match, leg, g.start, func(yield func(spent, lag time.Duration) bool) {
		err = eachTime(g.packed, yield)
	})
	if err != nil {
		return fmt.Errorf("game %d: %w", g.id, err)
	}
	return nil
}

// mostKnown limits how many starts are remembered. It is above the number of openings that an event
// may have.
const mostKnown = 20_000

// starts parses the starts of an event's games, each text once.
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
	if len(s.known) < mostKnown {
		s.known[string(text)] = p
	}
	return p, err
}
