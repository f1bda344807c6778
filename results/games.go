package results

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Stored is a game in the database. Its times are whole microseconds.
type Stored struct {
	tournament.Game
	Event     int64
	Announced Announced // zero while the game is in progress
	// Bots are the numbers of the attacker's and the defender's descriptions at the game's end; 0 means unknown.
	Bots [2]int64
	// Voided is the time when the game's match was voided, zero for a game that counts: see [Store.Void].
	Voided time.Time
	// Scored reports whether the score counts in the event's statistics (see
	// [tournament.Event.Scored]), given the games so far. It is set only if the filter asks for it.
	Scored bool
}

// Announced holds the values that the referee announced at the end of a game.
type Announced struct {
	Plies       int
	Score       int
	LargestTile int
}

// String returns a text such as "12 plies, the score 8 and the largest tile 4".
func (a Announced) String() string {
	return fmt.Sprintf("%d plies, the score %d and the largest tile %d", a.Plies, a.Score, a.LargestTile)
}

// Filter selects games. A zero field leaves no game out, except for Voided.
type Filter struct {
	Event    int64
	Game     int64
	Match    int    // its number in the event
	Leg      int    // of the match, 1 or 2
	Bot      string // in either role
	Ending   record.Ending
	Finished bool // leave out games in progress
	Voided   bool // also games of voided matches; always so if Game is set
	Last     int  // only the last of the selected games, at most this many

	Searches bool // also read the bots' search reports, the largest part of a game's data
	Scored   bool // with Event: also find out which scores count in its statistics
}

// Games calls each with every game that the filter selects, with its moves so far, in the order of
// the games' numbers. Games in progress always have their search reports. All games are read from
// one snapshot of the database. If each returns an error, Games stops and returns it.
func (s *Reader) Games(ctx context.Context, f Filter, each func(Stored) error) error {
	return s.Snapshot(ctx, func(now Snapshot) error { return now.Games(ctx, f, each) })
}

// Snapshot is one state of the database, which several reads share.
type Snapshot struct{ tx *sql.Tx }

// Snapshot calls read with a snapshot of the database, which is valid until read returns.
func (s *Reader) Snapshot(ctx context.Context, read func(Snapshot) error) error {
	return s.view(ctx, func(tx *sql.Tx) error { return read(Snapshot{tx}) })
}

// Games is [Reader.Games] for this snapshot.
func (s Snapshot) Games(ctx context.Context, f Filter, each func(Stored) error) error {
	return eachGame(ctx, s.tx, f, each)
}

// Game returns a game, finished or in progress, with its search reports. It returns a
// *NotFoundError if there is no game with that number.
func (s *Reader) Game(ctx context.Context, id int64) (g Stored, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		g, err = findGame(ctx, tx, id)
		return err
	})
	return g, err
}

// FinishedGames returns the finished games of an event, without search reports.
func (s *Reader) FinishedGames(ctx context.Context, event int64) ([]tournament.Game, error) {
	var games []tournament.Game
	err := s.Games(ctx, Filter{Event: event, Finished: true}, func(g Stored) error {
		games = append(games, g.Game)
		return nil
	})
	return games, err
}

func findGame(ctx context.Context, tx *sql.Tx, id int64) (found Stored, err error) {
	err = eachGame(ctx, tx, Filter{Game: id, Searches: true}, func(g Stored) error {
		found = g
		return nil
	})
	if err == nil && found.ID == 0 {
		err = &NotFoundError{"game", id}
	}
	return found, err
}

func eachGame(ctx context.Context, tx *sql.Tx, f Filter, each func(Stored) error) error {
	scored := func(*tournament.Game) bool { return false }
	if f.Scored {
		var err error
		if scored, err = scoredGames(ctx, tx, f.Event); err != nil {
			return err
		}
	}
	return eachGameRow(ctx, tx, f, func(row *gameRow) error {
		g, err := row.game()
		if err == nil && g.Record.Ending == record.Unfinished {
			err = readJournal(ctx, tx, &g.Game)
		}
		if err != nil {
			return fmt.Errorf("reading game %d: %w", row.id, err)
		}
		g.Scored = g.Voided.IsZero() && scored(&g.Game)
		return each(g)
	})
}

// gameRow is a game's row of the database. It may be damaged.
type gameRow struct {
	id, event                  int64
	eventName, rules, size     string
	pairing                    tournament.Pairing
	leg                        int
	attacker, defender         string
	attackerSeed, defenderSeed uint64
	start, started             string
	finished, ending, detail   string // "" while the game is in progress
	turns, times               []byte // nil while the game is in progress
	searches                   []byte // nil also if there are none, or if the filter leaves them out
	pauses                     []byte // nil also if there are none
	announced                  Announced
	bots                       [2]int64 // the descriptions of the attacker and the defender, 0 if they are unknown
	checksum                   []byte   // nil also for games that an earlier version recorded
	voided                     string   // "" unless its match was voided
}

