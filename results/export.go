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
	"slices"
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Transfer describes the file of an event that was exported or imported.
type Transfer struct {
	Event      int64 // its number in this database
	Name       string
	Games      int
	Unfinished int // of Games, with the plies that are on disk
}

// Reasons why a file cannot be imported, besides ErrNewer.
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
	return fmt.Sprintf("event %d is already this event: %q, created at the same time; nothing is imported", e.Event, e.Name)
}

// Export writes an event with all its games, from one snapshot of the database, for Import to read.
// It returns w's error, a *NotFoundError, or an error for a game that Verify would not accept.
func (s *Store) Export(ctx context.Context, w io.Writer, event int64) (t Transfer, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		e, err := readEvent(ctx, tx, event)
		if err != nil {
			return err
		}
		identities, err := readIdentities(ctx, tx, event)
		if err != nil {
			return err
		}
		out := lineWriter{w: w, hash: sha256.New()}
		header := newFileHeader(e, identities)
		if err := out.write(fileLine{Header: &header}); err != nil {
			return err
		}
		if err := eachGame(ctx, tx, Filter{Event: event, Searches: true}, out.game); err != nil {
			return err
		}
		t = Transfer{event, e.Name, out.end.Games, out.end.Unfinished}
		return out.write(fileLine{End: out.sum()})
	})
	if err != nil {
		return t, fmt.Errorf("exporting event %d: %w", event, err)
	}
	return t, nil
}

// Import reads an event that Export wrote, and records it with all its games under new numbers. If
// it returns an error, it has recorded nothing. It returns ErrNoEvent, ErrNewer, ErrTruncated,
// ErrBroken or an *ImportedError for a file that cannot be imported.
func (s *Store) Import(ctx context.Context, r io.Reader) (t Transfer, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		in := lineReader{r: bufio.NewReader(r), hash: sha256.New()}
		e, err := in.header(ctx, tx)
		if err != nil {
			return err
		}
		matches := importedMatches{}
		for {
			line, err := in.next()
			switch {
			case err != nil:
				return err
			case line.Game != nil:
				if err := matches.record(ctx, tx, s.rows, &e, line.Game); err != nil {
					return in.broken(err)
				}
				in.end.count(&line.Game.Record)
			case line.End != nil:
				t = Transfer{e.ID, e.Name, in.end.Games, in.end.Unfinished}
				return in.finish(*line.End)
			default:
				return in.broken(errors.New("want a game or the end"))
			}
		}
	})
	return t, err
}

// importedMatches are the matches of an import of which one game has been recorded so far, by number.
type importedMatches map[int]*matchRow

// record records a game of the event.
func (m importedMatches) record(ctx context.Context, tx *sql.Tx, w *rowWriter, e *tournament.Event, f *fileGame) error {
	g, err := f.game(e)
	if err != nil {
		return err
	}
	row := m[g.Match]
	if row == nil {
		row = &matchRow{id: w.lastMatch.Add(1)}
		m[g.Match] = row
	} else {
		delete(m, g.Match)
	}
	return w.add(ctx, tx, e.ID, row, &g)
}

// An event's file consists of lines of JSON: a header, a line for each game in the order in which
// they began, and an end with counts and a checksum to detect damage. It leaves out the numbers of
// the event and its games, which belong to a database, and the fields of a record that repeat them,
// the event's name or the date.
const (
	fileFormat  = "versus2048 event"
	fileVersion = 1
)

// fileLine is one line. Exactly one of its fields is set.
type fileLine struct {
	Header *fileHeader `json:"header,omitempty"`
	Game   *fileGame   `json:"game,omitempty"`
	End    *fileEnd    `json:"end,omitempty"`
}

type fileHeader struct {
	Format      string                  `json:"format"`
	Version     int                     `json:"version"`
	Event       tournament.Event        `json:"event"` // without its entries and memberships
	Entries     []tournament.Entry      `json:"entries"`
	Memberships []tournament.Membership `json:"stays"`
	Identities  []tournament.Identity   `json:"identities"`
}

// fileGame is a game, finished or in progress.
type fileGame struct {
	Match    int           `json:"match"`
	Round    int           `json:"round"`
	Nth      int           `json:"nth"`
	First    string        `json:"first"`
	Second   string        `json:"second"`
	Leg      int           `json:"leg"`
	Started  time.Time     `json:"started"`
	Finished time.Time     `json:"finished,omitzero"`
	Record   record.Record `json:"record"`
}

// fileEnd sums up the lines before it.
type fileEnd struct {
	Games      int    `json:"games"`
	Unfinished int    `json:"unfinished"` // of Games
	Plies      int    `json:"plies"`
	SHA256     string `json:"sha256"` // of all lines before, in hexadecimal
}

func newFileHeader(e tournament.Event, identities []tournament.Identity) fileHeader {
	h := fileHeader{
		Format:      fileFormat,
		Version:     fileVersion,
		Entries:     append([]tournament.Entry{}, e.Entries...), // never null
		Memberships: append([]tournament.Membership{}, e.Memberships...),
		Identities:  append([]tournament.Identity{}, identities...),
	}
	h.Event, h.Event.Entries, h.Event.Memberships = e, nil, nil
	// The order in the database depends on the bots of other events.
	slices.SortFunc(h.Identities, func(a, b tournament.Identity) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Author, b.Author), cmp.Compare(a.Spec, b.Spec))
	})
	return h
}

