package policy_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// mostOdd is the share of the comment lines outside tests that may match oddPhrase.
const mostOdd = 0.005

func TestPlainSpeech(t *testing.T) {
	enforce(t, func(t *testing.T, tree fs.FS) []string { return oddShare(t, tree, mostOdd) }, fstest.MapFS{
		"rules/board.go":      text("package rules\n\n// Full says what" + " is full.\nfunc Full()"),
		"rules/board_test.go": text("package rules\n\n// A test says what" + " it likes.\n"),
		"rules/quoted.go":     text("package rules\n\n// Answer answers \"what" + " is it?\".\nfunc Answer()"),
	},
		"rules/board.go:3: \"what"+"\": name the thing, then the subject, then the verb; 1 of 2 comment lines are so: want at most 0.5 %",
	)
}

// oddPhrase matches words that refer to a thing without naming it.
var oddPhrase = regexp.MustCompile(`(?i)\b(what|whose|(of|by|with|in|at|from|to|for|on|under|over|after|behind) (which|whom)|` +
	`that of|those (of|that|who)|that which)\b`)

var (
	commentOfLine = regexp.MustCompile(`(?:^|\s)//\s?(.*)$`)
	quotedWords   = regexp.MustCompile(`"[^"]*"`)
)

// oddShare lists the comment lines with a match of oddPhrase if their share is above the limit.
func oddShare(t *testing.T, tree fs.FS, limit float64) []string {
	var odd []string
	lines := 0
	eachLine(t, tree, []string{".go"}, func(name string, number int, line string) {
		comment := commentOfLine.FindStringSubmatch(line)
		if comment == nil || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(line, "//go:") {
			return
		}
		lines++
		if match := oddPhrase.FindString(quotedWords.ReplaceAllString(comment[1], "")); match != "" {
			odd = append(odd, fmt.Sprintf("%s:%d: %q: name the thing, then the subject, then the verb", name, number, match))
		}
	})
	if float64(len(odd)) <= limit*float64(lines) {
		return nil
	}
	for i := range odd {
		odd[i] += fmt.Sprintf("; %d of %d comment lines are so: want at most %.1f %%", len(odd), lines, 100*limit)
	}
	return odd
}
