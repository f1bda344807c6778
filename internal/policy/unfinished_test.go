package policy_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"testing"
	"testing/fstest"
)

func TestNoUnfinishedWork(t *testing.T) {
	enforce(t, unfinished, fstest.MapFS{
		"rules/board.go": text("package rules\n\n// later, TODO\n\nconst todos = `TODO`"),
		"rules/row.go":   text("package rules // FIXME"),
	},
		"rules/board.go:3: TODO: do it, or open an issue",
		"rules/row.go:1: FIXME: do it, or open an issue",
	)
}

var unfinishedMark = regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`)

// unfinished rejects comments that mark work as still to be done.
func unfinished(t *testing.T, tree fs.FS) []string {
	var violations []string
	for _, file := range sources(t, tree) {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				if mark := unfinishedMark.FindString(comment.Text); mark != "" {
					violations = append(violations, fmt.Sprintf("%s: %s: do it, or open an issue", file.at(comment), mark))
				}
			}
		}
	}
	return violations
}