const (
	gameColumns = `games.id, events.id, events.name, rules, size, number, round, nth, first, second, leg, attacker, defender,
		attacker_seed, defender_seed, start, started, coalesce(finished, ''), coalesce(ending, ''), detail,
		turns, games.times, iif(?, games.searches, NULL), games.pauses, coalesce(plies, 0), coalesce(score, 0), coalesce(largest_tile, 0), checksum,
		coalesce(attacker_bot, 0), coalesce(defender_bot, 0), coalesce(voided, '')`
	gameTables = ` FROM games JOIN matches ON matches.id = match JOIN events ON events.id = coalesce(event, voided_of)`
)

func eachGameRow(ctx context.Context, tx *sql.Tx, f Filter, each func(*gameRow) error) error {
	var row gameRow
	columns := []any{
		&row.id, &row.event, &row.eventName, &row.rules, &row.size, &row.pairing.Match, &row.pairing.Round, &row.pairing.Nth, &row.pairing.First, &row.pairing.Second,
		&row.leg, &row.attacker, &row.defender, &row.attackerSeed, &row.defenderSeed, &row.start, &row.started,
		&row.finished, &row.ending, &row.detail, &row.turns, &row.times, &row.searches, &row.pauses,
		&row.announced.Plies, &row.announced.Score, &row.announced.LargestTile, &row.checksum, &row.bots[rules.Attacker], &row.bots[rules.Defender], &row.voided,
	}
	var eachErr error
	clause, args := f.where()
	err := queryEach(ctx, tx, func(rows *sql.Rows) error {
		if err := rows.Scan(columns...); err != nil {
			return err
		}
		eachErr = each(&row)
		return eachErr
	}, "SELECT "+gameColumns+gameTables+clause+" ORDER BY games.id", append([]any{f.Searches}, args...)...)
	if err != nil && eachErr == nil {
		return fmt.Errorf("reading games: %w", err)
	}
	return err
}

func (f Filter) where() (clause string, args []any) {
	s := selection{clause: " WHERE 1"}
	voided := f.Voided || f.Game != 0
	s.add(f.Event != 0 && voided, "(event = ? OR voided_of = ?)", f.Event, f.Event)
	s.add(f.Event != 0 && !voided, "event = ?", f.Event)
	s.add(f.Event == 0 && !voided, "event IS NOT NULL")
	s.add(f.Game != 0, "games.id = ?", f.Game)
	s.add(f.Match != 0, "number = ?", f.Match)
	s.add(f.Leg != 0, "leg = ?", f.Leg)
	s.add(f.Bot != "", plays, f.Bot)
	s.add(f.Ending != "" && f.Ending != record.Unfinished, "ending = ?", string(f.Ending))
	s.add(f.Ending == record.Unfinished, "ending IS NULL")
	s.add(f.Finished, "ending IS NOT NULL")
	if f.Last > 0 {
		s.clause = " WHERE games.id IN (SELECT games.id" + gameTables + s.clause + " ORDER BY games.id DESC LIMIT ?)"
		s.args = append(s.args, f.Last)
	}
	return s.clause, s.args
}

// game returns the row's game, without its moves if it is in progress.
func (row *gameRow) game() (Stored, error) {
	g := Stored{Event: row.event, Announced: row.announced, Bots: row.bots}
	g.ID, g.Pairing, g.Leg = row.id, row.pairing, row.leg
	g.Record = record.Record{
		Event:        row.eventName,
		Game:         strconv.FormatInt(row.id, 10),
		Attacker:     row.attacker,
		Defender:     row.defender,
		AttackerSeed: row.attackerSeed,
		DefenderSeed: row.defenderSeed,
		Ending:       record.Unfinished,
		Detail:       row.detail,
	}
	var startErr, startedErr, endErr, voidedErr error
	g.Record.Start, startErr = parseStart(row.rules, row.size, row.start)
	g.Started, startedErr = parseTime(row.started)
	g.Record.Date = g.Started.Format(time.DateOnly)
	if row.ending != "" {
		endErr = row.end(&g.Game)
	}
	if row.voided != "" {
		g.Voided, voidedErr = parseTime(row.voided)
	}
	return g, cmp.Or(startErr, startedErr, endErr, voidedErr)
}

