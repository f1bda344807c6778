package results

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"slices"

	"versus2048/rules"
	"versus2048/tournament"
)

// Verification is the result of checking stored games.
type Verification struct {
	Games int   `json:"games"` // finished games that were checked
	Plies int64 `json:"plies"`
	Bad   int   `json:"bad"` // games with a wrong record, checksum or log
	// Unsummed counts the games without a checksum. Earlier versions recorded such games.
	Unsummed int `json:"without_checksum"`
}

// ErrDamaged means that the database itself is damaged, not only the record of a game.
var ErrDamaged = errors.New("the database is damaged; keep a copy, then try sqlite3's .recover")

// Verify replays every finished game that the filter selects and compares the game with the result that the
// referee announced. It also checks that the search reports fit the game, and that the game begins and ends
// according to the rules of its event. If the event decides matches early, the filter must select both games of
// a match or none. Verify calls bad with each game that differs, and the reason. It returns ErrDamaged if the
// database's own structure is broken, for example if two games have the same number or leg.
func (s *Reader) Verify(ctx context.Context, f Filter, bad func(g Stored, why error)) (Verification, error) {
	verifier := &verifier{events: map[int64]*conditions{}, first: map[matchKey]firstGame{}, wrong: map[matchKey]bool{}}
	return verifyRows(ctx, s, f, bad, func(tx *sql.Tx, row *gameRow) (Stored, error) {
		g, why := row.game()
		if why == nil {
			why = verifyRecord(&g)
		}
		match := matchKey{row.event, row.pairing.Match, row.voided}
		if why != nil {
			verifier.wrong[match] = true
			return g, why
		}
		if why = verifier.check(ctx, tx, match, &g); why == nil {
			why = row.verifySum()
		}
		return g, why
	})
}

// VerifySums works like Verify, but compares games with their checksums instead of replaying them.
// It replays a game without a checksum, but does not compare that game with its event or match.
func (s *Reader) VerifySums(ctx context.Context, f Filter, bad func(g Stored, why error)) (Verification, error) {
	return verifyRows(ctx, s, f, bad, func(_ *sql.Tx, row *gameRow) (Stored, error) {
		why := row.verifySum()
		if why == nil && row.checksum != nil {
			return Stored{}, nil
		}
		g, unreadable := row.game()
		if why == nil {
			why = unreadable
		}
		if why == nil {
			why = verifyRecord(&g)
		}
		return g, why
	})
}

// verifyRows checks the database's structure, then the logs, then the finished games that the filter selects.
func verifyRows(ctx context.Context, s *Reader, f Filter, bad func(g Stored, why error), check func(*sql.Tx, *gameRow) (Stored, error)) (Verification, error) {
	var v Verification
	f.Finished, f.Searches, f.Voided = true, true, true
	differ := map[int64]bool{}
	count := func(g Stored, why error) {
		differ[g.ID] = true
		v.Bad = len(differ)
		bad(g, why)
	}
	err := s.view(ctx, func(tx *sql.Tx) error {
		if err := checkStructure(ctx, tx); err != nil {
			return err
		}
		if err := verifyLogs(ctx, tx, f, count); err != nil {
			return err
		}
		return eachGameRow(ctx, tx, f, func(row *gameRow) error {
			g, why := check(tx, row)
			if ctx.Err() != nil {
				return ctx.Err() // a game that could not be read is not damaged
			}
			if row.checksum == nil {
				v.Unsummed++
			}
			v.Games++
			v.Plies += int64(cmp.Or(len(g.Record.Moves), row.announced.Plies))
			if why != nil {
				count(g, why)
			}
			return nil
		})
	})
	return v, err
}

