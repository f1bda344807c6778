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

// byMatch makes the two games of a match follow each other. The indexes of both tables have that order.
const byMatch = ` ORDER BY number, leg`

// Matches returns an event's decided matches, by number.
func (s *Store) Matches(ctx context.Context, e tournament.Event) (matches []tournament.MatchResult, err error) {
	err = s.EachMatch(ctx, e, func(m tournament.MatchResult) { matches = append(matches, m) })
	return matches, err
}

// EachMatch calls each with an event's decided matches, in the order of their numbers. It uses what the
// referee announced at the end of each game and decodes no moves; Verify compares the two.
func (s *Store) EachMatch(ctx context.Context, e tournament.Event, each func(tournament.MatchResult)) error {
	legs := legReader{starts: newStarts(e)}
	err := s.view(ctx, func(tx *sql.Tx) error {
		return queryEach(ctx, tx, func(row *sql.Rows) error {
			var leg int
			var start, turns sql.RawBytes
			var p tournament.Pairing
			var f tournament.Facts
			err := row.Scan(&p.Match, &p.Round, &p.Nth, &p.First, &p.Second, &leg, &start, &f.Ending, &f.Plies, &f.Score, &f.LargestTile, &turns)
			if err != nil {
				return err
			}
			f.Line = tournament.LineOf(turns)
			if f.Start, err = legs.starts.parse(start); err != nil {
				return err
			}
			if m, decided := legs.add(p, leg, f); decided {
				each(m)
			}
			return nil
		}, `SELECT number, round, nth, first, second, leg, start, ending, plies, score, largest_tile, turns`+finishedOf+byMatch, e.ID)
	})
	if err != nil {
		return fmt.Errorf("reading the matches of event %d: %w", e.ID, err)
	}
	return nil
}

// legReader combines the games of matches, which come match by match.
type legReader struct {
	starts *starts
	book   tournament.Scorebook // of one match
	match  int
}

// add adds a game, and returns its match if that is decided.
func (l *legReader) add(p tournament.Pairing, leg int, f tournament.Facts) (m tournament.MatchResult, decided bool) {
	if p.Match != l.match {
		l.match, l.book = p.Match, tournament.Scorebook{}
	}
	l.book.Add(p, leg, f.Start, f.Summary())
	if done := l.book.Matches(); len(done) > 0 {
		return done[0], true
	}
	return m, false
}

// SetAside returns the bots that an event's strikes have set aside.
func (s *Store) SetAside(ctx context.Context, e tournament.Event) (tournament.SetAside, error) {
	if e.Settings.Strikes.Faults == 0 {
		return nil, nil
	}
	matches, err := s.Matches(ctx, e)
	return e.SetAside(matches), err
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
