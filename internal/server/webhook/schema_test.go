package webhook_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"versus2048/internal/schema"
	"versus2048/internal/server/trouble"
	"versus2048/internal/server/webhook"
	"versus2048/internal/testkit"
)

// noticeVersion is the version of the schema of notices.
const noticeVersion = 1

// The schema of a notice follows from its type, with the data of each kind. Its examples and all notices of the tests
// conform to it.
func TestSchema(t *testing.T) {
	b, err := schema.New("#/$defs/")
	if err != nil {
		t.Fatal(err)
	}
	of := func(kind reflect.Type) *jsonschema.Schema {
		s, err := b.Of(kind)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	var kinds []*jsonschema.Schema
	for _, k := range []struct {
		data  reflect.Type
		types []any
	}{
		{reflect.TypeFor[webhook.ProgramData](), []any{webhook.ArenaStarted, webhook.ArenaStopped, webhook.Ping}},
		{reflect.TypeFor[webhook.EventData](), []any{webhook.EventStarted, webhook.EventFinished}},
		{reflect.TypeFor[webhook.BotData](), []any{webhook.BotLost}},
		{reflect.TypeFor[trouble.Trouble](), []any{webhook.TroubleRaised, webhook.TroubleCleared}},
	} {
		kinds = append(kinds, &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"type": {Type: "string", Enum: k.types}, "data": of(k.data)}})
	}
	var values []any
	for _, example := range examples(t) {
		values = append(values, example)
	}
	root := &jsonschema.Schema{Examples: values, AllOf: []*jsonschema.Schema{of(reflect.TypeFor[webhook.Notice]()), {AnyOf: kinds}}}
	schema.Same(t, "webhook.json", b.Finish("A notice to a webhook", noticeVersion, root))

	file, err := schema.Read("webhook.json")
	if err != nil {
		t.Fatal(err)
	}
	bodies, _ := told(t, everything)
	for _, example := range examples(t) {
		bodies = append(bodies, string(example))
	}
	for _, text := range append(bodies, testkit.Blocks(testkit.ReadDocument(t, "../../../docs/WEBHOOKS.md"), "json")...) {
		if err := file.Check("", []byte(text)); err != nil {
			t.Error(err)
		}
	}
	if file.Check("", []byte(`{"type": "bot_lost", "timestamp": "2026-11-22T20:00:00Z", "text": "x", "data": {"version": "1"}}`)) == nil {
		t.Error("a notice with the data of another kind is right")
	}
}

// examples returns a notice of each type.
func examples(t *testing.T) (all []json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal([]byte(testkit.ReadDocument(t, "testdata/examples.json")), &all); err != nil {
		t.Fatal(err)
	}
	return all
}
