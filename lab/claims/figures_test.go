package claims

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// resultPages are the pages that state results. Each measured figure in them is a link to its claim, or in the table of
// a claim.
var resultPages = []string{
	"README.md", "docs/report.md", "docs/analysis.md", "docs/experiments.md", "docs/learning.md", "docs/performance.md", "docs/strength.md",
}

// A sentence or a row with a link to a source may have the source's figures.
var source = regexp.MustCompile(`\]\((?:https://|#references)`)

// Figures of these kinds need no claim: nobody measured them.
var unmeasured = []struct{ kind, pattern string }{
	{"the level of intervals, and errors of tests", `95 %|errors of 5 %`},
	{"a setting: the time of a move, a goal, a level of a test", `(?:\d+ ms|1 s) a move|at (?:1|10|100) ms|(?:at least|at most|below) [\d.]+ (?:%|minutes|times|ms|kB)|\d+ ms by default|75 % or 25 %`},
	{"the sizes of networks, by their format", `\| [\dx, ]+ \| code \| .*`},
	{"the size of a format, a limit of the program", `takes \d bytes|at most [\d,]+ times its length and \d+ MiB|at most, \d+ times`},
	{"the most that a board can hold, by the rules", `\| largest score .*`},
	{"the rules of solo", `2 \(90 %\)|4 \(10 %\)`},
	{"a proven bound that is not ours, with its sentence of proof", `\(\d-\d\) \* 256 = [\d,]+ points`},
}

var (
	prose = regexp.MustCompile(`(?:\d|\b(?:half|two|three|four|five|six|ten|fifteen|twenty|thirty)\b)[\d.,]*(?: an| a)?[ -]?` +
		`(?:%|(?:percent|ms|µs|ns|seconds?|minutes?|hours?|days?|core-days|[kKMGT]i?B|bytes|Elo|points|plies a second|nodes a second|million|positions)\b)` +
		`|\d s\b|\d times\b|± ?\d|\b\d+ of (?:all |the )?\d+\b|\[-?[\d.,]+%?, -?[\d.,]+%?\]`)
	cell       = regexp.MustCompile(`^[*~+-]*\d[\d.,]*(?:$|[ %;:/(])`)
	comment    = regexp.MustCompile(`(?s)<!--.*?-->`)
	inlineCode = regexp.MustCompile("`[^`]*`")
	target     = regexp.MustCompile(`\]\([^)]*\)`)
	sentence   = regexp.MustCompile(`[.:;?!]\s`)
)

// TestMeasuredFigures looks for measured figures without a claim: numbers with a unit or an interval in sentences, and
// cells of tables that are numbers.
func TestMeasuredFigures(t *testing.T) {
	l, allowed := load(t), make(map[string]int)
	for _, page := range resultPages {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, figure := range l.unclaimed(string(text), allowed) {
			t.Errorf("%s: %s has no claim: write one (docs/CLAIMS.md), or take the figure out", page, figure)
		}
	}
	for _, u := range unmeasured {
		if allowed[u.kind] == 0 {
			t.Errorf("no page has a figure of the kind %q: take it off the list", u.kind)
		}
	}
}

func TestUnclaimed(t *testing.T) {
	l := Ledger{Claims: []Claim{{Name: "a"}, {Name: "b", Table: &Table{}}}}
	for _, c := range []struct{ text, want string }{
		{"It took 3 s, and\n20 MB.\n", "3 s 20 MB"},
		{"It took two minutes. Two [files](x).\n", "two minutes"},
		{"A share of 3.5 % [3, 4].\n", "3.5 % [3, 4]"},
		{"It is [5 [4, 6]][a] times as fast as [5 s][z].\n", "[5 s][z]"},
		{"Others have 12 points ([Guei](#references)). We have 13 points.\n", "13 points"},
		{"It was 3.4 times slower, 63 ± 2.\n", "4 times ± 2"},
		{"It won 54 of 60 matches.\n", "54 of 60"},
		{"With 95 % and 4x4, 16 cells, `lab --budget 3 s`, 2048.\n", ""},
		{"Text.\n\n    lab --budget 3 s   # 4 s\n\n<!-- not run: 5 s -->\n", ""},
		{"| [bot][b] | s |\n|---|---:|\n| x | 7 |\n", ""},
		{"| bot | s |\n|---|---:|\n| x 3 | 7 |\n| y | [8][a] |\n| [z](https://z) | 9 |\n", "7"},
	} {
		if got := strings.Join(l.unclaimed(c.text, map[string]int{}), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// unclaimed returns the figures of a page that need a claim and have none. It counts the figures that need none, by
// kind.
func (l Ledger) unclaimed(page string, allowed map[string]int) (figures []string) {
	page = definition.ReplaceAllString(comment.ReplaceAllString(page, ""), "")
	page = reference.ReplaceAllStringFunc(page, func(link string) string {
		switch claims, err := l.Find(reference.FindStringSubmatch(link)[1:]); {
		case err != nil:
			figures = append(figures, link)
			return "unknown"
		case claims[0].Table == nil:
			return "claimed"
		}
		return link
	})
	for block := range strings.SplitSeq(inlineCode.ReplaceAllString(page, "code"), "\n\n") {
		switch block = strings.TrimLeft(block, "\n"); {
		case strings.HasPrefix(block, "    "):
		case strings.HasPrefix(block, "|"):
			figures = append(figures, l.unclaimedCells(block, allowed)...)
		default:
			figures = append(figures, unclaimedWords(block, allowed)...)
		}
	}
	return figures
}

func (l Ledger) unclaimedCells(table string, allowed map[string]int) (figures []string) {
	if l.claimOfTable(table) != nil {
		return nil
	}
	for row := range strings.Lines(table) {
		if source.MatchString(row) {
			continue
		}
		figures = append(figures, unclaimedWords(row, allowed)...)
		for c := range strings.SplitSeq(without(row, map[string]int{}), "|") {
			if c = strings.TrimSpace(c); cell.MatchString(c) && !prose.MatchString(c) {
				figures = append(figures, c)
			}
		}
	}
	return figures
}

func unclaimedWords(block string, allowed map[string]int) (figures []string) {
	begin, text := 0, strings.ReplaceAll(block, "\n", " ")
	for _, end := range append(sentence.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		if words := text[begin:end[1]]; !source.MatchString(words) {
			figures = append(figures, prose.FindAllString(without(target.ReplaceAllString(words, "]"), allowed), -1)...)
		}
		begin = end[1]
	}
	return figures
}

// without returns a text without figures that need no claim.
func without(text string, allowed map[string]int) string {
	for _, u := range unmeasured {
		text = regexp.MustCompile(u.pattern).ReplaceAllStringFunc(text, func(string) string {
			allowed[u.kind]++
			return "unmeasured"
		})
	}
	return text
}
