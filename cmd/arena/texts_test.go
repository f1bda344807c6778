package main

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"versus2048/internal/disk"
	"versus2048/internal/server"
	"versus2048/protocol"
	wire "versus2048/protocol/stdio"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament/recipe"
)

// textDoor is a place where the project reads texts of people or of foreign programs.
type textDoor struct {
	text string // one that it accepts; "" for exported
	read func(t *testing.T, text string) (any, error)
}

// textDoors has all such places by name.
var textDoors = map[string]textDoor{
	"openings, positions": {"0,2/0,0 D 0 1\n2,0/0,2 D 0 3\n", openingsOf},
	"openings, moves":     {"(1,2)\n(1,1) E (1,1)\n", openingsOf},
	"openings, records":   {"[Size \"2x2\"]\n\n(1,1)\n", openingsOf},
	"a record": {"[Size \"2x2\"]\n\n(1,1)\n", func(_ *testing.T, text string) (any, error) {
		return parseRecord([]byte(text))
	}},
	"a record in JSON": {
		`{"rules":"gpcc2015","size":"2x2","moves":["(1,1)"],"score":0,"largest_tile":2,"ending":"unfinished"}` + "\n",
		func(_ *testing.T, text string) (any, error) { return parseRecord([]byte(text)) },
	},
	"the file of an event": {"size = \"3x3\"\nseed = 7\nbots = [\"greedy\", \"random\"]\n", func(t *testing.T, text string) (any, error) {
		e, problem := configured(t, text)
		if problem != "" {
			return e, errors.New(problem)
		}
		return e, nil
	}},
	"an import": {"", func(t *testing.T, text string) (any, error) {
		store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		return store.Import(t.Context(), strings.NewReader(text), 0)
	}},
	"the hello of a bot": {`{"type":"hello","name":"ann","slots":2}` + "\n", func(_ *testing.T, text string) (any, error) {
		return protocol.Decode([]byte(text))
	}},
	"the move of a bot": {`{"type":"move","game":"1","ply":3,"move":"N"}` + "\n", func(_ *testing.T, text string) (any, error) {
		return protocol.Decode([]byte(text))
	}},
	"the first line of a program": {"ready\nid name x\n", func(_ *testing.T, text string) (any, error) {
		return wire.NewReader(strings.NewReader(text)).Line()
	}},
	"the body of a request": {`{"name": "ann"}` + "\n", func(_ *testing.T, text string) (any, error) {
		var body struct{ Name string }
		err := server.DecodeBody(strings.NewReader(text), &body)
		return body, err
	}},
	"a certificate, a key or a secret in a file": {"whsec_0123456789\n", func(t *testing.T, text string) (any, error) {
		path := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		read, err := disk.ReadText(path)
		return strings.TrimRight(string(read), "\r\n"), err
	}},
}

func openingsOf(_ *testing.T, text string) (any, error) {
	return recipe.ReadOpenings(strings.NewReader(text), recipe.Variant{Rules: rules.GPCC2015, Size: rules.Size{Width: 2, Height: 2}})
}

// exported returns an event with its games, as arena export wrote it.
func exported(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "results", "testdata", "version4-event1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A record in JSON is the whole text.
func TestRecordWithSomethingBehindIt(t *testing.T) {
	text := textDoors["a record in JSON"].text
	for _, more := range []string{text, "junk"} {
		if _, err := parseRecord([]byte(text + more)); err == nil || !strings.Contains(err.Error(), "after top-level value") {
			t.Errorf("%q behind a record: error %v", more, err)
		}
	}
}

// A byte order mark and the ends of lines of another system change nothing at any door.
func TestTextsOfOtherSystems(t *testing.T) {
	for door, d := range textDoors {
		if d.text == "" {
			d.text = exported(t)
		}
		want, err := d.read(t, d.text)
		if err != nil {
			t.Errorf("%s: %v", door, err)
		}
		dos := strings.ReplaceAll(d.text, "\n", "\r\n")
		for form, text := range map[string]string{"a mark": "\ufeff" + d.text, "CRLF": dos, "both": "\ufeff" + dos} {
			if got, err := d.read(t, text); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s with %s: %v (error %v), want %v", door, form, got, err, want)
			}
		}
	}
}
