package schema

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"versus2048/internal/disk"
)

// comments are the comments of the types of this module, in the sources of their packages.
type comments struct {
	root, module string
	packages     map[string]map[string]string // by path of the package, then by Type or Type.Field
}

// newComments finds the module above the folder of the test.
func newComments() (*comments, error) {
	root, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	for {
		text, err := disk.Read(filepath.Join(root, "go.mod"))
		if err == nil {
			first, _, _ := strings.Cut(string(text), "\n")
			return &comments{root, strings.TrimPrefix(first, "module "), map[string]map[string]string{}}, nil
		}
		if filepath.Dir(root) == root {
			return nil, fmt.Errorf("no go.mod above this folder: %w", err)
		}
		root = filepath.Dir(root)
	}
}

// of returns the comment of a type or a field, "" without one.
func (c *comments) of(path, name string) string {
	folder, ours := strings.CutPrefix(path, c.module+"/")
	if !ours {
		return ""
	}
	if c.packages[path] == nil {
		c.packages[path] = map[string]string{}
		files, _ := filepath.Glob(filepath.Join(c.root, folder, "*.go"))
		for _, file := range files {
			if parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments); err == nil {
				read(parsed, c.packages[path])
			}
		}
	}
	return c.packages[path][name]
}

// read adds the comments of the types in a file.
func read(file *ast.File, into map[string]string) {
	for _, declaration := range file.Decls {
		types, ok := declaration.(*ast.GenDecl)
		if !ok || types.Tok != token.TYPE {
			continue
		}
		for _, spec := range types.Specs {
			named := spec.(*ast.TypeSpec)
			into[named.Name.Name] = textOf(named.Doc, types.Doc)
			form, ok := named.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, field := range form.Fields.List {
				for _, name := range field.Names {
					into[named.Name.Name+"."+name.Name] = textOf(field.Doc, field.Comment)
				}
			}
		}
	}
}

// textOf returns the first comment that there is, on one line.
func textOf(groups ...*ast.CommentGroup) string {
	for _, group := range groups {
		if text := strings.Join(strings.Fields(group.Text()), " "); text != "" {
			return text
		}
	}
	return ""
}
