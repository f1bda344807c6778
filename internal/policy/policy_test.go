// Package policy_test tests rules that the whole tree must obey.
//
// A policy is a function that returns a tree's violations of a rule. Each is tested on a small tree
// that breaks the rule, so that it cannot pass by finding nothing, and then applied to the project.
package policy_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// A policy returns a line for each violation. The line begins with the file's path.
type policy func(t *testing.T, tree fs.FS) []string

// enforce fails if the policy does not find exactly the violations in the broken tree, or finds any
// in the project.
func enforce(t *testing.T, violations policy, broken fstest.MapFS, want ...string) {
	t.Helper()
	if got := violations(t, broken); !slices.Equal(got, want) {
		t.Errorf("in the broken tree:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, violation := range violations(t, os.DirFS("../..")) {
		t.Error(violation)
	}
}

// text makes a file of a broken tree.
func text(content string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(content)}
}

// A source is a parsed Go file.
type source struct {
	*ast.File
	path   string // relative to the tree
	folder string // of the path, "." at the top
	fset   *token.FileSet
}

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// at returns the node's place as path:line.
func (s source) at(node ast.Node) string {
	position := s.fset.Position(node.Pos())
	position.Column = 0
	return position.String()
}

// sources parses the Go files that the go command sees.
func sources(t *testing.T, tree fs.FS) []source {
	t.Helper()
	var parsed []source
	fset := token.NewFileSet()
	walk(t, tree, func(name string, content []byte) {
		if path.Ext(name) != ".go" || hidden(name) {
			return
		}
		file, err := parser.ParseFile(fset, name, content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, source{file, name, path.Dir(name), fset})
	})
	return parsed
}

// hidden reports whether the go command ignores the file.
func hidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return part == "testdata" || strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_")
	})
}

// walk visits every file except git's own.
func walk(t *testing.T, tree fs.FS, visit func(name string, content []byte)) {
	t.Helper()
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.Name() == ".git" && entry.IsDir():
			return fs.SkipDir
		case entry.Name() == ".git" || !entry.Type().IsRegular():
			return nil
		}
		content, err := fs.ReadFile(tree, name)
		if err == nil {
			visit(name, content)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
