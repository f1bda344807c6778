package results

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules/record"
)

// docs/DATABASE.md lists exactly the tables and columns of the schema, with their types.
func TestDocumentedSchema(t *testing.T) {
	documented := map[string]string{} // the type of each column, by "table.column"
	section := regexp.MustCompile(`(?ms)^### (\w+)$(.*?)(?:^#|\z)`)
	row := regexp.MustCompile("(?m)^- `(\\w+)` ([A-Z]+): .+$")
	_, text, _ := strings.Cut(testkit.ReadDocument(t, "../docs/DATABASE.md"), "\n## The tables\n")
	for len(text) > 0 {
		at := section.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		for _, r := range row.FindAllStringSubmatch(text[at[4]:at[5]], -1) {
			documented[text[at[2]:at[3]]+"."+r[1]] = r[2]
		}
		text = text[at[5]:]
	}
	actual := map[string]string{}
	err := queryEach(t.Context(), openNew(t).read, func(rows *sql.Rows) error {
		var column, kind string
		err := rows.Scan(&column, &kind)
		actual[column] = kind
		return err
	}, `SELECT t.name || '.' || c.name, c.type FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`)
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range slices.Sorted(maps.Keys(actual)) {
		if documented[column] != actual[column] {
			t.Errorf("docs/DATABASE.md describes the column %s as %q, it is %s: correct or add its line", column, documented[column], actual[column])
		}
	}
	for _, column := range slices.Sorted(maps.Keys(documented)) {
		if actual[column] == "" {
			t.Errorf("docs/DATABASE.md describes the column %s, which does not exist", column)
		}
	}
}

func TestDocumentedApplication(t *testing.T) {
	if want := fmt.Sprintf("`PRAGMA application_id` is %d ", applicationID); !strings.Contains(testkit.ReadDocument(t, "../docs/DATABASE.md"), want) {
		t.Errorf("docs/DATABASE.md does not have %q", want)
	}
}

// variedDatabase returns the path of a database with events of all kinds.
func variedDatabase(t *testing.T) (path string, s *Store) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "arena.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for seed := range uint64(24) {
		someEvent(t, s, seed)
	}
	return path, s
}

// Every query of docs/DATABASE.md finds something in a database opened as the page says.
func TestDocumentedQueries(t *testing.T) {
	path, s := variedDatabase(t)
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: "mode=ro"}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	queries := testkit.Blocks(testkit.ReadDocument(t, "../docs/DATABASE.md"), "sql")
	for _, q := range queries {
		found := 0
		if err := queryEach(t.Context(), db, func(*sql.Rows) error { found++; return nil }, q); err != nil || found == 0 {
			t.Errorf("%d rows, error %v:\n%s", found, err, q)
		}
	}
	if len(queries) < 4 {
		t.Errorf("%d queries", len(queries))
	}
	outcomes, faults := s.outcomes(t)
	if got := wanted(t, db, queries, "AS outcome"); !reflect.DeepEqual(got, outcomes) {
		t.Errorf("the matches end\n%v\nwant\n%v", got, outcomes)
	}
	if got := wanted(t, db, queries, "AS bot"); !reflect.DeepEqual(got, faults) {
		t.Errorf("the faults are\n%v\nwant\n%v", got, faults)
	}
}

// wanted returns the rows of the query that has the text: for outcomes the match and its outcome, for
// faults the bot, the ending and the number.
func wanted(t *testing.T, db *sql.DB, queries []string, text string) map[string]string {
	t.Helper()
	i := slices.IndexFunc(queries, func(q string) bool { return strings.Contains(q, text) })
	rows := map[string]string{}
	err := queryEach(t.Context(), db, func(r *sql.Rows) error {
		var a, b, c, d, e string
		err := r.Scan(&a, &b, &c, &d, &e)
		switch text {
		case "AS outcome":
			rows[a+"/"+b] = e
		default:
			rows[a+"/"+b+"/"+c] = d
		}
		return err
	}, queries[i])
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// outcomes returns the winner of each match, and the faults of each bot, as the arena computes
// them.
func (s *Store) outcomes(t *testing.T) (outcomes, faults map[string]string) {
	t.Helper()
	outcomes, faults = map[string]string{}, map[string]string{}
	events, err := s.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		matches := matchesOf(t, s, e.Event)
		for _, m := range matches {
			outcomes[fmt.Sprint(e.ID, "/", m.Match)] = string(m.Outcome)
		}
	}
	counts := map[string]int{}
	err = s.Games(t.Context(), Filter{Finished: true}, func(g Stored) error {
		if r := &g.Record; r.Ending.Fault() {
			winner, _ := r.Winner()
			bot := []string{r.Defender, r.Attacker}[winner] // the other side: Attacker is 0
			counts[fmt.Sprint(g.Event, "/", bot, "/", r.Ending)]++
		}
		return nil
	})
	if err != nil || len(outcomes) < 20 || len(counts) < 10 {
		t.Fatalf("%d outcomes and %d kinds of faults, error %v", len(outcomes), len(counts), err)
	}
	for key, n := range counts {
		faults[key] = fmt.Sprint(n)
	}
	return outcomes, faults
}

