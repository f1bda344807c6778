package results

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"versus2048/internal/text/plain"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Errors of a file that cannot be imported. ErrNewer and ImportedError are further ones.
var (
	ErrNoEvent   = errors.New("not an event exported by arena export")
	ErrTruncated = errors.New("it is truncated: its end is missing")
	ErrBroken    = errors.New("it is damaged")
)

// ImportedError means that the database already has the event of a file.
type ImportedError struct {
	Event int64
	Name  string
}

func (e *ImportedError) Error() string {
	return fmt.Sprintf("the database has this event already, as event %d: %q, created at the same time; nothing is imported", e.Event, e.Name)
}

// Import reads an event that was exported with Export, and records it with all its games under new numbers. If
// it returns an error, it has recorded nothing. For a file that cannot be imported, it returns ErrNoEvent,
// ErrNewer, ErrTruncated, ErrBroken or an *ImportedError. If r fails, it returns r's error. It returns a *NoRoomError if
// the disk would have less than keepFree bytes left. If keepFree is 0, the event may fill the disk. The store must come
// from Open.
func (s *Store) Import(ctx context.Context, r io.Reader, keepFree int64) (t Transfer, err error) {
	return s.importWithin(ctx, r, newRoom(s.place.path, keepFree))
}

func (s *Store) importWithin(ctx context.Context, r io.Reader, disk room) (t Transfer, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		t, err = s.importEvent(ctx, tx, r, disk)
		return err
	})
	s.ends.recorded.Add(1)
	return t, err
}

func (s *Store) importEvent(ctx context.Context, tx *sql.Tx, r io.Reader, disk room) (t Transfer, err error) {
	if err := disk.check(); err != nil {
		return t, err
	}
	in := newLineReader(r)
	e, identities, err := in.recordHeader(ctx, tx)
	if err != nil {
		return t, err
	}
	games := importer{tx: newWriteTx(tx), rows: s.rows, event: &e, bots: map[string]bool{}, identities: identities, half: map[importedKey]importedMatch{}}
	for _, entry := range e.Entries {
		games.bots[entry.Name] = true
	}
	err = in.games(func(line fileLine) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := games.record(ctx, line); err != nil {
			return in.broken(err)
		}
		return disk.check()
	})
	return Transfer{e.ID, e.Name, in.end.Games, in.end.Unfinished}, err
}

// CheckFile reads the file of an exported event to its end and returns its description, without the event's number. It
// compares the counts and the checksum. For a file that cannot be imported, it returns ErrNoEvent, ErrNewer,
// ErrTruncated or ErrBroken. If r fails, it returns r's error. Only Import checks whether the games are possible.
func CheckFile(r io.Reader) (t Transfer, err error) {
	in := newLineReader(r)
	header, err := in.header()
	if err != nil {
		return t, err
	}
	err = in.games(func(fileLine) error { return nil })
	return Transfer{Name: header.Event.Name, Games: in.end.Games, Unfinished: in.end.Unfinished}, err
}

// importer records the games of an event that is being imported.
type importer struct {
	tx    *writeTx
	rows  *rowWriter
	event *tournament.Event
	bots  map[string]bool               // the names of the event's entries
	half  map[importedKey]importedMatch // the matches with one game so far

	identities []int64 // the database's numbers for the header's descriptions of bots, in the header's order
}

// importedKey identifies a match of a file. The number is not enough: a voided match and the match that replaced it
// have the same number.
type importedKey struct {
	number int
	voided time.Time
}

// importedMatch is a match with one recorded game so far.
type importedMatch struct {
	row     *matchRow
	pairing tournament.Pairing
}

// maxHalf limits the number of matches that wait for their second game during an import. While an
// event is played, at most MaxConcurrency matches wait at once.
const maxHalf = 10 * tournament.MaxConcurrency

