package results

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

	"versus2048/rules/record"
)

// Transfer is what a file of an event holds.
type Transfer struct {
	Event      int64 // its number in this database
	Name       string
	Games      int
	Unfinished int // of Games: with the plies that are on disk
}

// Export writes an event with all its games, as they are at one moment, so that
// Import makes the same event of it. It returns w's error, a *NotFoundError, or an
// error for a game that Verify would not let through.
func (s *Store) Export(ctx context.Context, w io.Writer, event int64) (t Transfer, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		e, err := findEvent(ctx, tx, event)
		if err != nil {
			return err
		}
		who, err := identities(ctx, tx, event)
		if err != nil {
			return err
		}
		out := lineWriter{w: w, hash: sha256.New()}
		header := newFileHeader(e, who)
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

// lineWriter writes lines and keeps count of them.
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
		if err := verify(&g); err != nil {
			return fmt.Errorf("game %d differs from its record: %w; see: arena verify", g.ID, err)
		}
	}
	l.end.count(&g.Record)
	return l.write(fileLine{Game: newFileGame(&g.Game)})
}

// count counts a game.
func (e *fileEnd) count(r *record.Record) {
	e.Games++
	e.Plies += len(r.Moves)
	if r.Ending == record.Unfinished {
		e.Unfinished++
	}
}

// sum is the end of what has been written.
func (l *lineWriter) sum() *fileEnd {
	l.end.SHA256 = hex.EncodeToString(l.hash.Sum(nil))
	return &l.end
}