// The program of docs/DATABASE.md reads games as we do.
func TestDocumentedProgram(t *testing.T) {
	testkit.Long(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing, which runs the program of the page")
	}
	path, s := variedDatabase(t)
	program := filepath.Join(t.TempDir(), "game.py")
	if err := os.WriteFile(program, []byte(testkit.Blocks(testkit.ReadDocument(t, "../docs/DATABASE.md"), "python")[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	var ids []int64
	if err := s.Games(t.Context(), Filter{Finished: true}, func(g Stored) error { ids = append(ids, g.ID); return nil }); err != nil {
		t.Fatal(err)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	slides, reports := 0, 0
	for _, id := range ids[:20] {
		g, err := s.Game(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Record.Moves) > 0 && g.Record.Moves[0].IsSlide() {
			slides++
		}
		if g.Record.Searches != nil {
			reports++
		}
		wantPrinted(t, &g.Record, exec.CommandContext(t.Context(), python, program, path, fmt.Sprint(id)))
	}
	if slides == 0 || reports == 0 {
		t.Errorf("%d of the games begin with a slide, %d have reports", slides, reports)
	}
}

// wantPrinted checks that the program prints the lists of a record.
func wantPrinted(t *testing.T, r *record.Record, program *exec.Cmd) {
	t.Helper()
	printed, err := program.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got, want struct {
		Moves    []string `json:"moves"`
		TimesUS  []int64  `json:"times_us"`
		LagsUS   []int64  `json:"lags_us"`
		Searches any      `json:"searches"`
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(printed, &got); err != nil {
		t.Fatal(err)
	}
	if want.TimesUS == nil { // a record leaves out empty lists
		want.TimesUS, want.LagsUS = []int64{}, []int64{}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("game %s is printed as %+v, want %+v", r.Game, got, want)
	}
}

// An event's file is as docs/RECORDS.md says.
func TestDocumentedExport(t *testing.T) {
	text, err := os.ReadFile(version4Exports[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	rows := regexp.MustCompile("(?m)^- (?:First|For each game|Last) `(\\w+)`: (.*(?:\n  .*)*)$").FindAllStringSubmatch(testkit.ReadDocument(t, "../docs/RECORDS.md"), -1)
	if len(rows) != 3 {
		t.Fatalf("the page describes %d kinds of lines", len(rows))
	}
	for i, line := range []string{lines[0], lines[1], lines[len(lines)-1]} {
		var keys map[string]map[string]any
		if err := json.Unmarshal([]byte(line), &keys); err != nil || keys[rows[i][1]] == nil {
			t.Fatalf("line %s does not have the key %s: %v", line, rows[i][1], err)
		}
		for _, m := range regexp.MustCompile("`([a-z0-9]+)`").FindAllStringSubmatch(rows[i][2], -1) {
			if _, has := keys[rows[i][1]][m[1]]; !has {
				t.Errorf("line %s does not have the key %s", line, m[1])
			}
		}
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines[:len(lines)-1], ""))))
	if !strings.Contains(lines[len(lines)-1], sum) {
		t.Errorf("the end %s does not have the checksum %s", lines[len(lines)-1], sum)
	}
}

// A copy that is made as docs/DATABASE.md says, while an arena has the database open, has everything.
func TestDocumentedCopy(t *testing.T) {
	path, s := variedDatabase(t)
	copied := filepath.Join(t.TempDir(), "copy.db")
	db, err := connect(path, url.Values{"mode": {"ro"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(context.Background(), fmt.Sprintf("VACUUM INTO '%s'", copied)); err != nil {
		t.Fatal(err)
	}
	again, err := OpenReader(t.Context(), copied)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	want, err := s.Verify(t.Context(), Filter{}, failOn(t))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := again.Verify(t.Context(), Filter{}, failOn(t)); err != nil || got != want || got.Games == 0 {
		t.Errorf("the copy has %+v, error %v, want %+v", got, err, want)
	}
}
