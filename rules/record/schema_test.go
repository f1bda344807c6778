package record_test

import (
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"versus2048/internal/schema"
	"versus2048/internal/testkit"
	"versus2048/rules/record"
)

// The schema of records is that of their types.
func TestSchema(t *testing.T) {
	b, err := schema.New("#/$defs/")
	if err != nil {
		t.Fatal(err)
	}
	b.Form(reflect.TypeFor[record.SixDigits](), &jsonschema.Schema{Type: "number"})
	b.Form(reflect.TypeFor[record.Pause](), b.Ref("Pause"))
	for name, form := range map[string]reflect.Type{
		"Pause": reflect.TypeFor[record.PauseForm](), "RootMove": reflect.TypeFor[record.RootMoveForm](),
		"SearchReport": reflect.TypeFor[record.SearchForm](), "Record": reflect.TypeFor[record.RecordForm](),
	} {
		b.Name(form, name)
	}
	for _, root := range []reflect.Type{reflect.TypeFor[record.RecordForm](), reflect.TypeFor[record.PauseForm]()} {
		if _, err := b.Of(root); err != nil {
			t.Fatal(err)
		}
	}
	schema.WithoutNull(b.Defs["SearchReport"].Properties["pv"].Items)
	schema.WithoutNull(b.Defs["RootMove"].Properties["move"])
	schema.Same(t, "record.json", b.Finish("The record of a game", 1, b.Ref("Record")))
}

// The examples of the document are as the schema says.
func TestDocumentedSchema(t *testing.T) {
	file, err := schema.Read("record.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, example := range testkit.Blocks(testkit.ReadDocument(t, "../../docs/RECORDS.md"), "json") {
		if err := file.Check("", []byte(example)); err != nil {
			t.Error(err)
		}
	}
}
