package policy_test

import (
	"fmt"
	"go/ast"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// reportsFile lists public reports of other programs' faults with the tests against them.
const reportsFile = "internal/policy/testdata/reports.txt"

func TestReportsHaveTests(t *testing.T) {
	enforce(t, untested, fstest.MapFS{
		reportsFile:      text("# comment\n\nkind | https://a.example/1 | TestKind\nkind | a.example | TestKind\nkind | https://a.example/2 | TestOther\n"),
		"kind/a_test.go": text("package kind\n\nfunc TestKind(t *testing.T) {}\n"),
		"kind/a.go":      text("package kind\n\nfunc TestOther() {}\n"),
	},
		reportsFile+":4: want KIND | ADDRESS | TEST",
		reportsFile+":5: there is no test TestOther",
	)
}

// untested finds reports without a test.
func untested(t *testing.T, tree fs.FS) []string {
	t.Helper()
	tests := map[string]bool{}
	for _, file := range sources(t, tree) {
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok && file.isTest() {
				tests[function.Name.Name] = true
			}
		}
	}
	list, err := fs.ReadFile(tree, reportsFile)
	if err != nil {
		t.Fatal(err)
	}
	var violations []string
	for i, line := range strings.Split(string(list), "\n") {
		parts := strings.Split(line, " | ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case len(parts) != 3 || !strings.HasPrefix(parts[1], "https://"):
			violations = append(violations, fmt.Sprintf("%s:%d: want KIND | ADDRESS | TEST", reportsFile, i+1))
		case !tests[parts[2]]:
			violations = append(violations, fmt.Sprintf("%s:%d: there is no test %s", reportsFile, i+1, parts[2]))
		}
	}
	return violations
}
