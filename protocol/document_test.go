package protocol_test

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/internal/testkit"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// blocks returns the fenced code blocks of docs/PROTOCOL.md in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	texts := testkit.Blocks(testkit.ReadDocument(t, page), language)
	if texts == nil {
		t.Fatalf("the document has no %s blocks", language)
	}
	return texts
}

const page = "../docs/PROTOCOL.md"

// sameJSON reports whether two JSON texts have the same value.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var left, right any
	for text, value := range map[*string]*any{&a: &left, &b: &right} {
		if err := json.Unmarshal([]byte(*text), value); err != nil {
			t.Fatalf("%v in %s", err, *text)
		}
	}
	return reflect.DeepEqual(left, right)
}

// Every example in the document stays the same when it is decoded and encoded.
func TestDocumentedMessages(t *testing.T) {
	missing := map[string]bool{
		"hello": true, "welcome": true, "refusal": true, "start": true, "request": true,
		"move": true, "over": true, "error": true, "goodbye": true,
	}
	for _, example := range blocks(t, "json") {
		m, err := protocol.Decode([]byte(example))
		if err != nil {
			t.Errorf("%v in %s", err, example)
			continue
		}
		text, err := protocol.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if !sameJSON(t, example, string(text)) {
			t.Errorf("the document has\n%sdecoded and encoded again it is\n%s", example, text)
		}
		delete(missing, messageType(t, text))
	}
	for kind := range missing {
		t.Errorf("the document has no example of a %s", kind)
	}
}

// The document's examples show every field of a message.
func TestDocumentedFields(t *testing.T) {
	examples := strings.Join(blocks(t, "json"), "\n")
	for _, m := range []any{
		protocol.Hello{},
		protocol.Welcome{},
		protocol.Refusal{},
		protocol.Start{},
		protocol.Clock{},
		protocol.Request{},
		protocol.Move{},
		protocol.Over{},
		protocol.MatchScores{},
		protocol.Error{},
		protocol.Goodbye{},
	} {
		for field := range reflect.TypeOf(m).Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !strings.Contains(examples, strconv.Quote(name)+":") {
				t.Errorf("no example shows the field %q of %T", name, m)
			}
			if !strings.Contains(testkit.ReadDocument(t, page), "`"+name+"`") {
				t.Errorf("the document does not explain the field %q of %T", name, m)
			}
		}
	}
}

// The search report in the example has every field, and is valid in the position
// of the example request.
func TestDocumentedSearch(t *testing.T) {
	var p rules.Position
	var found *record.SearchReport
	for _, example := range blocks(t, "json") {
		m, err := protocol.Decode([]byte(example))
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case protocol.Request:
			p, err = rules.PositionFrom(rules.GPCC2015, m.Board, rules.Defender, m.Score, m.Ply)
		case protocol.Move:
			err = json.Unmarshal(m.Search, &found)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := found.Check(p); err != nil {
		t.Error(err)
	}
	for _, object := range []any{*found, found.Moves[len(found.Moves)-1]} {
		for field := range reflect.TypeOf(object).Fields() {
			if reflect.ValueOf(object).FieldByIndex(field.Index).IsZero() {
				t.Errorf("no example shows the field %s of %T", field.Name, object)
			}
		}
	}
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range regexp.MustCompile(`"(\w+)":`).FindAllSubmatch(text, -1) {
		if !strings.Contains(testkit.Section(testkit.ReadDocument(t, page), "### Search reports"), "`"+string(key[1])+"`") {
			t.Errorf("the document does not explain the field %q of a report", key[1])
		}
	}
}

func TestDocumentedCodes(t *testing.T) {
	text := testkit.ReadDocument(t, page)
	file, err := parser.ParseFile(token.NewFileSet(), "messages.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "Code" {
			return true
		}
		found++
		if code, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value); !strings.Contains(text, "`"+code+"`") {
			t.Errorf("the document does not explain the code %q", code)
		}
		return true
	})
	if found < 10 {
		t.Errorf("found %d codes in messages.go: are they in another file now?", found)
	}
}

func TestDocumentedLimits(t *testing.T) {
	limits, text := protocol.DefaultLimits(), strings.Join(strings.Fields(testkit.ReadDocument(t, page)), " ")
	for _, want := range []string{
		fmt.Sprintf("The arena reads messages of at most %d KiB;", limits.MaxFrame>>10),
		fmt.Sprintf("The hello has %.0f s (`bad_hello`).", limits.HelloTime.Seconds()),
		fmt.Sprintf("takes %.0f s from a message's begin to its end or %.0f s to take a message,", limits.MessageTime.Seconds(), limits.WriteWait.Seconds()),
		fmt.Sprintf("after %.0f s of silence (no message, no pong) or of pings without any pong.", limits.PongWait.Seconds()),
		fmt.Sprintf("sends a ping at once and then every %.0f s:", limits.PingEvery.Seconds()),
		fmt.Sprintf("At most %d messages, and 4 for each slot,", limits.Queue),
		fmt.Sprintf("are read at %d a second on average, all bytes at %d MiB a second;", limits.Unasked, limits.Bytes>>20),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the document does not say %q", want)
		}
	}
}

// The test plays the session in the document. The arena must send the lines that the document shows.
func TestDocumentedSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		a.session = protocol.NewSession(protocol.Hello{Name: "tiny"}, 30*time.Second)
		b := dialPipe(t, a.pipes(t))
		go a.refereeDocumented(t)
		for line := range strings.Lines(blocks(t, "session")[0]) {
			who, text, _ := strings.Cut(strings.TrimSpace(line), " ")
			if who == ">" {
				b.write(websocket.TextMessage, text)
				continue
			}
			_, heard, err := b.ws.ReadMessage()
			if err != nil {
				t.Fatalf("%v instead of %s", err, text)
			}
			if !sameJSON(t, text, string(heard)) {
				t.Fatalf("received\n%s\nwhere the document has\n%s", heard, text)
			}
		}
		b.receiveClose(websocket.CloseNormalClosure)
	})
}

// refereeDocumented plays the game of the document's session.
func (a *arena) refereeDocumented(t *testing.T) {
	if err := a.session.Wait(t.Context()); err != nil {
		t.Error(err)
		return
	}
	p := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	seat := a.session.StartGame(protocol.Start{
		Game: "1", Event: "smallest", Match: 1, Leg: 2, Role: rules.Defender, Opponent: "rook",
		Clock: protocol.Clock{MoveMS: 5000}, Seed: 7,
	}, p)
	placements := []string{"(1,1)", "(1,1)", "(2,1)", "(1,1)", "(2,2)", "(2,2)"}
	for !p.Over() {
		var m rules.Move
		var err error
		if p.SideToMove() == rules.Attacker {
			m, err = rules.ParseMove(placements[0])
			placements = placements[1:]
		} else {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			m, err = seat.Choose(ctx, p)
			cancel()
		}
		if err == nil {
			p, err = p.Play(m)
		}
		if err != nil {
			t.Error(err)
			return
		}
		seat.Played(m)
	}
	mine, other := p.Score(), 20
	seat.Over(protocol.Over{
		Ending: record.Mate, Score: mine, LargestTile: p.LargestTile(), Plies: p.Ply(),
		Match: protocol.MatchScores{Number: 1, YourScore: &mine, OpponentScore: &other},
	})
}
