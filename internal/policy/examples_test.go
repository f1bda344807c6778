package policy_test

import (
	"go/doc/comment"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestPackageExamples(t *testing.T) {
	enforce(t, packageExamples, fstest.MapFS{
		"rules/doc.go":                    text("// Package rules plays.\n//\n//\tplay(north)\npackage rules"),
		"rules/row/row.go":                text("package row"),
		"rules/size.go":                   text("package rules"),
		"rules/example_test.go":           text("package rules_test\n\nfunc Example() {\n\t\tplay(north)\n}"),
		"internal/server/doc.go":          text("// Package server serves.\n//\n//\tserve()\npackage server"),
		"internal/server/example_test.go": text("package server_test\n\nfunc Example() { listen() }"),
		"players/doc.go":                  text("// Package players plays.\npackage players"),
		"results/store.go":                text("// Package results keeps.\n//\n//\topen()\npackage results"),
		"internal/a/a_test.go":            text("package a_test"),
		"cmd/bot/main.go":                 text("// Bot plays.\npackage main"),
		"internal/b/main.go":              text("// B plays.\npackage main"),
	},
		"internal/server/doc.go: example_test.go does not have the code of the package comment",
		"players/doc.go: the package comment has no code example",
		"results/doc.go: missing: put the package comment and its example there",
		"rules/row/doc.go: missing: put the package comment and its example there",
	)
}

// packageExamples requires that the comment of each package that others import begins with an example,
// which example_test.go compiles.
func packageExamples(t *testing.T, tree fs.FS) []string {
	documented := packageComments(t, tree)
	var violations []string
	for _, folder := range slices.Sorted(maps.Keys(documented)) {
		if violation := exampleViolation(tree, folder, documented[folder]); violation != "" {
			violations = append(violations, path.Join(folder, "doc.go")+": "+violation)
		}
	}
	return violations
}

// packageComments maps the folder of each package that others import to the text of the comment in its
// doc.go, or to "" if there is none.
func packageComments(t *testing.T, tree fs.FS) map[string]string {
	comments := make(map[string]string)
	for _, file := range sources(t, tree) {
		if file.isTest() || file.Name.Name == "main" || strings.HasPrefix(file.folder, "cmd") {
			continue
		}
		folder, name := path.Split(file.path)
		if name == "doc.go" {
			comments[folder] = file.Doc.Text()
		} else if _, seen := comments[folder]; !seen {
			comments[folder] = ""
		}
	}
	return comments
}

func exampleViolation(tree fs.FS, folder, documentation string) string {
	code := firstCode(documentation)
	switch {
	case documentation == "":
		return "missing: put the package comment and its example there"
	case code == "":
		return "the package comment has no code example"
	}
	example, err := fs.ReadFile(tree, path.Join(folder, "example_test.go"))
	if err != nil || !strings.Contains(words(string(example)), words(code)) {
		return "example_test.go does not have the code of the package comment"
	}
	return ""
}

// firstCode returns the first code block of a documentation comment.
func firstCode(text string) string {
	for _, block := range new(comment.Parser).Parse(text).Content {
		if code, ok := block.(*comment.Code); ok {
			return code.Text
		}
	}
	return ""
}

// words replaces each run of white space by a single space.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }
