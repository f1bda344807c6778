package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// An event's file is lines of JSON: a header, a line for each game in the order
// in which they began, and an end by which damage is found. Numbers of events
// and games belong to a database and are left out, and so is what a record
// repeats of its event.
const (
	fileFormat  = "versus2048 event"
	fileVersion = 1
)

// fileLine is one line: one of its fields.
type fileLine struct {
	Header *fileHeader `json:"header,omitempty"`
	Game   *fileGame   `json:"game,omitempty"`
	End    *fileEnd    `json:"end,omitempty"`
}

type fileHeader struct {
	Format     string                `json:"format"`
	Version    int                   `json:"version"`
	Event      tournament.Event      `json:"event"` // without its entries and stays
	Entries    []tournament.Entry    `json:"entries"`
	Stays      []tournament.Stay     `json:"stays"`
	Identities []tournament.Identity `json:"identities"`
}

// fileGame is a game, over or not.
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

// fileEnd says what came before it.
type fileEnd struct {
	Games      int    `json:"games"`
	Unfinished int    `json:"unfinished"` // of Games
	Plies      int    `json:"plies"`
	SHA256     string `json:"sha256"` // of all lines before, in hexadecimal
}

func newFileHeader(e tournament.Event, identities []tournament.Identity) fileHeader {
	h := fileHeader{
		Format:     fileFormat,
		Version:    fileVersion,
		Entries:    append([]tournament.Entry{}, e.Entries...), // never null
		Stays:      append([]tournament.Stay{}, e.Stays...),
		Identities: append([]tournament.Identity{}, identities...),
	}
	h.Event, h.Event.Entries, h.Event.Stays = e, nil, nil
	// The order in the database depends on the bots of other events.
	slices.SortFunc(h.Identities, func(a, b tournament.Identity) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Author, b.Author), cmp.Compare(a.Spec, b.Spec))
	})
	return h
}

// event returns the header's event. It returns an error if the event cannot be played.
func (h *fileHeader) event() (tournament.Event, error) {
	e := h.Event
	e.Bots, e.Entries, e.Stays = nil, h.Entries, h.Stays
	return e, format.Validate(e)
}

func newFileGame(g *tournament.Game) *fileGame {
	r := g.Record
	r.Event, r.Game, r.Date = "", "", ""
	return &fileGame{g.Match, g.Round, g.Nth, g.First, g.Second, g.Leg, g.Started, g.Finished, r}
}

// game is the line's game, which must be one of the event.
func (f *fileGame) game(e *tournament.Event) (tournament.Game, error) {
	g := tournament.Game{
		Pairing: tournament.Pairing{Match: f.Match, Round: f.Round, Nth: f.Nth, First: f.First, Second: f.Second},
		Leg:     f.Leg, Started: f.Started, Finished: f.Finished, Record: f.Record,
	}
	switch start := f.Record.Start; {
	case start.Rules() != e.Rules || start.Size() != e.Size:
		return g, fmt.Errorf("a game of %v %v in an event of %v %v", start.Rules(), start.Size(), e.Rules, e.Size)
	case (f.Record.Ending == record.Unfinished) != f.Finished.IsZero():
		return g, errors.New("its ending does not fit the time of its end")
	}
	return g, nil
}

// marshalLine is a line of the file.
func marshalLine(line fileLine) ([]byte, error) {
	text, err := json.Marshal(line)
	return append(text, '\n'), err
}