// checkStructure lets SQLite compare its tables with their indexes and constraints.
func checkStructure(ctx context.Context, tx *sql.Tx) error {
	var result string
	if err := tx.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&result); err != nil {
		return fmt.Errorf("checking the database: %w", err)
	}
	if result != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, result)
	}
	var orphans int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM pragma_foreign_key_check`).Scan(&orphans); err != nil {
		return fmt.Errorf("checking the database: %w", err)
	}
	if orphans > 0 {
		return fmt.Errorf("%w: %d rows refer to missing rows", ErrDamaged, orphans)
	}
	return nil
}

// verifyRecord replays one game and compares it with the result that the referee announced.
func verifyRecord(g *Stored) error {
	last, err := g.Record.Replay()
	if err != nil {
		return err
	}
	plies := len(g.Record.Moves)
	for _, fact := range []struct {
		name             string
		announced, found int
	}{
		{"plies", g.Announced.Plies, plies},
		{"score", g.Announced.Score, last.Score()},
		{"largest tile", g.Announced.LargestTile, last.LargestTile()},
		{"times", plies, len(g.Record.Times)},
	} {
		if fact.announced != fact.found {
			return fmt.Errorf("%s: want %d, the record gives %d", fact.name, fact.announced, fact.found)
		}
	}
	return cmp.Or(g.Record.CheckPauses(), g.Record.CheckSearches(), verifyRoles(g))
}

func verifyRoles(g *Stored) error {
	attacker, defender := g.Roles(g.Leg)
	if g.Record.Start.Rules().Chance() {
		attacker = tournament.ChanceName
	}
	if g.Record.Attacker != attacker || g.Record.Defender != defender {
		return fmt.Errorf("%s attacks %s, but in its match %s attacks %s", g.Record.Attacker, g.Record.Defender, attacker, defender)
	}
	return nil
}

// verifier compares games with their events and with the other games of their matches. It remembers the
// conditions of the events so far, and the first game of each match until it gets the second one.
type verifier struct {
	events map[int64]*conditions
	first  map[matchKey]firstGame
	wrong  map[matchKey]bool // the matches with a wrong record: it cannot tell whether the match's other game ends early
}

// conditions are the conditions for the games of one event.
type conditions struct {
	adjudication tournament.Adjudication
	starts       []rules.Position // the openings of the event
}

// matchKey identifies a match of a database.
type matchKey struct {
	event  int64
	match  int
	voided string // when it was voided, "" if it was not: the match that is played again has the same number
}

// firstGame is the game of a match that was checked first.
type firstGame struct {
	leg    int
	start  rules.Position
	target *int
}

// check returns an error if a game does not agree with its event or match. Its moves must be legal,
// and a match's first game must be checked before its second.
func (v *verifier) check(ctx context.Context, tx *sql.Tx, key matchKey, g *Stored) error {
	c, err := v.conditions(ctx, tx, g.Event)
	if err != nil {
		return err
	}
	start := g.Record.Start
	if !slices.Contains(c.starts, start) {
		return fmt.Errorf("it starts from %v, which is not an opening of its event", start)
	}
	if v.wrong[key] && c.adjudication.EarlyDecision {
		return nil
	}
	other, seen := v.first[key]
	if delete(v.first, key); !seen {
		v.first[key] = firstGame{g.Leg, start, c.adjudication.Target(tournament.Summarize(&g.Game))}
	}
	var target *int
	if seen && other.leg == 1 {
		target = other.target
	}
	if seen && other.start != start {
		return fmt.Errorf("it starts from %v, but the other game of its match from %v", start, other.start)
	}
	return c.adjudication.Check(&g.Record, target)
}

func (v *verifier) conditions(ctx context.Context, tx *sql.Tx, event int64) (*conditions, error) {
	if c := v.events[event]; c != nil {
		return c, nil
	}
	e, err := readEvent(ctx, tx, event)
	if err != nil {
		return nil, err
	}
	c := &conditions{adjudication: e.Settings.Adjudication}
	if c.starts, err = e.Starts(); err != nil {
		return nil, err
	}
	v.events[event] = c
	return c, nil
}

// A game's checksum consists of a version byte, which identifies the algorithm, and the beginning of a hash.
const (
	checksumVersion = 1
	checksumBytes   = 16 // of the hash
)

// sum returns the checksum of the whole record of a finished game. Empty and zero fields do not
// change the checksum, so checksums stay valid when a later version adds a column.
func (row *gameRow) sum() []byte {
	h := fieldHash{sha256.New()}
	h.number("id", row.id)
	h.number("event", row.event)
	h.number("match", int64(row.pairing.Match))
	h.number("round", int64(row.pairing.Round))
	h.number("nth", int64(row.pairing.Nth))
	h.text("first", row.pairing.First)
	h.text("second", row.pairing.Second)
	h.number("leg", int64(row.leg))
	h.text("attacker", row.attacker)
	h.text("defender", row.defender)
	h.number("attacker_seed", int64(row.attackerSeed))
	h.number("defender_seed", int64(row.defenderSeed))
	h.text("start", row.start)
	h.text("started", row.started)
	h.text("finished", row.finished)
	h.text("ending", row.ending)
	h.text("detail", row.detail)
	h.bytes("turns", row.turns)
	h.bytes("times", row.times)
	h.bytes("searches", row.searches)
	h.bytes("pauses", row.pauses)
	h.number("plies", int64(row.announced.Plies))
	h.number("score", int64(row.announced.Score))
	h.number("largest_tile", int64(row.announced.LargestTile))
	h.number("attacker_bot", row.bots[rules.Attacker])
	h.number("defender_bot", row.bots[rules.Defender])
	return append([]byte{checksumVersion}, h.Sum(nil)[:checksumBytes]...)
}

// verifySum compares a row, read with its search reports, with its checksum. It returns nil for a
// row without a checksum.
func (row *gameRow) verifySum() error {
	switch {
	case row.checksum == nil:
		return nil
	case len(row.checksum) == 0 || row.checksum[0] != checksumVersion:
		return fmt.Errorf("its checksum %x is damaged, or a newer version of the arena made it", row.checksum)
	case !bytes.Equal(row.checksum, row.sum()):
		return errors.New("its checksum is wrong: a time, a date, a search report or another part of its record has changed")
	}
	return nil
}

// fieldHash hashes the fields of a row, each with its name and length.
type fieldHash struct{ hash.Hash }

func (h fieldHash) bytes(name string, value []byte) {
	if len(value) == 0 {
		return
	}
	for _, part := range [][]byte{[]byte(name), value} {
		h.Write(binary.AppendUvarint(nil, uint64(len(part)))) // a hash returns no errors
		h.Write(part)
	}
}

func (h fieldHash) text(name, value string) { h.bytes(name, []byte(value)) }

func (h fieldHash) number(name string, value int64) {
	if value != 0 {
		h.bytes(name, binary.AppendVarint(nil, value))
	}
}