func (im *importer) record(ctx context.Context, line fileLine) error {
	f, key := line.Game, importedKey{}
	if v := line.Voided; v != nil {
		f, key.voided = v.Game, v.At
	}
	g, err := im.game(f)
	if err = cmp.Or(err, checkTime(key.voided)); err != nil {
		return err
	}
	key.number = g.Match
	match, second := im.half[key]
	switch {
	case second && match.pairing != g.Pairing:
		return fmt.Errorf("match %d: one of its games is of %s, the other one of %s", g.Match, pairingText(match.pairing), pairingText(g.Pairing))
	case second:
		delete(im.half, key)
	case len(im.half) == maxHalf:
		return fmt.Errorf("more than %d matches have one game so far", maxHalf)
	default:
		match = importedMatch{&matchRow{id: im.rows.lastMatch.Add(1)}, g.Pairing}
		im.half[key] = match
	}
	bots, err := im.described(f)
	if err != nil {
		return err
	}
	err = im.rows.add(ctx, im.tx, im.event.ID, match.row, &g, bots)
	if errors.Is(err, ErrRecorded) {
		err = fmt.Errorf("game %d of match %d is there twice", g.Leg, g.Match)
	}
	if err == nil && line.Voided != nil {
		err = void(ctx, im.tx.Tx, match.row.id, im.event.ID, key.voided)
	}
	return err
}

// pairingText describes a pairing in an error about two different ones.
func pairingText(p tournament.Pairing) string {
	return fmt.Sprintf("round %d, match %d of %.80q against %.80q", p.Round, p.Nth, p.First, p.Second)
}

// described returns the database's numbers for the descriptions of a game's two bots, 0 for none.
func (im *importer) described(f *fileGame) (bots [2]int64, err error) {
	for side, place := range f.Identities {
		if place < 0 || place > len(im.identities) {
			return bots, fmt.Errorf("description %d of a bot: the file has %d", place, len(im.identities))
		}
		if place > 0 {
			bots[side] = im.identities[place-1]
		}
	}
	return bots, nil
}

// mostNumber is the greatest number of a match or a round: a Catalog and tables for other programs have 32 bits for it.
const mostNumber = math.MaxInt32

// event returns the header's event. It returns an error if the event cannot be played.
func (h *fileHeader) event() (tournament.Event, error) {
	e := h.Event
	e.Bots, e.Entries, e.Memberships = nil, h.Entries, h.Memberships
	return e, cmp.Or(checkTime(e.Created), format.Validate(e))
}

// game returns the game of a line. It returns an error if the game does not fit the event.
func (im *importer) game(f *fileGame) (tournament.Game, error) {
	g := tournament.Game{
		Pairing: tournament.Pairing{Match: f.Match, Round: f.Round, Nth: f.Nth, First: f.First, Second: f.Second},
		Leg:     f.Leg, Started: f.Started, Finished: f.Finished, Record: f.Record,
	}
	switch e, start := im.event, f.Record.Start; {
	case min(g.Match, g.Round, g.Nth, g.Leg) < 1 || max(g.Match, g.Round, g.Nth) > mostNumber || g.Leg > 2:
		return g, fmt.Errorf("game %d of match %d, round %d, %d of its pair: want game 1 or 2, and the other numbers from 1 to %d", g.Leg, g.Match, g.Round, g.Nth, mostNumber)
	case !im.bots[g.First] || !im.bots[g.Second]:
		return g, fmt.Errorf("a game of %.100q and %.100q: want two bots of the event", g.First, g.Second)
	case start.Rules() != e.Rules || start.Size() != e.Size:
		return g, fmt.Errorf("a game of %v %v in an event of %v %v", start.Rules(), start.Size(), e.Rules, e.Size)
	case (f.Record.Ending == record.Unfinished) != f.Finished.IsZero():
		return g, errors.New("its ending does not agree with the time of its end")
	}
	return g, cmp.Or(checkTime(g.Started), checkTime(g.Finished), verifyRoles(&Stored{Game: g}))
}

// The lengths of the longest lines, in bytes. A header has an event, at most as long as the longest
// HTTP request, and the descriptions of its bots. The longest recorded games have some megabytes,
// mostly search reports. Import needs several times the memory of its longest line.
const (
	maxHeaderLine = 8 << 20
	maxGameLine   = 64 << 20
)

// lineReader reads the lines of a file, and computes the counts and the checksum that the file's end must have.
type lineReader struct {
	r    *bufio.Reader
	line int
	hash hash.Hash // of the lines before the last one
	last []byte
	end  fileEnd
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReader(plain.WithoutBOM(r)), hash: sha256.New()}
}

