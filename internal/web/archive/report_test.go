package archive

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/internal/web/drawing"
	"versus2048/players"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
)

var write = flag.Bool("write", false, "write the files of testdata")

// written returns the report of an event in both forms. It checks that the page is small and runs nothing.
func written(t *testing.T, store *results.Reader, event int64, link string) (page, text string) {
	t.Helper()
	artist, err := drawing.NewArtist()
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReport(t.Context(), store, event, artist)
	if err != nil {
		t.Fatal(err)
	}
	page, text = r.forms(t, link)
	if len(page) > 3_000_000 || len(page)/1000 > 2*r.Size() || strings.Contains(page, "<script") {
		t.Errorf("event %d: the page has %d bytes, its report %d kB", event, len(page), r.Size())
	}
	return page, text
}

func (r *Report) forms(t *testing.T, link string) (page, text string) {
	t.Helper()
	var made [2]bytes.Buffer
	for i, name := range ReportForms() {
		form, known := ReportFormOf(name)
		if !known {
			t.Fatalf("there is no form %s", name)
		}
		if err := form.Write(r, &made[i], link); err != nil {
			t.Fatal(err)
		}
	}
	return made[0].String(), made[1].String()
}

var pictures = regexp.MustCompile(`(data:image/[a-z+]+;base64,)[A-Za-z0-9+/=]+`)

// The report of a small event of an old database is the one of testdata, without the pictures. go test -write renews
// it.
func TestGolden(t *testing.T) {
	page, text := written(t, read(t, "../../../results/testdata/version4.db"), 1, "https://arena.example.org")
	page = pictures.ReplaceAllString(page, "$1")
	for name, got := range map[string]string{"swiss.html": page, "swiss.md": text} {
		path := filepath.Join("testdata", name)
		if *write {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil { // #nosec G306 -- a file of the tree
				t.Fatal(err)
			}
		}
		if want := testkit.ReadDocument(t, path); got != want {
			t.Errorf("%s: the report is\n%s", path, got)
		}
	}
}

// Every event of the old databases has a report.
func TestOldDatabases(t *testing.T) {
	paths, err := filepath.Glob("../../../results/testdata/version*.db")
	if err != nil || len(paths) == 0 {
		t.Fatalf("databases %q, error %v", paths, err)
	}
	for _, path := range paths {
		store := read(t, path)
		events, err := store.Events(t.Context())
		if err != nil || len(events) == 0 {
			t.Fatalf("%s: %d events, error %v", path, len(events), err)
		}
		for _, e := range events {
			page, text := written(t, store, e.ID, "")
			for _, part := range []string{"Best games", "arena event run", "Facts"} {
				if !strings.Contains(page, part) || !strings.Contains(text, part) {
					t.Errorf("%s, event %d: no %q", path, e.ID, part)
				}
			}
			if strings.Contains(page, "<a ") {
				t.Errorf("%s, event %d: the page has links without an address", path, e.ID)
			}
		}
	}
}

