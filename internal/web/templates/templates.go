package templates

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"versus2048/internal/text/plain"
	"versus2048/rules"
)

// Files are the templates.
//
//go:embed *.html
var Files embed.FS

// Pages are parsed pages, by the names of their files without .html.
type Pages map[string]*template.Template

// Names returns the names of all files without .html: of the pages, and of the frames and the parts that pages share.
func Names() (names []string) {
	found, _ := fs.Glob(Files, "*.html") // fails only for a wrong pattern
	for _, name := range found {
		names = append(names, strings.TrimSuffix(name, ".html"))
	}
	return names
}

// Parse parses each of these pages together with the frame around it and the parts that pages share. more has further
// functions for them.
func Parse(more template.FuncMap, names ...string) (Pages, error) {
	all := functions()
	maps.Copy(all, more)
	frame, err := template.New("").Funcs(all).ParseFS(Files, "frame.html", "parts.html", "replaying.html", "site.html", "welcome.html")
	if err != nil {
		return nil, fmt.Errorf("parsing the frame of the pages: %w", err)
	}
	pages := Pages{}
	for _, name := range names {
		page, err := template.Must(frame.Clone()).ParseFS(Files, filesOf(name)...)
		if err != nil {
			return nil, fmt.Errorf("parsing the page %s: %w", name, err)
		}
		pages[name] = page
	}
	return pages, nil
}

// filesOf returns the files of a page. The page for a projector has parts of two other pages; its own file comes last,
// so that its definitions count.
func filesOf(page string) []string {
	if page == "projector" {
		return []string{"boards.html", "lobby.html", "projector.html"}
	}
	return []string{page + ".html"}
}

// section is a link of the frame to a part of the pages.
type section struct {
	Name, Title string
	Here        bool // whether the page belongs to it
}

// functions returns the functions of all pages.
func functions() template.FuncMap {
	return template.FuncMap{
		"name":     plain.Line,     // a text from a stranger
		"path":     url.PathEscape, // a text from a stranger, in an address
		"number":   Number,
		"signed":   Signed,
		"count":    Count,
		"when":     func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"day":      func(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") },
		"rulesets": rules.Rulesets,
		"json": func(value any) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
		"section": func(name, title, current string) section { return section{name, title, name == current} },
		"add":     func(a, b int) int { return a + b },
		"away": func(sides []rules.Side, side string) bool {
			return slices.ContainsFunc(sides, func(s rules.Side) bool { return s.String() == side })
		},
	}
}

// Make makes a part of a page from its template. The page's JavaScript asks for such parts and inserts them, so that
// all HTML comes from templates.
func (p Pages) Make(page, part string, body any) ([]byte, error) {
	var made bytes.Buffer
	if err := p[page].ExecuteTemplate(&made, part, body); err != nil {
		return nil, fmt.Errorf("the part %s of the page %s: %w", part, page, err)
	}
	return made.Bytes(), nil
}
