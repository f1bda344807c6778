package policy_test

import (
	"fmt"
	"go/ast"
	"io/fs"
	"testing"
	"testing/fstest"
)

func TestDocComments(t *testing.T) {
	enforce(t, docComments, fstest.MapFS{
		"rules/board.go": text(`package rules

type Board uint64

// Side is one of two.
type Side int

const (
	Attacker Side = iota // places tiles
	Defender
)

// The slides.
const (
	North = iota
	South
)

func (Side) Other() Side
func (s *Side) Undo()
func (Side) String() string
func (private) Exported()
func internal()

type private struct{}
`),
		"rules/board_test.go": text("package rules\n\nfunc TestBoard()"),
	},
		"rules/board.go:3: exported Board has no doc comment",
		"rules/board.go:10: exported Defender has no doc comment",
		"rules/board.go:19: exported Other has no doc comment",
		"rules/board.go:20: exported Undo has no doc comment",
	)
}

// docComments requires a comment on every exported name outside tests; staticcheck checks its form.
func docComments(t *testing.T, tree fs.FS) []string {
	var violations []string
	for _, file := range sources(t, tree) {
		if file.isTest() {
			continue
		}
		for _, name := range undocumented(file.File) {
			violations = append(violations, fmt.Sprintf("%s: exported %s has no doc comment", file.at(name), name))
		}
	}
	return violations
}

func undocumented(file *ast.File) []*ast.Ident {
	var names []*ast.Ident
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && !explained(d) {
				names = append(names, d.Name)
			}
		case *ast.GenDecl:
			if d.Doc == nil { // the comment of a group covers it
				for _, spec := range d.Specs {
					names = append(names, undocumentedSpec(spec)...)
				}
			}
		}
	}
	return names
}

func undocumentedSpec(spec ast.Spec) []*ast.Ident {
	var names []*ast.Ident
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Doc == nil && s.Name.IsExported() {
			names = append(names, s.Name)
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if s.Doc == nil && s.Comment == nil && name.IsExported() {
				names = append(names, name)
			}
		}
	}
	return names
}

// explained reports whether a function needs no comment: it is a method of an unexported type, or a method that an
// interface of the standard library explains.
func explained(function *ast.FuncDecl) bool {
	if function.Recv == nil {
		return false
	}
	switch function.Name.Name {
	case "Error", "String", "Unwrap":
		return true
	}
	return !ast.IsExported(receiver(function.Recv.List[0].Type))
}

// receiver returns the name of a receiver's type, without pointer and type parameters.
func receiver(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
