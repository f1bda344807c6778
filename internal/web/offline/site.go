package offline

import (
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"versus2048/internal/web/analysis"
	"versus2048/internal/web/templates"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Config is the configuration of a site.
type Config struct {
	Static  string // the address of the files that browsers load besides pages
	Version string // of this program, shown at the foot of each page
}

// Site makes the pages of a site without an arena.
type Site struct {
	config Config
	pages  templates.Pages
	tables analysis.Tables
	book   func() (*exact.PuzzleBook, error)
	game   *record.Record // the game that the visitor has opened, nil before
}

// New returns a site. It returns an error if a template is broken.
func New(c Config) (*Site, error) {
	static := func(file string) string { return path.Join(c.Static, file) }
	pages, err := templates.Parse(template.FuncMap{"static": static}, "analysis", "setup", "puzzle", "play", "replay", "error", "site-home", "rules", "docs", "document")
	return &Site{config: c, pages: pages, book: sync.OnceValues(exact.OwnPuzzles)}, err
}

// frame is a page with the facts for the frame around it.
type frame struct {
	analysis.View
	About, Version string
	Busy           bool // always false: no event is played without an arena
}

// about describes the pages of the site.
const about = "2048 for two players: one slides the tiles for points, the other places them to stop it. Play, solve puzzles, analyse positions."

// Page returns a page with its frame. depth is the number of folders of the site above its file.
func (s *Site) Page(name string, v analysis.View, depth int) ([]byte, error) {
	html, err := s.pages.Make(name, "site", frame{View: v, About: about, Version: s.config.Version})
	return Relative(html, depth), err
}

// Load adds a table of exact values, unless the site has one for the same game, and returns its name. It returns an
// error if content is no such table.
func (s *Site) Load(content []byte) (name string, err error) {
	table, err := exact.Read(content)
	if err != nil {
		return "", fmt.Errorf("this is no table of exact values: %w", err)
	}
	if s.tables.Of(rules.NewPosition(table.Rules(), table.Size())) == nil {
		s.tables = append(s.tables, table)
	}
	return TableName(table.Rules(), table.Size()), nil
}

// TableName returns the name of the table for a game.
func TableName(r rules.Ruleset, size rules.Size) string { return fmt.Sprintf("%v-%v.table", r, size) }

// mostCells is the number of cells of the largest board with a table that comes with the site.
const mostCells = 6

// TableSizes returns the boards with tables that come with the site.
func TableSizes() []rules.Size {
	return slices.DeleteFunc(rules.Sizes(), func(s rules.Size) bool { return !hasTable(s) })
}

func hasTable(s rules.Size) bool { return s.Cells() <= mostCells }

// Needed is a table that an answer needs.
type Needed struct {
	Table string // its name, "" for none
	Own   bool   // whether it comes with the site; the visitor may have loaded other tables
}

// Needs returns the table that is to be loaded before a request is answered.
func (s *Site) Needs(r Request) Needed {
	p, err := s.position(r)
	if err != nil || s.tables.Of(p) != nil || exact.Solvable(p.Size()) != nil {
		return Needed{}
	}
	return Needed{TableName(p.Rules(), p.Size()), hasTable(p.Size())}
}

// position returns the position that a request is about.
func (s *Site) position(r Request) (rules.Position, error) {
	if s.game != nil && strings.Contains(r.Path, "/games/") {
		return s.game.Start, nil
	}
	if r.Path == "/replay" {
		game, err := parse(r.Body)
		return game.Start, err
	}
	if r.Body != "" {
		var asked asked
		if err := json.Unmarshal([]byte(r.Body), &asked); err != nil {
			return rules.Position{}, err
		}
		if asked.Record != "" {
			game, err := parse(asked.Record)
			return game.Start, err
		}
		return analysis.PositionOf(asked.Rules, asked.Position)
	}
	return analysis.PositionIn(r.values())
}

// Request is a request for a page, or a request by a module of a page.
type Request struct{ Path, Query, Body string }

func (r *Request) values() url.Values {
	values, _ := url.ParseQuery(r.Query) // leaves out parts that cannot be read
	return values
}

// Answer is the answer to a request.
type Answer struct {
	Status  int    // as in HTTP
	Address string // of the page, if it differs from the address in the request
	Body    string // HTML, or JSON
}

// Answer answers a request. If the request fails, the answer describes the error, with status 400 or 404.
func (s *Site) Answer(r Request) Answer {
	body, address, err := s.answer(r)
	if err == nil {
		return Answer{200, address, string(body)}
	}
	var known *analysis.Problem
	if !errors.As(err, &known) {
		known = &analysis.Problem{Title: "This cannot be shown", Advice: err.Error()}
	}
	status := 400
	if known.Missing {
		status = 404
	}
	if strings.HasPrefix(r.Path, "/parts/") || strings.HasPrefix(r.Path, "/api/") {
		body, _ = json.Marshal(map[string]string{"error": known.Error()}) // a map of texts can always be encoded
		return Answer{status, "", string(body)}
	}
	v := analysis.View{Title: known.Title, Body: map[string]any{"Title": known.Title, "Advice": known.Advice, "Status": status}}
	if body, err = s.Page("error", v, 0); err != nil {
		body = []byte(template.HTMLEscapeString(err.Error()))
	}
	return Answer{status, "", string(body)}
}
