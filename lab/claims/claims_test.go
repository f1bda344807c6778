package claims

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// root is the root of the repository.
const root = "../.."

func load(t *testing.T) Ledger {
	t.Helper()
	l, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Commands name programs of this project, Go or Python. The code of each claim exists, and each artefact in the tree
// has a claim.
func TestLedger(t *testing.T) {
	l := load(t)
	evidence := map[string]bool{}
	for _, c := range l.Claims {
		for _, command := range c.Commands {
			if program, _, _ := strings.Cut(command, " "); !slices.Contains([]string{"lab", "arena", "bot", "go", "python3"}, program) {
				t.Errorf("%s: %s is no program of this project", c.Name, program)
			}
		}
		for _, path := range c.Code {
			if _, err := os.Stat(filepath.Join(root, path)); err != nil {
				t.Errorf("%s: code: %v", c.Name, err)
			}
		}
		if c.Artefact != nil {
			evidence[c.Artefact.File] = true
		}
		if source, isClaim := strings.CutPrefix(c.Condition.Source, "claim "); isClaim {
			if _, err := l.Find([]string{source}); err != nil {
				t.Errorf("%s: source: %v", c.Name, err)
			}
		}
	}
	entries, err := files.ReadDir("artefacts")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !evidence[e.Name()] {
			t.Errorf("%s is the artefact of no claim", e.Name())
		}
	}
}

// Documents have the figures of the ledger.
func TestDocuments(t *testing.T) {
	l := load(t)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, page)
		if err != nil {
			t.Fatal(err)
		}
		written, err := l.Insert(filepath.ToSlash(name), string(text))
		if err != nil || written != string(text) {
			t.Errorf("%s: error %v, or it has other figures than the ledger: go run ./cmd/lab claims write", name, err)
		}
		links += len(definition.FindAllString(written, -1))
	}
	if links < 20 {
		t.Errorf("%d claims have a link in the documents, want at least 20", links)
	}
}

func TestInsert(t *testing.T) {
	l := Ledger{Claims: []Claim{{Name: "a", Figure: Measurement{Value: 1234}}, {Name: "b", Figure: interval(0.5, 0.41, 0.59)}}}
	page := "Of [0][b] and [old](x), [1,0][a].\n\n[c]: ../lab/claims/ledger/c.toml\n"
	want := "Of [50.0% [41.0%, 59.0%]][b] and [old](x), [1,234][a].\n\n[a]: ../lab/claims/ledger/a.toml\n[b]: ../lab/claims/ledger/b.toml\n"
	l.Claims[1].Figure.Percent, l.Claims[1].Figure.Decimals = true, 1
	got, err := l.Insert("docs/page.md", page)
	if err != nil || got != want {
		t.Fatalf("%q, error %v; want %q", got, err, want)
	}
	if again, err := l.Insert("docs/page.md", got); err != nil || again != got {
		t.Errorf("a second time: %q, error %v", again, err)
	}
	if _, err := l.Insert("docs/page.md", "[3][c]\n\n[c]: ../lab/claims/ledger/c.toml\n"); err == nil || !strings.HasPrefix(err.Error(), "docs/page.md: [3][c]: there is no claim c: ") {
		t.Errorf("a claim that is gone: %v", err)
	}
}

// A table is made from the claim's artefact, where a document has its head.
func TestInsertTable(t *testing.T) {
	c := Claim{Name: "a", Artefact: &Artefact{File: "a.json"}, Table: &Table{Rows: "bots", Pick: []int{0, 2}, Columns: []Column{
		{Title: "bot", JSON: "name"},
		{Title: "share", JSON: "parts.0", Percent: true, Decimals: 1},
		{Title: "score", JSON: "mean"},
	}}}
	l := Ledger{Claims: []Claim{c}, artefacts: map[string][]byte{"a.json": []byte(`{"bots": [
		{"name": "x", "parts": [{"value": 0.5, "low": 0.4, "high": 0.6}], "mean": 1234},
		{"name": "y", "parts": [1], "mean": 2},
		{"name": "z", "parts": [1], "mean": null}]}`)}}
	page := "Text.\n\n| [bot][a] | old |\n|---|---|\n| old | 7 |\n\n| other |\n|---|\n| 7 |\n"
	want := "Text.\n\n| [bot][a] | share | score |\n|---|---:|---:|\n| `x` | 50.0% [40.0%, 60.0%] | 1,234 |\n| `z` | 100.0% | - |\n\n" +
		"| other |\n|---|\n| 7 |\n\n[a]: ../lab/claims/ledger/a.toml\n"
	got, err := l.Insert("docs/page.md", page)
	if err != nil || got != want {
		t.Fatalf("%q, error %v; want %q", got, err, want)
	}
	if again, err := l.Insert("docs/page.md", got); err != nil || again != got {
		t.Errorf("a second time: %q, error %v", again, err)
	}
}

