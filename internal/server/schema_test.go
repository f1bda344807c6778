package server_test

import (
	"reflect"
	"strings"
	"testing"

	"versus2048/internal/schema"
	"versus2048/internal/server"
	"versus2048/internal/testkit"
)

// The schema of an event's news follows from their type, and the document's example conforms to it. The tests' clients
// check every line of a stream.
func TestSchema(t *testing.T) {
	b, err := schema.New("#/$defs/")
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.Of(reflect.TypeFor[server.News]())
	if err != nil {
		t.Fatal(err)
	}
	schema.Same(t, "event-news.json", b.Finish("A line of an event's news, and of the events file", server.NewsVersion, s))
	_, example, _ := strings.Cut(testkit.ReadDocument(t, "../../docs/EVENTS.md"), "\n\n    {")
	example, _, _ = strings.Cut(example, "\n\n")
	file, err := schema.Read("event-news.json")
	if err == nil {
		err = file.Check("", []byte("{"+example))
	}
	if err != nil {
		t.Error(err)
	}
}
