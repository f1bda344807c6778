package archive

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	renderer "github.com/yuin/goldmark/renderer/html"

	"versus2048/internal/text/plain"
	"versus2048/internal/web/drawing"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// rendered returns Markdown as a forum shows it: with links for addresses, and with the tags that the text has.
func rendered(t *testing.T, text string) string {
	t.Helper()
	var made bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(renderer.WithUnsafe())).Convert([]byte(text), &made); err != nil {
		t.Fatal(err)
	}
	return made.String()
}

var tag = regexp.MustCompile(`<[a-zA-Z/!?][^\s>]*`)

// tags returns the beginnings of a page's tags.
func tags(page string) []string { return tag.FindAllString(page, -1) }

// named returns a report with a stranger's name in all its places.
func named(name string) *Report {
	start := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	table := report.Crosstable{Standings: []report.Standing{{Rank: 1, Name: name, Against: []report.Cell{{}}}}}
	places := []Place{{Rank: 1, Place: "1st", Name: name, Values: []string{"1"}}}
	return &Report{
		Event:   tournament.Event{ID: 1, Name: name, Size: start.Size(), Entries: []tournament.Entry{{Name: name, Spec: "greedy"}}},
		Outcome: plain.Line(name) + " won.", State: "This event is over.", Podium: places, Columns: []string{"points"}, Places: places,
		Matrix: drawing.NewMatrix(&table),
		Scenes: []Scene{{Title: "The closest match", Caption: called(name) + " beat " + called(name), Game: 1, Final: start}},
		Faults: []string{called(name) + "'s program ended"}, Facts: []Fact{{"openings", plain.Line(name)}},
	}
}

// No name is a tag, a link, emphasis or anything else but text, in both forms.
func FuzzNames(f *testing.F) {
	for _, name := range []string{
		"<b>", "|x|", "\u202eabc", "\u05d0\u05d1", "**x**", "_x_ __y__", "[a](javascript:b)", "![a](b)", "https://example.org", "www.example.org", "a@example.org", "`x`",
		"```", "~~~", "# x", "- x", "\\", "\\<b>", "&lt;b&gt;", "a\n\nb", "</title><script>", "--", "<!--", "\" onload=x", "~~x~~", "1. x", "$x$", "ftp://a.b", "mailto:a@b.cd", "=",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if name == "" || strings.TrimSpace(name) != name || len(name) > 100 {
			return
		}
		page, text := named(name).forms(t, "https://arena.example.org")
		usualPage, usualText := named("x").forms(t, "https://arena.example.org")
		shown, usual := rendered(t, text), rendered(t, usualText)
		if named(name).Command("") == "" { // the file of the event is shown in its place
			return
		}
		if got, want := tags(page), tags(usualPage); !slices.Equal(got, want) {
			t.Errorf("%q: the page has the tags %q, want %q", name, got, want)
		}
		if got, want := tags(shown), tags(usual); !slices.Equal(got, want) {
			t.Errorf("%q: the Markdown has the tags %q, want %q in\n%s", name, got, want, text)
		}
		for _, form := range []string{page, shown} {
			if strings.ContainsAny(form, "\u202e\x1b") || !strings.Contains(html.UnescapeString(form), plain.Line(name)+" won.") {
				t.Errorf("%q is not shown as it is:\n%s", name, form)
			}
		}
	})
}
