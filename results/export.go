package results

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"slices"
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// Transfer describes an exported or imported file of an event.
type Transfer struct {
	Event      int64 // its number in this database
	Name       string
	Games      int // without the games of voided matches
	Unfinished int // of Games; their plies so far are in the file
}

// Export writes an event with all its games, from one snapshot of the database. Import reads the output. Export
// returns w's error, a *NotFoundError, or an error for a finished game that differs from its record or a line that is
// too long for Import.
func (s *Reader) Export(ctx context.Context, w io.Writer, event int64) (t Transfer, err error) {
	return exportTo(ctx, s, lineWriter{w: w}, event)
}

// ExportShown exports like Export, but omits the search reports of unfinished games: these games may go on, and the
// reports show the bots' plans.
func (s *Reader) ExportShown(ctx context.Context, w io.Writer, event int64) (t Transfer, err error) {
	return exportTo(ctx, s, lineWriter{w: w, hides: true}, event)
}

func exportTo(ctx context.Context, s *Reader, out lineWriter, event int64) (t Transfer, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		t, err = export(ctx, tx, out, event)
		return err
	})
	return t, wrap(err, "exporting event %d", event)
}

func export(ctx context.Context, tx *sql.Tx, out lineWriter, event int64) (t Transfer, err error) {
	header, described, err := readHeader(ctx, tx, event)
	if err != nil {
		return t, err
	}
	out.hash, out.described, out.identities = sha256.New(), described.byNumber, header.Identities
	if err := out.write(fileLine{Header: &header}); err != nil {
		return t, err
	}
	if err := eachGame(ctx, tx, Filter{Event: event, Searches: true, Voided: true}, out.game); err != nil {
		return t, err
	}
	t = Transfer{event, header.Event.Name, out.end.Games, out.end.Unfinished}
	return t, out.write(fileLine{End: out.sum()})
}

// Header returns the header of an event's file, as JSON. It returns a *NotFoundError if there is no such event.
func (s *Reader) Header(ctx context.Context, event int64) (text []byte, err error) {
	err = s.Snapshot(ctx, func(now Snapshot) error {
		text, err = now.Header(ctx, event)
		return err
	})
	return text, err
}

// Header is [Reader.Header] for this snapshot.
func (s Snapshot) Header(ctx context.Context, event int64) ([]byte, error) {
	header, _, err := readHeader(ctx, s.tx, event)
	if err != nil {
		return nil, err
	}
	return json.Marshal(header)
}

func readHeader(ctx context.Context, tx *sql.Tx, event int64) (h fileHeader, d descriptions, err error) {
	e, err := readEvent(ctx, tx, event)
	if err == nil {
		d, err = readDescriptions(ctx, tx, event)
	}
	return newFileHeader(e, d.all), d, err
}

// An event's file consists of lines of JSON: a header, a line for each game, the oldest first, and
// an end with counts and a checksum to detect damage. The file leaves out the numbers of the event
// and of its games, which are valid in one database only. It also leaves out the fields of a record
// that repeat these numbers, the event's name or the date.
const (
	fileFormat  = "versus2048 event"
	fileVersion = 1
)

// fileLine is one line. Exactly one of its fields is set.
type fileLine struct {
	Header *fileHeader `json:"header,omitempty"`
	Game   *fileGame   `json:"game,omitempty"`
	Voided *fileVoided `json:"voided,omitempty"`
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
	// Identities are the places of the attacker's and the defender's descriptions in the header's
	// list, from 1; 0 means unknown.
	Identities [2]int `json:"identities,omitzero"`
}

// fileVoided is a game of a match that was voided.
type fileVoided struct {
	At   time.Time `json:"at"`
	Game *fileGame `json:"game"`
}

// fileEnd sums up the lines before it.
type fileEnd struct {
	Games      int    `json:"games"`
	Unfinished int    `json:"unfinished"` // of Games
	Plies      int    `json:"plies"`      // of Games
	Voided     int    `json:"voided,omitempty"`
	SHA256     string `json:"sha256"` // of all lines before, in hexadecimal
}

func (e fileEnd) String() string {
	return fmt.Sprintf("%d games (%d in progress) of %d plies with the SHA-256 %.12s...", e.Games, e.Unfinished, e.Plies, e.SHA256)
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

func newFileGame(g *tournament.Game) *fileGame {
	r := g.Record
	r.Event, r.Game, r.Date = "", "", ""
	return &fileGame{g.Match, g.Round, g.Nth, g.First, g.Second, g.Leg, g.Started, g.Finished, r, [2]int{}}
}

// count adds a line's game to the sums.
func (e *fileEnd) count(line fileLine) {
	if line.Voided != nil {
		e.Voided++
		return
	}
	e.Games++
	e.Plies += len(line.Game.Record.Moves)
	if line.Game.Record.Ending == record.Unfinished {
		e.Unfinished++
	}
}

func marshalLine(line fileLine) ([]byte, error) {
	text, err := json.Marshal(line)
	return append(text, '\n'), err
}

// lineWriter writes lines and sums them up.
type lineWriter struct {
	w          io.Writer
	hides      bool // leaves out the search reports of unfinished games
	hash       hash.Hash
	end        fileEnd
	described  map[int64]tournament.Identity // the event's bots, by number
	identities []tournament.Identity         // of the header
}

func (l *lineWriter) write(line fileLine) error {
	text, err := marshalLine(line)
	if err != nil {
		return err
	}
	most := maxGameLine
	if line.Header != nil {
		most = maxHeaderLine
	}
	if len(text) > most {
		return fmt.Errorf("its line would have %d bytes, more than the %d that arena import reads", len(text), most)
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
	if l.hides && g.Record.Ending == record.Unfinished {
		g.Record.Searches = nil
	}
	game := newFileGame(&g.Game)
	for side, bot := range g.Bots {
		if id, known := l.described[bot]; known {
			game.Identities[side] = 1 + slices.Index(l.identities, id)
		}
	}
	line := fileLine{Game: game}
	if !g.Voided.IsZero() {
		line = fileLine{Voided: &fileVoided{g.Voided, game}}
	}
	l.end.count(line)
	return wrap(l.write(line), "game %d", g.ID)
}

// sum returns the end for the lines written so far.
func (l *lineWriter) sum() *fileEnd {
	l.end.SHA256 = hex.EncodeToString(l.hash.Sum(nil))
	return &l.end
}
