package protocol_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"versus2048/internal/schema"
	"versus2048/protocol"
)

// wireVersion is the version of the schema of messages, as in the name of the subprotocol.
const wireVersion = 1

// The schema of the messages agrees with their types. A bot's messages may have keys that the arena does not know.
func TestSchema(t *testing.T) {
	b, err := schema.New("#/$defs/")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.WithRecords(); err != nil {
		t.Fatal(err)
	}
	any := &jsonschema.Schema{}
	for _, m := range []protocol.Message{
		protocol.Hello{},
		protocol.Welcome{},
		protocol.Refusal{},
		protocol.Start{},
		protocol.Request{},
		protocol.Move{},
		protocol.Resign{},
		protocol.Over{},
		protocol.Error{},
		protocol.Goodbye{},
	} {
		s, err := b.Of(reflect.TypeOf(m))
		if err != nil {
			t.Fatal(err)
		}
		text, err := protocol.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		b.Typed(reflect.TypeOf(m).Name(), messageType(t, text))
		any.OneOf = append(any.OneOf, s)
	}
	schema.Same(t, "wire.json", b.Finish("A message between a bot and an arena ("+protocol.Subprotocol+")", wireVersion, any))
}

// The examples of the document are as the schema says, and so are the messages of its session.
func TestDocumentedSchema(t *testing.T) {
	checkMessages(t, blocks(t, "json"))
	var session []string
	for line := range strings.Lines(blocks(t, "session")[0]) {
		_, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		session = append(session, text)
	}
	checkMessages(t, session)
}

// checkMessages fails the test unless the schema allows the messages.
func checkMessages(t testing.TB, messages []string) {
	t.Helper()
	file, err := schema.Read("wire.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range messages {
		if err := file.Check("", []byte(text)); err != nil {
			t.Error(err)
		}
	}
}
