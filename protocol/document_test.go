package protocol_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// document is docs/PROTOCOL.md.
func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blocks are the fenced code blocks of a language in the document.
func blocks(t *testing.T, language string) (texts []string) {
	t.Helper()
	fenced := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$")
	for _, found := range fenced.FindAllStringSubmatch(document(t), -1) {
		texts = append(texts, found[1])
	}
	if texts == nil {
		t.Fatalf("the document has no %s blocks", language)
	}
	return texts
}

// sameJSON compares two JSON texts without regard to spaces and the order of
// fields.
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

// Every example of a message in the document is a golden file.
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
			t.Errorf("the document has\n%sread and written again it is\n%s", example, text)
		}
		var head struct{ Type string }
		if err := json.Unmarshal(text, &head); err != nil {
			t.Fatal(err)
		}
		delete(missing, head.Type)
	}
	for kind := range missing {
		t.Errorf("the document has no example of a %s", kind)
	}
}

// Every field that a message may have is in the document's examples.
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
			if !strings.Contains(document(t), "`"+name+"`") {
				t.Errorf("the document does not explain the field %q of %T", name, m)
			}
		}
	}
}

// The report in the example has every field that there is, and fits its
// position, that of the example of a request.
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
	for _, object := range []any{*found, found.Moves[0]} {
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
		if !strings.Contains(document(t), "\n| `"+string(key[1])+"` ") {
			t.Errorf("the document does not explain the field %q of a report", key[1])
		}
	}
}

func TestDocumentedCodes(t *testing.T) {
	text := document(t)
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		found++
		if code, _ := strconv.Unquote(literal.Value); !strings.Contains(text, "`"+code+"`") {
			t.Errorf("the document does not explain the code %q", code)
		}
		return true
	})
	if found < 10 {
		t.Errorf("code.go has %d codes: are they somewhere else now?", found)
	}
}

func TestDocumentedLimits(t *testing.T) {
	limits, text := protocol.DefaultLimits(), document(t)
	for _, row := range []string{
		fmt.Sprintf("| message to the arena                    | %d KiB ", limits.MaxFrame>>10),
		fmt.Sprintf("| time until the hello                    | %.0f s ", limits.HelloTime.Seconds()),
		fmt.Sprintf("| ping from the arena                     | every %.0f s ", limits.PingEvery.Seconds()),
		fmt.Sprintf("| silence (no message, no pong)           | %.0f s ", limits.PongWait.Seconds()),
		fmt.Sprintf("| messages waiting to be read by the bot  | %d, ", limits.Queue),
		fmt.Sprintf("| time for one message to be taken        | %.0f s ", limits.WriteWait.Seconds()),
	} {
		if !strings.Contains(text, row) {
			t.Errorf("the document has no line that begins with %q", row)
		}
	}
}
