package policy_test

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

func TestPlainEnglish(t *testing.T) {
	enforce(t, oddWords, fstest.MapFS{
		"rules/board.go": text("package rules\n\n// Full tells" + " whether the board is full.\nfunc Full()"),
		"docs/a.md":      text("There are so" + " many of them.\nThis page is plain."),
		"docs/b.txt":     text("so" + " many"),
	},
		"docs/a.md:1: \"so"+" many\": say it in plain English",
		"rules/board.go:3: \"tells"+" whether\": say \"reports whether\"",
	)
}

// oddWord matches phrases that readers stumble over. They are written in two parts, so that this file
// does not match.
var oddWord = regexp.MustCompile(`(?i)\b(tells` + ` whether|so` + ` many|so` + ` much of|that there` + ` is not|gone on` + ` with|` +
	`goes on` + ` with|is none` + ` of|such` + ` a one|than there` + ` are|nobody` + ` says|to be` + ` had)\b`)

// oddWords rejects code and Markdown with a match of oddWord.
func oddWords(t *testing.T, tree fs.FS) []string {
	var violations []string
	eachLine(t, tree, []string{".go", ".md", ".toml", ".sql"}, func(name string, number int, line string) {
		match := oddWord.FindString(line)
		if match == "" {
			return
		}
		advice := "say it in plain English"
		if strings.HasPrefix(strings.ToLower(match), "tells") {
			advice = `say "reports whether"`
		}
		violations = append(violations, fmt.Sprintf("%s:%d: %q: %s", name, number, match, advice))
	})
	return violations
}

func TestMarkdownWidth(t *testing.T) {
	long := strings.Repeat("word ", 20) + "end"
	enforce(t, wideMarkdown, fstest.MapFS{
		"docs/a.md": text("short\n" + long + "\n| " + long + " |\n"),
	},
		"docs/a.md:2: 103 characters: want at most 100",
	)
}

// printed lists the folders of reports that commands have written, and of the notebook, which only grows.
var printed = []string{"docs/analysis/", "docs/experiments/", "docs/notes/"}

// lineMessage matches the long lines of docs/STDIO.md.
var lineMessage = regexp.MustCompile(`^(< )?(new|go) .*role=`)

// linkDefinition matches a line that says where a link of the page leads.
var linkDefinition = regexp.MustCompile(`^\[[^\]]+\]: \S+$`)

// wideMarkdown rejects lines of Markdown with more than 100 characters. Rows of tables, messages in JSON and of the
// line protocol, single links and definitions of links cannot be broken, and printed reports are not edited.
func wideMarkdown(t *testing.T, tree fs.FS) []string {
	var violations []string
	eachLine(t, tree, []string{".md"}, func(name string, number int, line string) {
		whole := strings.HasPrefix(line, "|") || strings.Contains(line, `{"`) || lineMessage.MatchString(line) ||
			linkDefinition.MatchString(line) || !strings.Contains(strings.TrimSpace(line), " ")
		report := slices.ContainsFunc(printed, func(folder string) bool { return strings.HasPrefix(name, folder) })
		if n := utf8.RuneCountInString(line); n > 100 && !whole && !report {
			violations = append(violations, fmt.Sprintf("%s:%d: %d characters: want at most 100", name, number, n))
		}
	})
	return violations
}

// mostWords is the largest number of words of README, guides, reference, report and decisions together: people have to
// read them.
const mostWords = 60_000

func TestWordsOfDocuments(t *testing.T) {
	enforce(t, func(t *testing.T, tree fs.FS) []string { return wordy(t, tree, mostWords) }, fstest.MapFS{
		"README.md":          text(strings.Repeat("Words and more\nwords. ", mostWords/4)),
		"docs/API.md":        text("one"),
		"docs/analysis.md":   text("These are results."),
		"docs/notes/a.md":    text("This is the notebook."),
		"CHANGELOG.md":       text("These are changes."),
		"rules/README.md":    text("This belongs to a package."),
		"docs/adr/0001-a.md": text("one"),
	}, "60002 words in all documents: want at most 60000, in shorter sentences; what was tried belongs to docs/notes")
}

// documents matches the paths of the documents that TestWordsOfDocuments counts, and of the pages of results, which it
// does not count.
var documents = regexp.MustCompile(`^(README\.md|CONTRIBUTING\.md|(docs|docs/adr|python|python/training|examples|examples/[^/]*)/[^/]*\.md)$`)

// results are the pages of results.
var results = []string{"docs/analysis.md", "docs/experiments.md", "docs/learning.md", "docs/performance.md", "docs/strength.md"}

// wordy rejects a tree with more than most words in its documents.
func wordy(t *testing.T, tree fs.FS, most int) []string {
	words := 0
	eachLine(t, tree, []string{".md"}, func(name string, _ int, line string) {
		if documents.MatchString(name) && !slices.Contains(results, name) {
			words += len(strings.Fields(line))
		}
	})
	if words <= most {
		return nil
	}
	return []string{fmt.Sprintf("%d words in all documents: want at most %d, in shorter sentences; what was tried belongs to docs/notes", words, most)}
}

// eachLine visits the lines of the files that have one of the extensions.
func eachLine(t *testing.T, tree fs.FS, extensions []string, visit func(name string, number int, line string)) {
	t.Helper()
	walk(t, tree, func(name string, content []byte) {
		if hidden(name) {
			return
		}
		for _, extension := range extensions {
			if path.Ext(name) == extension {
				for i, line := range strings.Split(string(content), "\n") {
					visit(name, i+1, line)
				}
			}
		}
	})
}

func TestPackageSize(t *testing.T) {
	crowd := fstest.MapFS{"rules/a_test.go": text("package rules")}
	for i := range 26 {
		crowd[fmt.Sprintf("rules/file%02d.go", i)] = text("package rules")
	}
	enforce(t, crowdedPackages, crowd, "rules: 26 files: split it, a package has at most 25")
}

// crowdedPackages rejects packages of more than 25 files, not counting tests.
func crowdedPackages(t *testing.T, tree fs.FS) []string {
	files, folders := map[string]int{}, []string{}
	for _, file := range sources(t, tree) {
		if file.isTest() {
			continue
		}
		if files[file.folder] == 0 {
			folders = append(folders, file.folder)
		}
		files[file.folder]++
	}
	var violations []string
	for _, folder := range folders {
		if files[folder] > 25 {
			violations = append(violations, fmt.Sprintf("%s: %d files: split it, a package has at most 25", folder, files[folder]))
		}
	}
	return violations
}