// end sets the fields that only a finished game has.
func (row *gameRow) end(g *tournament.Game) error {
	var finishedErr, endingErr, movesErr, timesErr, searchesErr, pausesErr error
	g.Finished, finishedErr = parseTime(row.finished)
	r := &g.Record
	r.Ending, endingErr = record.ParseEnding(row.ending)
	r.Moves, movesErr = record.UnpackTurns(row.turns, r.Start.SideToMove())
	r.Times, r.Lags, timesErr = unpackTimes(row.times)
	r.Searches, searchesErr = unpackSearches(row.searches)
	r.Pauses, pausesErr = parsePauses(row.pauses)
	return cmp.Or(finishedErr, endingErr, movesErr, timesErr, searchesErr, pausesErr)
}

// formatStart writes a game's start; the empty board is "".
func formatStart(p rules.Position) string {
	if p == rules.NewPosition(p.Rules(), p.Size()) {
		return ""
	}
	return p.String()
}

func parseStart(ruleset, size, start string) (rules.Position, error) {
	r, err := rules.ParseRuleset(ruleset)
	if err != nil {
		return rules.Position{}, err
	}
	if start != "" {
		return rules.ParsePosition(r, start)
	}
	s, err := rules.ParseSize(size)
	return rules.NewPosition(r, s), err
}

// appendTimes packs a ply's time and lag, each as microseconds in a varint.
func appendTimes(dst []byte, spent, lag time.Duration) []byte {
	dst = binary.AppendUvarint(dst, uint64(max(0, spent.Microseconds())))
	return binary.AppendUvarint(dst, uint64(max(0, lag.Microseconds())))
}

// packTimes packs the times of all plies of a game. It returns an error if some are missing.
func packTimes(r *record.Record) ([]byte, error) {
	if len(r.Times) != len(r.Moves) || len(r.Lags) != len(r.Moves) {
		return nil, fmt.Errorf("%d plies with %d times and %d lags: want one of each per ply", len(r.Moves), len(r.Times), len(r.Lags))
	}
	packed := make([]byte, 0, 4*len(r.Times))
	for i := range r.Times {
		packed = appendTimes(packed, r.Times[i], r.Lags[i])
	}
	return packed, nil
}

var errTimes = errors.New("the packed times are damaged")

// longestTime is the longest time.Duration in whole microseconds.
const longestTime = uint64(math.MaxInt64 / int64(time.Microsecond))

// eachTime calls each with the time and the lag of every ply, as packed by appendTimes, until each returns false.
func eachTime(packed []byte, each func(spent, lag time.Duration) bool) error {
	for len(packed) > 0 {
		spent, n := binary.Uvarint(packed)
		if n <= 0 {
			return errTimes
		}
		lag, m := binary.Uvarint(packed[n:])
		if m <= 0 || spent > longestTime || lag > longestTime {
			return errTimes
		}
		if !each(time.Duration(spent)*time.Microsecond, time.Duration(lag)*time.Microsecond) {
			return nil
		}
		packed = packed[n+m:]
	}
	return nil
}

// unpackTimes undoes appendTimes for all plies.
func unpackTimes(packed []byte) (times, lags []time.Duration, err error) {
	err = eachTime(packed, func(spent, lag time.Duration) bool {
		times, lags = append(times, spent), append(lags, lag)
		return true
	})
	return times, lags, err
}

// formatSearches writes the reports of consecutive plies as JSON, or returns nil if there is none.
func formatSearches(searches []*record.SearchReport) ([]byte, error) {
	if !slices.ContainsFunc(searches, func(s *record.SearchReport) bool { return s != nil }) {
		return nil, nil
	}
	return json.Marshal(searches)
}

func parseSearches(text []byte) ([]*record.SearchReport, error) {
	if text == nil {
		return nil, nil
	}
	return record.ParseSearches(text)
}

// formatPauses writes pauses as JSON, or returns nil if there are none.
func formatPauses(pauses []record.Pause) ([]byte, error) {
	if len(pauses) == 0 {
		return nil, nil
	}
	return json.Marshal(pauses)
}

func parsePauses(text []byte) (pauses []record.Pause, err error) {
	if len(text) > 0 {
		err = json.Unmarshal(text, &pauses)
	}
	return pauses, err
}

// packSearches compresses the output of formatSearches.
func packSearches(searches []*record.SearchReport) ([]byte, error) {
	text, err := formatSearches(searches)
	if text == nil {
		return nil, err
	}
	return compress(text), err
}

// unpackSearches undoes packSearches.
func unpackSearches(packed []byte) ([]*record.SearchReport, error) {
	if packed == nil {
		return nil, nil
	}
	var searches []*record.SearchReport
	text, err := decompress(packed, maxGameLine)
	if err == nil {
		searches, err = parseSearches(text)
	}
	return searches, wrap(err, "the packed search reports are damaged")
}