// event returns the header's event. It returns an error if the event cannot be played.
func (h *fileHeader) event() (tournament.Event, error) {
	e := h.Event
	e.Bots, e.Entries, e.Memberships = nil, h.Entries, h.Memberships
	return e, format.Validate(e)
}

func newFileGame(g *tournament.Game) *fileGame {
	r := g.Record
	r.Event, r.Game, r.Date = "", "", ""
	return &fileGame{g.Match, g.Round, g.Nth, g.First, g.Second, g.Leg, g.Started, g.Finished, r}
}

// game returns the line's game. It returns an error if the game does not fit the event.
func (f *fileGame) game(e *tournament.Event) (tournament.Game, error) {
	g := tournament.Game{
		Pairing: tournament.Pairing{Match: f.Match, Round: f.Round, Nth: f.Nth, First: f.First, Second: f.Second},
		Leg:     f.Leg, Started: f.Started, Finished: f.Finished, Record: f.Record,
	}
	switch start := f.Record.Start; {
	case start.Rules() != e.Rules || start.Size() != e.Size:
		return g, fmt.Errorf("a game of %v %v in an event of %v %v", start.Rules(), start.Size(), e.Rules, e.Size)
	case (f.Record.Ending == record.Unfinished) != f.Finished.IsZero():
		return g, errors.New("its ending does not agree with the time of its end")
	}
	return g, nil
}

// count adds a game to the sums.
func (e *fileEnd) count(r *record.Record) {
	e.Games++
	e.Plies += len(r.Moves)
	if r.Ending == record.Unfinished {
		e.Unfinished++
	}
}

// marshalLine returns a line of the file.
func marshalLine(line fileLine) ([]byte, error) {
	text, err := json.Marshal(line)
	return append(text, '\n'), err
}

// lineWriter writes lines and sums them up.
type lineWriter struct {
	w    io.Writer
	hash hash.Hash
	end  fileEnd
}

func (l *lineWriter) write(line fileLine) error {
	text, err := marshalLine(line)
	if err != nil {
		return err
	}
	l.hash.Write(text)
	_, err = l.w.Write(text)
	return err
}

func (l *lineWriter) game(g Stored) error {
	if g.Record.Ending != record.Unfinished {
		if err := verifyRecord(&g); err != nil {
			return fmt.Errorf("game %d differs from its record: %w; see: arena verify", g.ID, err)
		}
	}
	l.end.count(&g.Record)
	return l.write(fileLine{Game: newFileGame(&g.Game)})
}

// sum returns the end for the lines written so far.
func (l *lineWriter) sum() *fileEnd {
	l.end.SHA256 = hex.EncodeToString(l.hash.Sum(nil))
	return &l.end
}

// lineReader reads lines and sums them up.
type lineReader struct {
	r    *bufio.Reader
	line int
	hash hash.Hash // of the lines before the last one
	last []byte
	end  fileEnd
}

func (l *lineReader) next() (line fileLine, err error) {
	l.hash.Write(l.last)
	l.line++
	l.last, err = l.r.ReadBytes('\n')
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return line, ErrTruncated
	case err != nil:
		return line, l.broken(err)
	}
	if err := json.Unmarshal(l.last, &line); err != nil {
		return line, l.broken(err)
	}
	return line, nil
}

// broken returns ErrBroken with the line and the reason.
func (l *lineReader) broken(why error) error {
	return fmt.Errorf("%w in line %d: %w", ErrBroken, l.line, why)
}

// header reads the first line and records its event.
func (l *lineReader) header(ctx context.Context, tx *sql.Tx) (e tournament.Event, err error) {
	line, err := l.next()
	if (err == nil || errors.Is(err, ErrBroken)) && (line.Header == nil || line.Header.Format != fileFormat) {
		return e, ErrNoEvent
	}
	if err == nil && line.Header.Version > fileVersion {
		return e, fmt.Errorf("%w: its version is %d, the newest known here is %d", ErrNewer, line.Header.Version, fileVersion)
	}
	if err != nil {
		return e, err
	}
	if e, err = line.Header.event(); err != nil {
		return e, l.broken(err)
	}
	if err := checkNew(ctx, tx, &e); err != nil {
		return e, err
	}
	if e.ID, err = writeEvent(ctx, tx, &e); err != nil {
		return e, err
	}
	for _, id := range line.Header.Identities {
		if err := writeIdentity(ctx, tx, e.ID, id); err != nil {
			return e, err
		}
	}
	return e, nil
}

// checkNew returns an *ImportedError if the database already has the event.
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

// finish compares the last line with the lines before it. It returns an error if anything follows.
func (l *lineReader) finish(end fileEnd) error {
	l.end.SHA256 = hex.EncodeToString(l.hash.Sum(nil))
	want, err := marshalLine(fileLine{End: &l.end})
	if err != nil {
		return err
	}
	if !bytes.Equal(l.last, want) {
		return l.broken(fmt.Errorf("it has %+v, but the lines before it have %+v", end, l.end))
	}
	switch _, err := l.r.ReadByte(); {
	case err == nil:
		return l.broken(errors.New("something follows the end"))
	case !errors.Is(err, io.EOF):
		return l.broken(err)
	}
	return nil
}
