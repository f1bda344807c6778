package parquet_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/results/parquet"
)

// docs/PARQUET.md lists exactly the columns of the tables, with their types.
func TestDocumentedColumns(t *testing.T) {
	page := testkit.ReadDocument(t, "../../docs/PARQUET.md")
	var want []string
	for _, row := range []any{parquet.Game{}, parquet.Ply{}, parquet.Search{}, parquet.RootMove{}} {
		want = append(want, columns(reflect.TypeOf(row))...)
	}
	var got []string
	for _, m := range regexp.MustCompile("(?m)^- `(\\w+)`, ([^:]*): ").FindAllStringSubmatch(page, -1) {
		got = append(got, m[1]+": "+m[2])
	}
	if !slices.Equal(got, want) {
		t.Errorf("documented:\n%s\nwritten:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// columns describes the columns of a table as the page does.
func columns(row reflect.Type) (columns []string) {
	for i := range row.NumField() {
		field := row.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("parquet"), ",")
		kind := typeName(field.Type)
		if strings.Contains(options, "optional") || field.Type.Kind() == reflect.Pointer {
			kind += ", null"
		}
		columns = append(columns, name+": "+kind)
	}
	return columns
}

func typeName(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case t == reflect.TypeFor[[]byte]():
		return "bytes"
	case t == reflect.TypeFor[[]parquet.RootMove]():
		return "list of structs"
	case t.Kind() == reflect.Pointer:
		return typeName(t.Elem())
	case t.Kind() == reflect.Slice:
		return "list of " + typeName(t.Elem())
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Float64:
		return "double"
	}
	return fmt.Sprint(t.Kind())
}