// games reads the lines after the header. It calls the function each with every line of a game, and compares the file's
// end with the lines. It stops at the first error of a call, and returns it.
func (l *lineReader) games(each func(fileLine) error) error {
	for {
		var line fileLine
		if err := l.next(&line, maxGameLine); err != nil {
			return err
		}
		switch {
		case line.Game != nil, line.Voided != nil && line.Voided.Game != nil:
			if err := each(line); err != nil {
				return err
			}
			l.end.count(line)
		case line.End != nil:
			return l.finish(*line.End)
		default:
			return l.broken(errors.New("want a game or the end"))
		}
	}
}

// next decodes the next line. The parameter most is the largest number of bytes that the line may have.
func (l *lineReader) next(into any, most int) (err error) {
	l.hash.Write(l.last)
	l.line++
	l.last, err = plain.ReadLine(l.r, most)
	if line, found := bytes.CutSuffix(l.last, []byte("\r\n")); found { // another program may have changed the line ends
		l.last = append(line, '\n')
	}
	var long *plain.TooLongError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ErrTruncated
	case errors.As(err, &long):
		return l.broken(err)
	case err != nil:
		return l.unread(err)
	}
	if err := json.Unmarshal(l.last, into); err != nil {
		return l.broken(err)
	}
	return nil
}

// unread returns the error for a file that cannot be read. The error tells nothing about the file's content.
func (l *lineReader) unread(err error) error { return fmt.Errorf("reading line %d: %w", l.line, err) }

// broken returns ErrBroken with the number of the line and the reason. It returns only the reason if the reason is not
// about the file.
func (l *lineReader) broken(why error) error {
	if ofStore(why) {
		return why
	}
	return fmt.Errorf("%w in line %d: %w", ErrBroken, l.line, why)
}

// ofStore reports whether an error comes from the database, such as a full disk, or from the end of a context.
func ofStore(err error) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) && !hasCode(err, sqlite3.SQLITE_CONSTRAINT) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// header reads the first line.
func (l *lineReader) header() (*fileHeader, error) {
	var line fileLine
	var long *plain.TooLongError
	switch err := l.next(&line, maxHeaderLine); {
	case errors.As(err, &long):
		return nil, fmt.Errorf("%w: in line %d: %w", ErrNoEvent, l.line, long)
	case (err == nil || errors.Is(err, ErrBroken)) && (line.Header == nil || line.Header.Format != fileFormat):
		return nil, ErrNoEvent
	case err != nil:
		return nil, err
	case line.Header.Version > fileVersion:
		return nil, fmt.Errorf("%w: its version is %d, the newest known here is %d", ErrNewer, line.Header.Version, fileVersion)
	}
	return line.Header, nil
}

// recordHeader reads the first line, and records its event and its descriptions of bots. identities are the numbers of
// the descriptions in the database.
func (l *lineReader) recordHeader(ctx context.Context, tx *sql.Tx) (e tournament.Event, identities []int64, err error) {
	header, err := l.header()
	if err != nil {
		return e, nil, err
	}
	if e, err = header.event(); err != nil {
		return e, nil, l.broken(err)
	}
	if err := checkNew(ctx, tx, &e); err != nil {
		return e, nil, err
	}
	if e.ID, err = writeEvent(ctx, tx, &e); err != nil {
		return e, nil, err
	}
	for _, id := range header.Identities {
		bot, err := writeIdentity(ctx, tx, e.ID, id)
		if err != nil {
			return e, nil, err
		}
		identities = append(identities, bot)
	}
	return e, identities, nil
}

func checkNew(ctx context.Context, tx *sql.Tx, e *tournament.Event) error {
	var same int64
	row := tx.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM events WHERE name = ? AND created = ?`, e.Name, formatTime(e.Created))
	if err := row.Scan(&same); err != nil {
		return err
	}
	if same != 0 {
		return &ImportedError{same, e.Name}
	}
	return nil
}

// finish compares the last line with the lines before it. It returns an error if they do not agree, or if the file goes
// on after the last line.
func (l *lineReader) finish(end fileEnd) error {
	l.end.SHA256 = hex.EncodeToString(l.hash.Sum(nil))
	want, err := marshalLine(fileLine{End: &l.end})
	if err != nil {
		return err
	}
	if !bytes.Equal(l.last, want) {
		return l.broken(fmt.Errorf("it is for %v, but the lines before it have %v", end, l.end))
	}
	switch _, err := l.r.ReadByte(); {
	case err == nil:
		return l.broken(errors.New("something follows the end"))
	case !errors.Is(err, io.EOF):
		return l.unread(err)
	}
	return nil
}
