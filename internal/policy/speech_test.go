package policy_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"regexp"
	"strconv"
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

// mostOddTexts is the share of the texts in string literals outside tests that may match oddPhrase.
const mostOddTexts = 0.003

func TestPlainTexts(t *testing.T) {
	enforce(t, func(t *testing.T, tree fs.FS) []string { return oddTexts(t, tree, mostOddTexts) }, fstest.MapFS{
		"rules/board.go":      text("package rules\n\nconst Help = `shows what` + ` is full`\n\nconst Full = \"shows what" + " is full\""),
		"rules/board_test.go": text("package rules\n\nconst help = \"a test shows what" + " it likes\""),
		"rules/quoted.go":     text("package rules\n\nconst Question = `it answers \"what" + " is it?\"`"),
	},
		"rules/board.go:3: \"what"+"\": name the thing, then the subject, then the verb; 2 of 4 texts are so: want at most 0.3 %",
		"rules/board.go:5: \"what"+"\": name the thing, then the subject, then the verb; 2 of 4 texts are so: want at most 0.3 %",
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
		odd = append(odd, oddIn(comment[1], fmt.Sprintf("%s:%d", name, number))...)
	})
	return above(limit, odd, lines, "comment lines")
}

// oddTexts lists the string literals with a match of oddPhrase if their share is above the limit. A literal without a
// space is no text.
func oddTexts(t *testing.T, tree fs.FS, limit float64) []string {
	var odd []string
	texts := 0
	for _, file := range sources(t, tree) {
		if file.isTest() {
			continue
		}
		ast.Inspect(file.File, func(n ast.Node) bool {
			literal, isLiteral := n.(*ast.BasicLit)
			if !isLiteral || literal.Kind != token.STRING {
				return true
			}
			if value, _ := strconv.Unquote(literal.Value); strings.Contains(value, " ") {
				texts++
				odd = append(odd, oddIn(value, file.at(literal))...)
			}
			return true
		})
	}
	return above(limit, odd, texts, "texts")
}

// oddIn returns a violation if the words outside quotes match oddPhrase.
func oddIn(words, place string) []string {
	if match := oddPhrase.FindString(quotedWords.ReplaceAllString(words, "")); match != "" {
		return []string{fmt.Sprintf("%s: %q: name the thing, then the subject, then the verb", place, match)}
	}
	return nil
}

// above returns the violations if their share of all is above the limit, else nil.
func above(limit float64, odd []string, all int, kind string) []string {
	if float64(len(odd)) <= limit*float64(all) {
		return nil
	}
	for i := range odd {
		odd[i] += fmt.Sprintf("; %d of %d %s are so: want at most %.1f %%", len(odd), all, kind, 100*limit)
	}
	return odd
}
