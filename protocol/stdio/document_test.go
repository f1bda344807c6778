package stdio_test

import (
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/protocol/stdio"
	"versus2048/rules"
	"versus2048/rules/record"
)

const page = "../../docs/STDIO.md"

// read reads a line of the page's examples, and returns it as String writes it. The line must be
// known.
func read(t *testing.T, kind, text string) string {
	t.Helper()
	var l interface{ String() string }
	var err error
	if kind == "arena" {
		l, err = stdio.ParseRequest(text)
	} else {
		l, err = stdio.ParseAnswer(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	checkLines(t, text, l.String())
	if _, unknown := l.(stdio.Unknown); unknown {
		t.Errorf("%s is unknown", text)
	}
	return l.String()
}

// Every example of a line is read, and written again as it stands there.
func TestDocumentedLines(t *testing.T) {
	text := testkit.ReadDocument(t, page)
	seen := map[string]bool{}
	for _, kind := range []string{"arena", "bot"} {
		for _, block := range testkit.Blocks(text, kind) {
			for example := range strings.SplitSeq(strings.TrimSpace(block), "\n") {
				word, _, _ := strings.Cut(example, " ")
				seen[word] = true
				if got := read(t, kind, example); got != example {
					t.Errorf("%s\nis written as\n%s", example, got)
				}
				for _, key := range strings.Fields(example)[1:] {
					if key, _, ok := strings.Cut(key, "="); ok && word != "set" && !strings.Contains(text, "`"+key+"`") {
						t.Errorf("the key %s of %s is not explained", key, word)
					}
				}
			}
		}
	}
	for _, word := range []string{"v2048", "set", "new", "go", "over", "quit", "id", "option", "plays", "ready", "info", "move", "resign", "error"} {
		if !seen[word] {
			t.Errorf("no example of %s", word)
		}
		if heading := "### " + word; testkit.Section(text, heading) == "" {
			t.Errorf("no section %s", heading)
		}
	}
}

// The lines of the whole session are one game, in the order of the protocol.
func TestDocumentedSession(t *testing.T) {
	blocks := testkit.Blocks(testkit.ReadDocument(t, page), "session")
	if len(blocks) != 1 {
		t.Fatalf("%d sessions", len(blocks))
	}
	var p rules.Position
	var search stdio.Search
	for l := range strings.SplitSeq(strings.TrimSpace(blocks[0]), "\n") {
		kind, text := map[string]string{"<": "arena", ">": "bot"}[l[:1]], l[2:]
		if got := read(t, kind, text); got != text {
			t.Errorf("%s is written as %s", text, got)
		}
		if kind == "arena" {
			p = followed(t, p, text)
			continue
		}
		answer, err := stdio.ParseAnswer(text)
		if err != nil {
			t.Fatal(err)
		}
		switch a := answer.(type) {
		case stdio.Info:
			search = stdio.Search{}
			search.Add(a)
			if err := search.Report().Check(p); err != nil {
				t.Error(err)
			}
		case stdio.Move:
			p = play(t, p, a.Text)
		}
	}
}

// followed returns the position after a line of the arena. The line must fit the position before it.
func followed(t *testing.T, p rules.Position, text string) rules.Position {
	t.Helper()
	request, err := stdio.ParseRequest(text)
	if err != nil {
		t.Fatal(err)
	}
	switch r := request.(type) {
	case stdio.Go:
		if r.Last != nil {
			if p = play(t, p, r.Last.String()); p != r.Position {
				t.Errorf("%s: the moves lead to %v", text, p)
			}
		}
		return r.Position
	case stdio.Over:
		if p = play(t, p, "(2,2)"); !p.Over() || r.Ending != record.Mate || *r.Score != p.Score() {
			t.Errorf("%s: the score is %d in %v", text, p.Score(), p)
		}
	}
	return p
}

func play(t *testing.T, p rules.Position, text string) rules.Position {
	t.Helper()
	m, err := rules.ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	next, err := p.Play(m)
	if err != nil {
		t.Fatal(err)
	}
	return next
}
