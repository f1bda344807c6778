package policy_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// Each module that the code imports has its reason in the list of dependencies.
func TestDependenciesHaveReasons(t *testing.T) {
	enforce(t, unexplained, fstest.MapFS{
		"go.mod":     text("require (\n\texample.org/known v1.0.0\n\texample.org/new v1.0.0\n)\n\nrequire (\n\texample.org/its v1.0.0 // indirect\n)\n"),
		dependencies: text("- `example.org/known`: a reason\n\nexample.org/new is in no item."),
	}, "go.mod: example.org/new has no item in "+dependencies)
}

const dependencies = "docs/adr/0006-dependencies.md"

// unexplained rejects direct dependencies without an item.
func unexplained(t *testing.T, tree fs.FS) (violations []string) {
	t.Helper()
	modules, err := fs.ReadFile(tree, "go.mod")
	if err != nil {
		t.Fatal(err)
	}
	reasons, err := fs.ReadFile(tree, dependencies)
	if err != nil {
		t.Fatal(err)
	}
	var items strings.Builder
	for line := range strings.Lines(string(reasons)) {
		if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "  ") {
			items.WriteString(line)
		}
	}
	for line := range strings.Lines(string(modules)) {
		module, _, required := strings.Cut(strings.TrimPrefix(line, "\t"), " v")
		if required && strings.HasPrefix(line, "\t") && !strings.Contains(line, "// indirect") && !strings.Contains(items.String(), "`"+module+"`") {
			violations = append(violations, fmt.Sprintf("go.mod: %s has no item in %s", module, dependencies))
		}
	}
	return violations
}
