package offline_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"versus2048/internal/web/offline"
	"versus2048/lab/retrograde"
	"versus2048/rules"
)

func newSite(t *testing.T) *offline.Site {
	t.Helper()
	site, err := offline.New(offline.Config{Static: "/static/build", Version: "1.0"})
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// Addresses of an arena become those of the site's files, seen from the folder of their page.
func TestRelative(t *testing.T) {
	for _, c := range []struct {
		depth      int
		html, want string
	}{
		{0, `<a href="/">`, `<a href="./">`},
		{0, `<a class="x" href="/play?level=club">`, `<a class="x" href="play.html?level=club">`},
		{0, `<a href="/puzzles/17">`, `<a href="puzzles.html?number=17">`},
		{0, `<a href="/puzzles/17?role=attacker">`, `<a href="puzzles.html?number=17&amp;role=attacker">`},
		{0, `<form action="/analysis">`, `<form action="analysis.html">`},
		{1, `<a href="/docs/API#errors">`, `<a href="../docs/API.html#errors">`},
		{2, `<img src="/docs/images/a.svg">`, `<img src="../../docs/images/a.svg">`},
		{2, `<a href="#here">`, `<a href="#here">`},
		{0, `<a href="https://example.org/">`, `<a href="https://example.org/">`},
	} {
		if got := string(offline.Relative([]byte(c.html), c.depth)); got != c.want {
			t.Errorf("%s at depth %d: %s, want %s", c.html, c.depth, got, c.want)
		}
	}
}

// The site answers with pages and with parts of pages, and tells what is wrong with a request.
func TestAnswers(t *testing.T) {
	const opinion = `{"rules": "gpcc2015", "position": "2,2/0,0 D", "bot": "champion", "opinion": {"bot": "champion", "move": "W"}}`
	for _, c := range []struct {
		request offline.Request
		status  int
		want    string
	}{
		{offline.Request{Path: "/analysis"}, 200, `data-position="0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A 0 0"`},
		{offline.Request{Path: "/analysis", Query: "position=2,0/0,2+D"}, 200, `href="analysis.html?position=`},
		{offline.Request{Path: "/analysis", Query: "position=3"}, 200, "This position is impossible"},
		{offline.Request{Path: "/analysis", Query: "setup=next"}, 200, "Set up a position"},
		{offline.Request{Path: "/puzzles", Query: "number=7"}, 200, `data-puzzle="7"`},
		{offline.Request{Path: "/puzzles"}, 200, "Puzzle of the day"},
		{offline.Request{Path: "/puzzles", Query: "number=0"}, 404, "There is no puzzle 0"},
		{offline.Request{Path: "/puzzles", Query: "role=attacker&rules=solo"}, 200, "Under solo chance attacks."},
		{offline.Request{Path: "/puzzles", Query: "after=5&size=2x4"}, 200, "There is no such puzzle. Choose other rules"},
		{offline.Request{Path: "/replay"}, 200, "Drop the record"},
		{offline.Request{Path: "/replay", Body: "no record"}, 400, "This is no record of a game"},
		{offline.Request{Path: "/replay", Body: "\n"}, 400, "the text is empty"},
		{offline.Request{Path: "/replay", Body: "[Size \"2x2\"]\n\n1. (1,1) E\n\n[Size \"2x2\"]\n\n1. (1,1) S\n"}, 400, "a second game begins"},
		{offline.Request{Path: "/parts/opinion", Body: opinion}, 200, `"says":"Chooses W without a search"`},
		{offline.Request{Path: "/parts/opinion"}, 400, "cannot run"},
		{offline.Request{Path: "/parts/hint", Body: opinion}, 200, "would play W"},
		{offline.Request{Path: "/api/games/0"}, 404, "error"},
		{offline.Request{Path: "/bots/ann"}, 404, "There is no such page"},
	} {
		got := newSite(t).Answer(c.request)
		if got.Status != c.status || !strings.Contains(got.Body, c.want) {
			t.Errorf("%+v: status %d without %q: %.300s", c.request, got.Status, c.want, got.Body)
		}
		if strings.Contains(got.Body, `="/`) {
			t.Errorf("%+v: an address begins with a slash: %s", c.request, got.Body)
		}
	}
}

// The moves that decided a game are judged by perfect play where the site has a table, which the request needs, and
// else by a search.
func TestMistakes(t *testing.T) {
	site := newSite(t)
	body, err := json.Marshal(map[string]string{"record": "[Size \"2x2\"]\n\n1. (1,1) S 2. (1,1) N 3. (2,1) S 4. (1,1) N 5. (2,2) N 6. (2,2)\n"})
	if err != nil {
		t.Fatal(err)
	}
	asked := offline.Request{Path: "/api/mistakes", Body: string(body)}
	if got, want := site.Needs(asked), (offline.Needed{Table: "gpcc2015-2x2.table", Own: true}); got != want {
		t.Errorf("it needs %+v, want %+v", got, want)
	}
	wantJudge := func(judge string) {
		t.Helper()
		var marks []struct{ Why string }
		got := site.Answer(asked)
		if err := json.Unmarshal([]byte(got.Body), &marks); err != nil || got.Status != 200 || len(marks) == 0 || !strings.Contains(marks[0].Why, judge) {
			t.Errorf("%+v, want moves judged %s", got, judge)
		}
	}
	wantJudge("by a search")
	load(t, site, rules.GPCC2015)
	wantJudge("under perfect play")
	if got := site.Answer(offline.Request{Path: "/api/mistakes", Body: `{"record": "1. (9,9) N"}`}); got.Status != 400 || !strings.Contains(got.Body, "no game") {
		t.Errorf("a broken record: %+v", got)
	}
}

// load loads the table of 2x2 into a site, and returns its name.
func load(t *testing.T, site *offline.Site, r rules.Ruleset) string {
	t.Helper()
	solution, err := retrograde.Solve(t.Context(), r, rules.Size{Width: 2, Height: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := solution.Encode(&file); err != nil {
		t.Fatal(err)
	}
	name, err := site.Load(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// The next puzzle has an address of its own.
func TestNextPuzzle(t *testing.T) {
	got := newSite(t).Answer(offline.Request{Path: "/puzzles", Query: "after=7&role=attacker"})
	if !strings.HasPrefix(got.Address, "puzzles.html?number=") || !strings.HasSuffix(got.Address, "&role=attacker") {
		t.Errorf("its address is %q", got.Address)
	}
}

// A request names the table that it needs, until that is loaded. Boards that nobody has solved need none.
func TestTables(t *testing.T) {
	site := newSite(t)
	small := offline.Request{Path: "/analysis", Query: "position=2,0/0,2+D&rules=gpcc2016"}
	for request, want := range map[offline.Request]offline.Needed{
		small: {Table: "gpcc2016-2x2.table", Own: true},
		{Path: "/analysis", Query: "position=2,0,0/0,2,0/0,0,0+D&rules=solo"}: {Table: "solo-3x3.table"},
		{Path: "/analysis"}: {},
		{Path: "/parts/hint", Body: `{"rules": "gpcc2015", "position": "2,0,0/0,0,2 D"}`}: {Table: "gpcc2015-3x2.table", Own: true},
		{Path: "/replay", Body: "[Rules \"gpcc2015\"]\n[Size \"2x3\"]\n\n1. (1,1) E\n"}:   {Table: "gpcc2015-2x3.table", Own: true},
		{Path: "/puzzles"}: {},
	} {
		if got := site.Needs(request); got != want {
			t.Errorf("%+v needs %+v, want %+v", request, got, want)
		}
	}
	if name := load(t, site, rules.GPCC2016); name != "gpcc2016-2x2.table" {
		t.Errorf("loaded %q", name)
	}
	if got := site.Needs(small); got.Table != "" {
		t.Errorf("a request needs %+v, which is loaded", got)
	}
	if got := site.Answer(small); !strings.Contains(got.Body, "Under perfect play") {
		t.Errorf("no exact values: %s", got.Body)
	}
	if _, err := site.Load([]byte("no table")); err == nil {
		t.Error("loaded what is no table")
	}
}

// An opened record answers its page's modules.
func TestReplay(t *testing.T) {
	site := newSite(t)
	const text = "[Attacker \"ann\"]\n[Defender \"bob\"]\n[Rules \"gpcc2015\"]\n[Size \"2x2\"]\n[Ending \"resigned\"]\n\n1. (1,1) E 2. (1,1) E\n"
	if got := site.Answer(offline.Request{Path: "/replay", Query: "ply=2", Body: text}); got.Status != 200 || !strings.Contains(got.Body, `data-ply="2"`) {
		t.Fatalf("%+v", got)
	}
	var game struct {
		Result string
		Record struct{ Moves []string }
	}
	if err := json.Unmarshal([]byte(site.Answer(offline.Request{Path: "/api/games/0"}).Body), &game); err != nil || len(game.Record.Moves) != 4 || !strings.Contains(game.Result, "bob scored 4") {
		t.Errorf("%+v, error %v", game, err)
	}
	for path, want := range map[string]string{
		"/parts/games/0/panels": "data-search", "/parts/games/0/marks": "data-marks", "/parts/games/0/curves": "polyline", "/api/games/0/logs": "error", "/api/games/0/plies": `{"from":0}`,
	} {
		if got := site.Answer(offline.Request{Path: path}); !strings.Contains(got.Body, want) {
			t.Errorf("%s: %s", path, got.Body)
		}
	}
}