// The artefact of a table has the figure of the claim, and its rows can be read.
func TestTableFaults(t *testing.T) {
	const artefact = "[artefact]\nfile = \"a.json\"\nsha256 = \"\"\ncommand = \"make\"\n"
	const table = "[table]\nrows = \"bots\"\ncolumns = [{title = \"bot\", json = \"n\"}]\n"
	content := `{"one": 1, "bots": [{"n": 2}]}`
	for _, c := range []struct{ text, content, want string }{
		{sound + table, content, "lab/claims/ledger/x.toml: table: name the output with its figures in artefact"},
		{sound + artefact + "[table]\nrows = \"bots\"\n", content, "lab/claims/ledger/x.toml: table.columns: list at least one"},
		{sound + artefact + table, `{"one": 1}`, "lab/claims/ledger/x.toml: table: the output has no list bots"},
		{sound + artefact + table, `{"one": 1, "bots": [{"n": true}]}`, "lab/claims/ledger/x.toml: table: row 0 of bots: n: there is no number value"},
		{sound + artefact + table + "pick = [0, 1]\n", content, "lab/claims/ledger/x.toml: table: pick has the row 1, but the list bots has only 1, counted from 0"},
		{sound + artefact + table, `{"one": 3, "bots": []}`, "lab/claims/ledger/x.toml: table: a.json has the figure 3: "},
		{sound + artefact + table, content, ""},
	} {
		sum := sha256.Sum256([]byte(c.content))
		text := regexp.MustCompile(`sha256 = ".*"`).ReplaceAllString(c.text, `sha256 = "`+hex.EncodeToString(sum[:])+`"`)
		_, err := Read(fstest.MapFS{"ledger/x.toml": {Data: []byte(text)}, "artefacts/a.json": {Data: []byte(c.content)}})
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.HasPrefix(got, c.want) && c.want != "" {
			t.Errorf("%s: %v, want %q", c.content, err, c.want)
		}
	}
}

func interval(value, low, high float64) Measurement { return Measurement{}.with(value, low, high) }

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		relation string
		figure   Measurement
		bound    float64
		want     Verdict
	}{
		{AtLeast, interval(5, 4, 6), 4, Holds},
		{AtLeast, interval(5, 4, 6), 4.5, Open},
		{AtLeast, interval(5, 4, 6), 6.5, Fails},
		{Below, interval(5, 4, 6), 6.5, Holds},
		{Below, interval(5, 4, 6), 6, Open},
		{Below, interval(5, 4, 6), 4, Fails},
		{Equal, interval(5, 5, 5), 5, Holds},
		{Equal, interval(5, 5, 5), 6, Fails},
		{Equal, interval(5, 4, 6), 5, Open},
		{Equal, interval(5, 4, 6), 7, Fails},
	} {
		if got := (Condition{Relation: c.relation, Bound: c.bound}).verdict(c.figure); got != c.want {
			t.Errorf("%v %s %v: %s, want %s", c.figure, c.relation, c.bound, got, c.want)
		}
	}
}

