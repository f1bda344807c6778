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

// Matches returns an event's decided matches. It uses what the referee announced at the end of each
// game and does not play the moves again; Verify compares the two.
func (s *Store) Matches(ctx context.Context, e tournament.Event) (matches []tournament.MatchResult, err error) {
	err = s.eachMatch(ctx, e, func(m tournament.MatchResult) { matches = append(matches, m) })
	tournament.SortMatches(matches)
	return matches, err
}

// eachMatch calls each with an event's decided matches, in the order in which they were recorded.
func (s *Store) eachMatch(ctx context.Context, e tournament.Event, each func(tournament.MatchResult)) error {
	var book tournament.Scorebook
	return s.Results(ctx, e, func(r tournament.Result) error {
		if m, decided := book.Add(r); decided {
			each(m)
		}
		return nil
	})
}

// Results calls each with every finished game of an event, in the order in which they were opened.
// It uses what the referee announced and keeps none of them in memory. It stops at the first error
// of each and returns it.
func (s *Store) Results(ctx context.Context, e tournament.Event, each func(tournament.Result) error) error {
	starts := newStarts(e)
	err := queryEach(ctx, s.read, func(row *sql.Rows) error {
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
	}, `SELECT number, round, nth, first, second, leg, start, ending, plies, score, largest_tile, turns, games.id, detail`+finishedOf+` ORDER BY games.id`, e.ID)
	if err != nil {
		return fmt.Errorf("reading the results of event %d: %w", e.ID, err)
	}
	return nil
}

// Timesheet collects the times of an event's matches. Two readers share the work, because decoding
// takes as long as SQLite does.
func (s *Store) Timesheet(ctx context.Context, e tournament.Event, matches []tournament.MatchResult) (*report.Timesheet, error) {
	even, odd := report.NewTimesheet(matches), report.NewTimesheet(matches)
	other := make(chan error, 1)
	go func() { other <- s.readTimes(ctx, e, odd, 1) }()
	if err := errors.Join(s.readTimes(ctx, e, even, 0), <-other); err != nil {
		return nil, fmt.Errorf("reading the times of event %d: %w", e.ID, err)
	}
	even.Merge(odd)
	return even, nil
}

// readTimes adds the times of the matches whose numbers have this remainder modulo 2.
func (s *Store) readTimes(ctx context.Context, e tournament.Event, sheet *report.Timesheet, remainder int) error {
	starts := newStarts(e)
	return queryEach(ctx, s.read, func(row *sql.Rows) error {
		var id int64
		var p tournament.Pairing
		var leg int
		var start, packed sql.RawBytes
		if err := row.Scan(&id, &p.Match, &p.First, &p.Second, &leg, &start, &packed); err != nil {
			return err
		}
		from, err := starts.parse(start)
		if err == nil {
			sheet.Add(p, leg, from, func(yield func(spent, lag time.Duration) bool) {
				err = eachTime(packed, yield)
			})
		}
		if err != nil {
			return fmt.Errorf("game %d: %w", id, err)
		}
		return nil
	}, `SELECT games.id, number, first, second, leg, start, times`+finishedOf+` AND number % 2 = ?`, e.ID, remainder)
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
