package record

import (
	"encoding/json"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

// examples returns the fenced code blocks of docs/RECORDS.md in a language.
func examples(t *testing.T, language string) []string {
	t.Helper()
	texts := testkit.Blocks(testkit.ReadDocument(t, page), language)
	if texts == nil {
		t.Fatalf("the document has no %s blocks", language)
	}
	return texts
}

const page = "../../docs/RECORDS.md"

// The examples of the text form are read, and written again byte for byte, also one after another.
func TestDocumentedText(t *testing.T) {
	texts := examples(t, "record")
	all := NewReader(strings.NewReader(strings.Join(texts, "")))
	for _, want := range texts {
		alone, err := Parse(want)
		if err != nil {
			t.Fatalf("%v in\n%s", err, want)
		}
		if next, err := all.Read(); err != nil || !reflect.DeepEqual(next, alone) {
			t.Errorf("in one file it is %+v, error %v, want %+v", next, err, alone)
		}
		var got strings.Builder
		if err := alone.WriteText(&got); err != nil || got.String() != want {
			t.Errorf("written again (error %v)\n%sthe document has\n%s", err, got.String(), want)
		}
	}
	if _, err := all.Read(); err != io.EOF {
		t.Errorf("after the last game: %v", err)
	}
}

// The typed example is the game that the document describes.
func TestDocumentedTypedText(t *testing.T) {
	r, err := Parse(examples(t, "typed")[0])
	if err != nil {
		t.Fatal(err)
	}
	want := Record{Start: rules.NewPosition(rules.GPCC2015, rules.Full), Moves: r.Moves, Ending: Unfinished}
	if !reflect.DeepEqual(r, want) || len(r.Moves) != 6 {
		t.Errorf("it is read as %+v", r)
	}
}

// The example of the JSON form is read, and written again with the same value. It is the game of the last
// example of the text form.
func TestDocumentedJSON(t *testing.T) {
	want := examples(t, "json")[0]
	var r Record
	if err := json.Unmarshal([]byte(want), &r); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var left, right any
	if err := json.Unmarshal([]byte(want), &left); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &right); err != nil || !reflect.DeepEqual(left, right) {
		t.Errorf("written again (error %v)\n%s\nthe document has\n%s", err, text, want)
	}
	game, err := Parse(examples(t, "record")[1])
	if err != nil || !reflect.DeepEqual(game.Moves, r.Moves) || game.Start != r.Start || game.Detail != r.Detail {
		t.Errorf("the text form has %+v (error %v), the JSON form %+v", game, err, r)
	}
	for field := range reflect.TypeFor[recordForm]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !strings.Contains(want, strconv.Quote(name)+":") {
			t.Errorf("the example does not show the key %q", name)
		}
		if !strings.Contains(testkit.Section(testkit.ReadDocument(t, page), "## The JSON form"), "`"+name+"`") {
			t.Errorf("the document does not explain the key %q", name)
		}
	}
}

// The document explains every tag and every ending, and no others.
func TestDocumentedTagsAndEndings(t *testing.T) {
	text := testkit.ReadDocument(t, page)
	wantItems := func(heading string, names []string) {
		t.Helper()
		var found []string
		for _, item := range regexp.MustCompile("(?m)^- (`[^:]+`):").FindAllStringSubmatch(testkit.Section(text, heading), -1) {
			for name := range strings.SplitSeq(item[1], ", ") {
				found = append(found, strings.Trim(name, "`"))
			}
		}
		if !reflect.DeepEqual(found, names) {
			t.Errorf("the list of %s has %v, want %v", heading, found, names)
		}
	}
	var tags, endings []string
	for _, tag := range new(recordForm).tags() {
		tags = append(tags, tag.name)
	}
	for _, e := range Endings() {
		endings = append(endings, string(e))
	}
	wantItems("## The text form", tags)
	wantItems("### Endings", append(endings[1:], endings[0])) // unfinished comes last
}

// The endings of the document's list have the winners that it names.
func TestDocumentedWinners(t *testing.T) {
	start := rules.NewPosition(rules.GPCC2015, rules.Full)
	for _, e := range Endings() {
		item := regexp.MustCompile("(?m)^- `" + string(e) + "`: .*$").FindString(testkit.Section(testkit.ReadDocument(t, page), "### Endings"))
		side, ok := Winner(start, 1, e)
		other := ok && side == rules.Attacker // the defender is to move
		if got := strings.HasSuffix(item, ", and the other side wins"); item == "" || got != ok || got != other {
			t.Errorf("%s: the document has %q; is there a winner: %t, the other side: %t", e, item, ok, other)
		}
	}
}

// The positions of the document can be read, and the score and the ply may be left out.
func TestDocumentedPosition(t *testing.T) {
	const full = "2,0,0,2/0,4,4,0/0,2,2,2/8,8,4,4 D 48 41"
	if !strings.Contains(testkit.ReadDocument(t, page), "`"+full+"`") {
		t.Errorf("the document does not have %s", full)
	}
	for text, want := range map[string]string{full: full, strings.TrimSuffix(full, " 41"): "D 48 0", strings.TrimSuffix(full, " 48 41"): "D 48 0"} {
		if p, err := rules.ParsePosition(rules.GPCC2015, text); err != nil || !strings.HasSuffix(p.String(), want) {
			t.Errorf("%s is read as %v, error %v, want %s", text, p, err, want)
		}
	}
}
