package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"versus2048/rules"
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
	Format     string         `json:"format"`
	Version    int            `json:"version"`
	Event      fileEvent      `json:"event"`
	Entries    []fileEntry    `json:"entries"`
	Stays      []fileStay     `json:"stays"`
	Identities []fileIdentity `json:"identities"`
}

// fileEvent is an event's row. Times are nanoseconds.
type fileEvent struct {
	Name        string              `json:"name"`
	Created     time.Time           `json:"created"`
	Rules       rules.Ruleset       `json:"rules"`
	Size        rules.Size          `json:"size"`
	Seed        uint64              `json:"seed"`
	Matches     int                 `json:"matches"`
	Clock       fileClock           `json:"clock"`
	Grace       time.Duration       `json:"grace_ns"`
	Concurrency int                 `json:"concurrency"`
	InProcess   bool                `json:"in_process"`
	Search      bool                `json:"search"`
	Settings    tournament.Settings `json:"settings"`
}

type fileClock struct {
	PerMove   time.Duration `json:"per_move_ns"`
	Base      time.Duration `json:"base_ns"`
	Increment time.Duration `json:"increment_ns"`
}

type fileEntry struct {
	Name string `json:"name"`
	Spec string `json:"spec"`
}

type fileStay struct {
	Name string `json:"name"`
	From int    `json:"from"`
	To   int    `json:"to"` // -1 for a bot that has not left
}

type fileIdentity struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Author  string `json:"author"`
	Spec    string `json:"spec"`
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

func newFileHeader(e *tournament.Event, identities []tournament.Identity) fileHeader {
	h := fileHeader{Format: fileFormat, Version: fileVersion, Entries: []fileEntry{}, Stays: []fileStay{}, Identities: []fileIdentity{}}
	h.Event = fileEvent{
		Name: e.Name, Created: e.Created, Rules: e.Rules, Size: e.Size, Seed: e.Seed, Matches: e.Matches, Clock: fileClock(e.Clock),
		Grace: e.Grace, Concurrency: e.Concurrency, InProcess: e.InProcess, Search: e.Search, Settings: e.Settings,
	}
	for _, entry := range e.Entries {
		h.Entries = append(h.Entries, fileEntry(entry))
	}
	for _, stay := range e.Stays {
		h.Stays = append(h.Stays, fileStay(stay))
	}
	for _, id := range identities {
		h.Identities = append(h.Identities, fileIdentity(id))
	}
	// In a database that knows bots of other events too they may stand otherwise.
	slices.SortFunc(h.Identities, func(a, b fileIdentity) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Author, b.Author), cmp.Compare(a.Spec, b.Spec))
	})
	return h
}

// event is the header's event, which must be one that can be played.
func (h *fileHeader) event() (tournament.Event, error) {
	f := &h.Event
	e := tournament.Event{
		Name: f.Name, Created: f.Created, Rules: f.Rules, Size: f.Size, Seed: f.Seed, Matches: f.Matches, Clock: tournament.Clock(f.Clock),
		Grace: f.Grace, Concurrency: f.Concurrency, InProcess: f.InProcess, Search: f.Search, Settings: f.Settings,
	}
	for _, entry := range h.Entries {
		e.Entries = append(e.Entries, tournament.Entry(entry))
	}
	for _, stay := range h.Stays {
		e.Stays = append(e.Stays, tournament.Stay(stay))
	}
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