// R computes the same values: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
func TestHolm(t *testing.T) {
	values := []float64{0.01, 0.04, 0.03, 0.005}
	if got, want := holm(values, 4), []float64{0.03, 0.06, 0.06, 0.02}; !near(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := holm(values, 100), []float64{0.99, 1, 1, 0.5}; !near(got, want) {
		t.Errorf("of 100: %v, want %v", got, want)
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
}

// The p-value of a bound at an end of the interval is 0.05. A bound 1.959964 times as far from the figure has the
// p-value of 3.84 standard errors.
func TestPValue(t *testing.T) {
	for bound, want := range map[float64]float64{3: 0.05, 5: 1, 7: 0.05, 5 - 2*1.959964: 0.000122} {
		c := Claim{Figure: interval(5, 3, 7), Condition: Condition{Relation: AtLeast, Bound: bound}}
		if got := c.pValue(); math.Abs(got-want) > 1e-5 {
			t.Errorf("bound %v: %v, want %v", bound, got, want)
		}
	}
	exact := Claim{Figure: Measurement{Value: 5}, Condition: Condition{Relation: AtLeast, Bound: 4}}
	if got := exact.pValue(); got != 0 {
		t.Errorf("an exact figure: %v, want 0", got)
	}
}

// A comparison that holds alone is open as one of twenty, except in an exploration.
func TestFamily(t *testing.T) {
	c := Claim{Name: "a", Figure: interval(5, 4, 6), Condition: Condition{Relation: AtLeast, Bound: 3.9}, Family: &Family{Name: "tried", Variants: 20}}
	l := Ledger{Claims: []Claim{c}}
	if got := l.Verdict(c); got != Open {
		t.Errorf("one of twenty: %s, want %s", got, Open)
	}
	c.Family = &Family{Name: "tried", Variants: 20, Exploration: true}
	if got := l.Verdict(c); got != Holds {
		t.Errorf("an exploration: %s, want %s", got, Holds)
	}
	c.Family = nil
	if got := l.Verdict(c); got != Holds {
		t.Errorf("alone: %s, want %s", got, Holds)
	}
}

// sound is a claim without a fault.
const sound = `statement = "It is one."
commands = ["lab version"]
commit = "0123456"
machine = "a machine"
date = "2026-11-29"
cost = "1s"
code = ["rules"]
[figure]
value = 1
[read]
json = "one"
[comparison]
relation = "equal"
bound = 1
with = "one"
source = "the numbers"
`

// Each fault is one sentence with the file, the key and the remedy.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ old, changed, want string }{
		{"It is one.", "It is one", `lab/claims/ledger/x.toml: statement: write the claim in one sentence that ends with a full stop`},
		{"statement", "sentence", `lab/claims/ledger/x.toml:1: sentence: unknown key: docs/CLAIMS.md lists the keys`},
		{`["lab version"]`, `"lab version"`, `lab/claims/ledger/x.toml:2: commands: `},
		{"0123456", "main", `lab/claims/ledger/x.toml: commit: write the commit`},
		{"1s", "long", `lab/claims/ledger/x.toml:6: cost: `},
		{`["lab version"]`, ``, `lab/claims/ledger/x.toml:2: unexpected character`},
		{"1s", "0s", `lab/claims/ledger/x.toml: cost: write how long`},
		{"value = 1", "value = 1\nlow = 0.5", `lab/claims/ledger/x.toml: figure.low, figure.high: write both ends`},
		{"value = 1", "value = 1\nlow = 2\nhigh = 3", `lab/claims/ledger/x.toml: figure.value: write a value between`},
		{`json = "one"`, "", `lab/claims/ledger/x.toml: read: write one of json and pattern`},
		{`commands = ["lab version"]`, `commands = [" "]`, `lab/claims/ledger/x.toml: commands: list the commands that measure the figure`},
		{`json = "one"`, `pattern = "("`, `lab/claims/ledger/x.toml: read.pattern: `},
		{`"equal"`, `"equals"`, `lab/claims/ledger/x.toml: comparison.relation: write one of at least, below and equal`},
		{"bound = 1", "bound = nan", `lab/claims/ledger/x.toml: comparison.bound: write a finite number`},
		{"bound = 1", "bound = inf", `lab/claims/ledger/x.toml: comparison.bound: write a finite number`},
		{"bound = 1\nwith = \"one\"", "bound = 1", `lab/claims/ledger/x.toml: comparison: write the meaning of the bound in with`},
		{`json = "one"`, `pattern = "(a)(b)"`, `lab/claims/ledger/x.toml: read.pattern: it has 2 groups: `},
		{"[read]", "[ratio]\nto = []\nruns = 2\n[read]", `lab/claims/ledger/x.toml: ratio: list other commands`},
		{"[read]", "[family]\nname = \"f\"\n[read]", `lab/claims/ledger/x.toml: family: write its name`},
		{"[read]", "[artefact]\nfile = \"a\"\nsha256 = \"0\"\ncommand = \"make\"\n[read]", `lab/claims/ledger/x.toml: artefact.sha256: write 64`},
		{"[read]", "[artefact]\nfile = \"a\"\nsha256 = \"" + strings.Repeat("0", 64) + "\"\ncommand = \"make\"\n[read]", `lab/claims/ledger/x.toml: artefact.sha256: a has 2d711642`},
		{"[read]", "[artefact]\nfile = \"b\"\nsha256 = \"" + strings.Repeat("0", 64) + "\"\ncommand = \"make\"\n[read]", `lab/claims/ledger/x.toml: artefact.file: b is not in`},
	} {
		_, err := Read(fstest.MapFS{
			"ledger/x.toml": {Data: []byte(strings.Replace(sound, c.old, c.changed, 1))},
			"artefacts/a":   {Data: []byte("x")},
		})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q for %q: %v, want %s", c.changed, c.old, err, c.want)
		}
	}
	if l, err := Read(fstest.MapFS{"ledger/x.toml": {Data: []byte(sound)}}); err != nil || len(l.Claims) != 1 {
		t.Errorf("a sound claim: %v", err)
	}
}

// All claims of a family describe it alike.
func TestFamilyFaults(t *testing.T) {
	family := func(variants string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(sound + "[family]\nname = \"f\"\nvariants = " + variants + "\n")}
	}
	for want, folder := range map[string]fstest.MapFS{
		"lab/claims/ledger/b.toml: family: f has other variants": {"ledger/a.toml": family("3"), "ledger/b.toml": family("4")},
		"lab/claims/ledger/b.toml: family.variants: f has more ": {"ledger/a.toml": family("1"), "ledger/b.toml": family("1")},
	} {
		if _, err := Read(folder); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
