package policy_test

import (
	"fmt"
	"go/ast"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

func TestLibraryIsWhole(t *testing.T) {
	enforce(t, leaks, fstest.MapFS{
		"internal/file/file.go": text("package file\n\ntype ExistsError struct{}\n\ntype Mode int\n\nfunc Write() error"),
		"internal/web/page.go":  text("package web; import `" + own + "internal/file`; func Save(file.Mode)"),
		"rules/file/file.go":    text("package file; type Mode int"),
		"players/write.go": text(`package players

import (
	"` + own + `internal/file"
	other "` + own + `internal/file"
	"` + own + `rules/file/file"
)

// Write returns a *file.ExistsError. It takes a file.Mode, which is one of rules.
func Write(file.Reader) (n int, err error) { return file.Write(file.Mode(2)) }

// Read reads by other names.
func Read[M other.Mode](all ...map[string]*other.Mode)

// Table has fields.
type Table struct {
	mode  file.Mode
	Modes []file.Mode
	Error error // a file.ExistsError
}

func (t *Table) Close() error
func (t *Table) Mode() file.Mode
func (t *Table) hidden() file.Mode
func (hidden) Mode() file.Mode

type hidden struct{ Mode file.Mode }

// Any is either.
type Any interface{ Mode() file.Mode }

// ErrExists is returned.
var ErrExists = &file.ExistsError{}
`),
		"players/write_test.go": text("package players; import `" + own + "internal/file`; func Write(file.Mode)"),
	},
		"players/write.go:9: Write names file.ExistsError of an internal package: others cannot import it",
		"players/write.go:10: Write names file.Reader of an internal package: others cannot import it",
		"players/write.go:13: Read names other.Mode of an internal package: others cannot import it",
		"players/write.go:13: Read names other.Mode of an internal package: others cannot import it",
		"players/write.go:18: Table names file.Mode of an internal package: others cannot import it",
		"players/write.go:19: Table names file.ExistsError of an internal package: others cannot import it",
		"players/write.go:23: Mode names file.Mode of an internal package: others cannot import it",
		"players/write.go:30: Any names file.Mode of an internal package: others cannot import it",
		"players/write.go:33: ErrExists names file.ExistsError of an internal package: others cannot import it",
	)
}

// library lists the folders of the packages that programs of others import, with all below them.
var library = []string{"rules", "players", "protocol", "tournament", "results"}

// leaks rejects names of internal packages in the exported declarations of the library: in a signature, a field or a
// comment.
func leaks(t *testing.T, tree fs.FS) (violations []string) {
	files := sources(t, tree)
	known := namesOf(files)
	for _, file := range files {
		top, _, _ := strings.Cut(file.folder, "/")
		if file.isTest() || file.Name.Name == "main" || isInternal(file.folder) || !slices.Contains(library, top) {
			continue
		}
		s := surface{source: file, imported: internalImports(t, file), known: known}
		for _, declaration := range file.Decls {
			s.declaration(declaration)
		}
		violations = append(violations, s.violations...)
	}
	return violations
}

// isInternal reports whether a package can only be imported within the module.
func isInternal(folder string) bool { return slices.Contains(strings.Split(folder, "/"), "internal") }

// namesOf returns the exported names of internal packages that no other package has, such as file.Write.
func namesOf(files []source) map[string]bool {
	names, public := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		if file.isTest() {
			continue
		}
		to := public
		if isInternal(file.folder) {
			to = names
		}
		for _, declaration := range file.Decls {
			for _, name := range declared(declaration) {
				to[file.Name.Name+"."+name] = true
			}
		}
	}
	for name := range public {
		delete(names, name)
	}
	return names
}

// declared returns the exported names of a declaration, without methods.
func declared(declaration ast.Decl) (names []string) {
	if function, ok := declaration.(*ast.FuncDecl); ok && function.Recv == nil && function.Name.IsExported() {
		return []string{function.Name.Name}
	}
	group, ok := declaration.(*ast.GenDecl)
	if !ok {
		return nil
	}
	for _, spec := range group.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			names = append(names, s.Name.Name)
		case *ast.ValueSpec:
			for _, name := range s.Names {
				names = append(names, name.Name)
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !ast.IsExported(name) })
}

// internalImports returns the names by which a file calls the internal packages that it imports.
func internalImports(t *testing.T, file source) (names []string) {
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		folder, ours := strings.CutPrefix(imported, own)
		switch {
		case !ours || !isInternal(folder):
		case spec.Name != nil:
			names = append(names, spec.Name.Name)
		default:
			names = append(names, path.Base(imported))
		}
	}
	return names
}

// A surface is the part of a file that programs of others see.
type surface struct {
	source
	imported   []string        // the names of internal packages in the file
	known      map[string]bool // the names in internal packages, such as file.Write
	violations []string
}

func (s *surface) declaration(declaration ast.Decl) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
			s.comment(d.Name.Name, d.Doc)
			s.node(d.Name.Name, d.Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			s.spec(d.Doc, spec)
		}
	}
}

// spec looks at a type, at constants or variables. The comment is that of their group.
func (s *surface) spec(group *ast.CommentGroup, spec ast.Spec) {
	switch d := spec.(type) {
	case *ast.TypeSpec:
		if d.Name.IsExported() {
			s.comment(d.Name.Name, group, d.Doc, d.Comment)
			s.node(d.Name.Name, d)
		}
	case *ast.ValueSpec:
		if !slices.ContainsFunc(d.Names, (*ast.Ident).IsExported) {
			return
		}
		s.comment(d.Names[0].Name, group, d.Doc, d.Comment)
		if d.Type != nil {
			s.node(d.Names[0].Name, d.Type)
		}
		for _, value := range d.Values {
			s.value(d.Names[0].Name, value)
		}
	}
}

// node looks at a type, but not at fields that others cannot name.
func (s *surface) node(name string, node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			for _, field := range n.Fields.List {
				if field.Names == nil || slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
					s.comment(name, field.Doc, field.Comment)
					s.node(name, field.Type)
				}
			}
			return false
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				s.comment(name, method.Doc, method.Comment)
			}
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && slices.Contains(s.imported, pkg.Name) {
				s.leak(n, name, pkg.Name+"."+n.Sel.Name)
			}
		}
		return true
	})
}

// value looks at the types of values.
func (s *surface) value(name string, value ast.Expr) {
	ast.Inspect(value, func(n ast.Node) bool {
		if literal, ok := n.(*ast.CompositeLit); ok && literal.Type != nil {
			s.node(name, literal.Type)
		}
		_, function := n.(*ast.FuncLit)
		return !function
	})
}

// qualified matches a name with its package.
var qualified = regexp.MustCompile(`\b[a-z]\w*\.[A-Z]\w*`)

// comment looks at comments that others read.
func (s *surface) comment(name string, groups ...*ast.CommentGroup) {
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, line := range group.List {
			for _, mentioned := range qualified.FindAllString(line.Text, -1) {
				if s.known[mentioned] {
					s.leak(line, name, mentioned)
				}
			}
		}
	}
}

func (s *surface) leak(at ast.Node, name, named string) {
	s.violations = append(s.violations, fmt.Sprintf("%s: %s names %s of an internal package: others cannot import it", s.at(at), name, named))
}