func read(t *testing.T, path string) *results.Reader {
	t.Helper()
	store, err := results.OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func openNew(t *testing.T) *results.Store {
	t.Helper()
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// eventOf returns an event of strangers on a small board.
func eventOf(kind string) tournament.Event {
	e := tournament.Event{
		Name: "cup <i>" + kind, Size: rules.Size{Width: 2, Height: 2}, Seed: 5, Matches: 2, Concurrency: 2, InProcess: true,
		Settings: tournament.Settings{Plan: tournament.Plan{Kind: kind}},
	}
	for _, name := range []string{"<b>bold", "|x|", "\u05d0\u05d1*", "https://example.org/_x_"} {
		e.Entries = append(e.Entries, tournament.Entry{Name: name, Spec: "greedy"})
	}
	switch kind {
	case tournament.SPRT:
		e.Settings.Plan.SPRT.Elo1 = 200
		e.Entries, e.Matches = e.Entries[:2], 4
	case tournament.Placement, tournament.Ladder:
		e.Matches = 8
	}
	return e
}

// play plays an event.
func play(t *testing.T, store *results.Store, e tournament.Event) {
	t.Helper()
	var bots []tournament.Bot
	for _, entry := range e.Entries {
		spec, err := players.Parse(entry.Spec)
		if err != nil {
			t.Fatal(err)
		}
		bots = append(bots, &tournament.LocalBot{ID: tournament.Identity{Name: entry.Name, Spec: entry.Spec}, Games: 2, New: spec.New})
	}
	runner := tournament.Runner{Event: e, Format: format.New, Bots: bots, Journal: store.Journal(e.ID)}
	if err := runner.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Each format has a report before the first game and after the last one. Names are plain text in it.
func TestFormats(t *testing.T) {
	store := openNew(t)
	for _, kind := range tournament.Formats() {
		e := eventOf(kind)
		var err error
		if e.ID, err = store.CreateEvent(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		page, text := written(t, store.Reader, e.ID, "")
		for _, part := range []string{"not over: no game of it is finished", "No match is decided yet", "None so far"} {
			if !strings.Contains(page, part) || !strings.Contains(text, part) {
				t.Errorf("%s, before any game: no %q in\n%s", kind, part, text)
			}
		}
		play(t, store, e)
		page, text = written(t, store.Reader, e.ID, "")
		for _, part := range []string{"game", "Crosstable", "The highest score", "arena export", "arena event run"} {
			if !strings.Contains(page, part) || !strings.Contains(text, part) {
				t.Errorf("%s: no %q in\n%s", kind, part, text)
			}
		}
		for _, name := range []string{"<b>", "<i>"} {
			if strings.Contains(page, name) {
				t.Errorf("%s: the page has the tag %s of a name", kind, name)
			}
		}
		if got := rendered(t, text); slices.Contains(tags(got), "<i") || strings.Contains(got, "<a ") || strings.Contains(got, "<b>") {
			t.Errorf("%s: the Markdown has tags or links of a name:\n%s", kind, got)
		}
	}
}

// losing records the first game of a match of ann and bob on a 3x3 board, which ann loses as the attacker, and a second
// one that bob wins.
func losing(t *testing.T, store *results.Store, e tournament.Event, match int, begun time.Time, ending record.Ending) {
	t.Helper()
	journal := store.Journal(e.ID)
	for leg := 1; leg <= 2; leg++ {
		g := tournament.Game{
			Pairing: tournament.Pairing{Match: match, Round: 1, Nth: match, First: "bob", Second: "ann"}, Leg: leg, Started: begun,
			Record: record.Record{Start: rules.NewPosition(rules.GPCC2015, e.Size), Ending: record.Unfinished},
		}
		g.Record.Attacker, g.Record.Defender = g.Roles(leg)
		g, err := journal.Open(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		if leg == 1 {
			g.Record.Ending, g.Record.Detail = ending, "exit status 1 <u>"
		} else {
			g.Record.Moves, g.Record.Ending = moves(t, "(1,1)", "S", "(1,1)", "S"), record.MaxTurns
			g.Record.Times, g.Record.Lags = make([]time.Duration, 4), make([]time.Duration, 4)
		}
		g.Finished = begun.Add(10 * time.Second)
		if err := journal.Finish(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		begun = begun.Add(30 * time.Second)
	}
}

func moves(t *testing.T, texts ...string) (list []rules.Move) {
	t.Helper()
	for _, text := range texts {
		m, err := rules.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// A half point has one decimal and a quarter two, but a rating has one.
func TestDecimals(t *testing.T) {
	for v, want := range map[float64]string{0: "0", -12: "-12", 1500: "1500", 2.5: "2.5", -0.5: "-0.5", 1893.2345: "1893.2", 0.25: "0.25", 12.75: "12.75"} {
		if got := ValueText(v); got != want {
			t.Errorf("%v is shown as %s, want %s", v, got, want)
		}
	}
}

// Faults are told with the time until the bot played again, and voided matches are named.
func TestFaults(t *testing.T) {
	store := openNew(t)
	e := tournament.Event{
		Name: "faults", Size: rules.Size{Width: 3, Height: 3}, Matches: 3, Concurrency: 1, Entries: []tournament.Entry{{Name: "bob"}, {Name: "ann"}},
		Settings: tournament.Settings{Adjudication: tournament.Adjudication{MaxTurns: 2}},
	}
	var err error
	if e.ID, err = store.CreateEvent(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	begun := time.Date(2026, 11, 29, 12, 0, 0, 500_000_000, time.UTC)
	for i, ending := range []record.Ending{record.Disconnect, record.Time, record.IllegalMove} {
		losing(t, store, e, i+1, begun.Add(time.Duration(i)*time.Hour), ending)
	}
	if err := store.Void(t.Context(), e.ID, 3, begun); err != nil {
		t.Fatal(err)
	}
	losing(t, store, e, 3, begun.Add(5*time.Hour), record.IllegalMove)
	_, text := written(t, store.Reader, e.ID, "https://arena.example.org")
	for _, part := range []string{
		"ann's program ended or lost its connection during game 1 against bob (exit status 1 \\<u\\>); it played again 20 seconds later.",
		"ann's program needed more time than its clock had during game 3 against bob",
		"ann's program answered with a move that the rules do not allow during game 7 against bob",
		"Match 3 of bob and ann was voided: its games do not count, and it is played again.",
		"- began: 29 November 2026, 12:00 UTC\n- last game: 29 November 2026, 17:00 UTC\n- duration: 5 hours",
		"[Game 2](https://arena.example.org/games/2)",
		"--server https://arena.example.org --bot bob --bot ann",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	if _, err := NewReport(t.Context(), store.Reader, 99, nil); err == nil {
		t.Error("an event that does not exist has a report")
	}
}

// Absences of ten bots are told, and the number of the others.
func TestAbsences(t *testing.T) {
	for bots, last := range map[int]string{
		10: "bot 10 was away for 2 seconds in all and came back: its clock stood still meanwhile.",
		12: "2 bots more were away and came back.",
	} {
		var r Report
		var roles []report.Role
		for i := range bots {
			name := fmt.Sprintf("bot %d", i+1)
			r.Event.Entries = append(r.Event.Entries, tournament.Entry{Name: name})
			role := report.Role{Name: name}
			role.AwayMS = 2000
			roles = append(roles, role)
		}
		r.tellAbsences(roles)
		if got := r.Faults[len(r.Faults)-1]; got != last || len(r.Faults) != min(bots, mostTold+1) {
			t.Errorf("%d bots: %d sentences, the last one is %q, want %q", bots, len(r.Faults), got, last)
		}
	}
}

// The closest match, the greatest upset and the longest game are chosen by their scores, ratings and turns, and a game
// that is several of them is shown once.
func TestChoice(t *testing.T) {
	c := &chooser{event: &tournament.Event{}, ratings: map[string]float64{"ann": 100, "bob": 0}, half: map[int]tournament.Result{}}
	for i, scores := range [][2]int{{400, 100}, {300, 296}, {10, 300}, {50, 50}} {
		for leg := 1; leg <= 2; leg++ {
			c.add(tournament.Result{
				Pairing: tournament.Pairing{Match: i + 1, First: "ann", Second: "bob"}, Game: int64(2*i + leg), Leg: leg,
				Summary: tournament.Summary{Score: scores[leg-1], Turns: 10 * (i + 1), LargestTile: 64, Ending: record.Mate},
			})
		}
	}
	var got []string
	for _, s := range c.scenes() {
		got = append(got, fmt.Sprintf("%d %s: %s", s.Game, s.Title, s.Caption))
	}
	want := []string{
		"1 The highest score: ann made 400 points against bob; the largest tile was 64.",
		"3 The closest match: ann beat bob by 4 points in match 2, 300 to 296.",
		"6 The greatest upset: bob won match 3, 300 to 10, against ann, whose rating is 100 Elo higher.",
		"7 The longest game: ann defended against bob for 40 turns.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the games are %q, want %q", got, want)
	}
}
