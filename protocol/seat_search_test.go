package protocol_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

func TestSearchArrives(t *testing.T) {
	s, seat := searchingClient(t)
	want := &record.SearchReport{
		Playouts: 7, Nodes: 9, Expanded: []int64{1, 2}, Time: 3 * time.Millisecond,
		Variation: []rules.Move{rules.North, rules.Place(4, false)},
		Moves:     []record.RootMove{{Move: rules.North, Value: 12.5, Visits: 7}},
	}
	for i, step := range []struct {
		name           string
		reported, want *record.SearchReport
	}{
		{"a report", want, want},
		{"no report", nil, nil},
		{"a report again", want, want},
		{"one that fits no position", &record.SearchReport{Nodes: -1}, nil},
		{"an empty one", &record.SearchReport{}, &record.SearchReport{}},
	} {
		s.reports <- step.reported
		p := position(t, fmt.Sprintf("2,0/0,2 D 0 %d", 2*i+1))
		wantMove(t, choose(t.Context(), seat, p), rules.North)
		if got := seat.LastSearch(); !reflect.DeepEqual(got, step.want) {
			t.Errorf("%s: %+v, want %+v", step.name, got, step.want)
		}
		if complaint := seat.Complaint(); complaint != "" {
			t.Errorf("%s: the complaint is %q", step.name, complaint)
		}
	}
}

// searchingClient runs a client with a searcher that plays in game 1.
func searchingClient(t *testing.T) (s *searcher, seat *protocol.Seat) {
	t.Helper()
	a := newArena()
	s = &searcher{make(chan *record.SearchReport, 10)}
	finished := run(t.Context(), client(a.listen(t), s))
	t.Cleanup(func() { <-finished })
	a.waitForBot(t)
	seat = a.session.StartGame(protocol.Start{Game: "1", Role: rules.Defender, Search: true}, position(t, "2,0/0,2 D 0 1"))
	return s, seat
}

// searcher plays the first legal move and returns the reports that the test sends it.
type searcher struct{ reports chan *record.SearchReport }

func (s *searcher) Choose(_ context.Context, p rules.Position) (rules.Move, error) {
	return p.AppendMoves(nil)[0], nil
}

func (s *searcher) LastSearch() *record.SearchReport { return <-s.reports }

// The player is not asked for reports if the arena does not record them.
func TestSearchNotRequested(t *testing.T) {
	a := newArena()
	finished := run(t.Context(), client(a.listen(t), &searcher{})) // LastSearch would never return
	t.Cleanup(func() { <-finished })
	a.waitForBot(t)
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.startGame("1", p)
	wantMove(t, choose(t.Context(), seat, p), rules.North)
	if got := seat.LastSearch(); got != nil {
		t.Errorf("reported: %+v", got)
	}
}

// An invalid report is not a strike and does not affect the move.
func TestBadSearch(t *testing.T) {
	a := newArena()
	b := dial(t, a.listen(t))
	b.join()
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.session.StartGame(protocol.Start{Game: "1", Role: rules.Defender, Search: true}, p)
	if start := receive[protocol.Start](b); !start.Search {
		t.Error("the start message does not ask for reports")
	}
	for text, problem := range map[string]string{
		`"none"`:                             "cannot unmarshal string",
		`[]`:                                 "cannot unmarshal array",
		`{"nodes":"many"}`:                   "cannot unmarshal string",
		`{"pv":["up"]}`:                      `move "up"`,
		`{"nodes":-1}`:                       "nodes -1",
		`{"tokens_written":-1}`:              "tokens written -1",
		`{"pv":["(1,1)"]}`:                   "the defender is to move by N",
		`{"moves":[{"move":"(4,4)"}]}`:       "the defender is to move by N",
		`{"time_us":1` + zeros(10<<10) + `}`: "cannot unmarshal number",
	} {
		done := choose(t.Context(), seat, p)
		receive[protocol.Request](b)
		b.write(websocket.TextMessage, `{"type":"move","game":"1","ply":1,"move":"N","search":`+text+`}`)
		wantMove(t, done, rules.North)
		if e := b.receiveError(protocol.BadSearch); !strings.Contains(e.Message, problem) || len(e.Message) > 300 || e.Game != "1" || *e.Ply != 1 {
			t.Errorf("%.50s: received %+v, want %q in it", text, e, problem)
		}
		if got := seat.LastSearch(); got != nil {
			t.Errorf("%.50s: reported %+v", text, got)
		}
		if complaint := seat.Complaint(); !strings.Contains(complaint, problem) {
			t.Errorf("%.50s: the complaint is %q", text, complaint)
		}
	}
	done := choose(t.Context(), seat, p)
	receive[protocol.Request](b)
	b.write(websocket.TextMessage, `{"type":"move","game":"1","ply":1,"move":"S","search":null}`)
	wantMove(t, done, rules.South)
	if got, complaint := seat.LastSearch(), seat.Complaint(); got != nil || complaint != "" {
		t.Errorf("null is taken for %+v, the complaint is %q", got, complaint)
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

// A report that the start did not ask for is ignored.
func TestSearchIgnoredIfNotRequested(t *testing.T) {
	_, b, seat, done := botWithRequest(t)
	b.write(websocket.TextMessage, `{"type":"move","game":"1","ply":1,"move":"N","search":{"nodes":-1}}`)
	wantMove(t, done, rules.North)
	if got, complaint := seat.LastSearch(), seat.Complaint(); got != nil || complaint != "" {
		t.Errorf("reported %+v, the complaint is %q", got, complaint)
	}
}

// The largest report fits easily into the longest message.
func TestLargestSearchReport(t *testing.T) {
	const most = 1<<63 - 1
	p := rules.NewPosition(rules.GPCC2016, rules.Full)
	s := record.SearchReport{Playouts: most, Nodes: most, Time: most, CPU: most, TokensRead: most, TokensWritten: most, Source: record.FromSearch}
	for _, m := range p.AppendMoves(nil) {
		s.Moves = append(s.Moves, record.RootMove{Move: m, Value: -1.23456e-300, Visits: most, Mate: record.MaxMate, Prior: 1.23456e-300})
	}
	for q := p; len(s.Variation) < record.MaxSearchDepth; {
		s.Expanded = append(s.Expanded, most)
		s.Variation = append(s.Variation, q.AppendMoves(nil)[0])
		q = q.Next(s.Variation[len(s.Variation)-1])
	}
	if err := s.Check(p); err != nil {
		t.Fatal(err)
	}
	report, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	text, err := protocol.Encode(protocol.Move{Game: "9223372036854775807", Ply: 1 << 20, Move: "(4,4,4)", SpentUS: most, Search: report})
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 6<<10 {
		t.Errorf("a move with the largest report has %d bytes, the document says at most 6 KiB", len(text))
	}
}
