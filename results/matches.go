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
func (s *Store) Matches(ctx context.Context, e tournament.Event) ([]tournament.MatchResult, error) {
	var book tournament.Scorebook
	starts := newStarts(e)
	err := queryEach(ctx, s.read, func(row *sql.Rows) error {
		var p tournament.Pairing
		var leg int
		var start, turns sql.RawBytes
		var f tournament.Facts
		err := row.Scan(&p.Match, &p.Round, &p.Nth, &p.First, &p.Second, &leg, &start, &f.Ending, &f.Plies, &f.Score, &f.LargestTile, &turns)
		if err == nil {
			f.Line = tournament.LineOf(turns)
			f.Start, err = starts.parse(start)
		}
		if err == nil {
			book.Add(p, leg, f.Start, f.Summary())
		}
		return err
	}, `SELECT number, round, nth, first, second, leg, start, ending, plies, score, largest_tile, turns`+finishedOf, e.ID)
	if err != nil {
		return nil, fmt.Errorf("reading the matches of event %d: %w", e.ID, err)
	}
	return book.Matches(), nil
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
	s.known[string(text)] = p
	return p, err
}
