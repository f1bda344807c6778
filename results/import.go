package results

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// Why an event's file can't be imported, besides ErrNewer.
var (
	ErrNoEvent   = errors.New("it is no event that arena export wrote")
	ErrTruncated = errors.New("its end is missing: it is truncated")
	ErrBroken    = errors.New("it is damaged")
)

// ImportedError says that the database has the event of a file already.
type ImportedError struct {
	Event int64
	Name  string
}

func (e *ImportedError) Error() string {
	return fmt.Sprintf("event %d is this one already: %q, with the same time of its beginning; nothing is imported", e.Event, e.Name)
}

// Import reads an event that Export wrote, and records it with all its games
// under new numbers: all of it or, after an error, nothing. The error is
// ErrNoEvent, ErrNewer, ErrTruncated, ErrBroken or an *ImportedError where the file
// says so.
func (s *Store) Import(ctx context.Context, r io.Reader) (t Transfer, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		in := lineReader{r: bufio.NewReader(r), hash: sha256.New()}
		e, err := in.header(ctx, tx)
		if err != nil {
			return err
		}
		j := s.Journal(e.ID)
		for {
			line, err := in.next()
			switch {
			case err != nil:
				return err
			case line.Game != nil:
				if err := importGame(ctx, tx, j, &e, line.Game); err != nil {
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

// lineReader reads lines and keeps count of them.
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

// broken is ErrBroken with where and why.
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
	var same int64
	row := tx.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM events WHERE name = ? AND created = ?`, e.Name, formatTime(e.Created))
	if err := row.Scan(&same); err != nil {
		return e, err
	}
	if same != 0 {
		return e, &ImportedError{same, e.Name}
	}
	if e.ID, err = createEvent(ctx, tx, &e); err != nil {
		return e, err
	}
	for _, id := range line.Header.Identities {
		if err := identify(ctx, tx, e.ID, id); err != nil {
			return e, err
		}
	}
	return e, nil
}

// finish holds the last line against what came before it, and nothing may come
// after it.
func (l *lineReader) finish(end fileEnd) error {
	l.end.SHA256 = hex.EncodeToString(l.hash.Sum(nil))
	want, err := marshalLine(fileLine{End: &l.end})
	if err != nil {
		return err
	}
	if !bytes.Equal(l.last, want) {
		return l.broken(fmt.Errorf("it says %+v, but before it came %+v", end, l.end))
	}
	switch _, err := l.r.ReadByte(); {
	case err == nil:
		return l.broken(errors.New("something follows the end"))
	case !errors.Is(err, io.EOF):
		return l.broken(err)
	}
	return nil
}

// importGame records a game, one in progress with its journal.
func importGame(ctx context.Context, tx *sql.Tx, j *Journal, e *tournament.Event, f *fileGame) error {
	g, err := f.game(e)
	if err != nil {
		return err
	}
	if g.ID, err = j.insert(ctx, tx, &g); err != nil {
		return err
	}
	if g.Record.Ending != record.Unfinished {
		return finishGame(ctx, tx, &g)
	}
	c, err := newChunk(&g.Record)
	if err != nil || len(c.moves) == 0 {
		return err
	}
	return c.write(ctx, tx, g.ID)
}
