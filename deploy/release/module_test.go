package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRename(t *testing.T) {
	folder := t.TempDir()
	before := map[string]string{
		"go.mod":              "module old\n\ngo 1.26.0\n\nrequire github.com/old/old v1.0.0\n",
		"rules/asm/go.mod":    "module old/rules/asm\n\nreplace old => ../..\n",
		"rules/board.go":      "package rules\n\nimport (\n\t\"github.com/old/rules\"\n\t\"old/rules/record\"\n)\n\n// See [old/rules.Board].\nconst own = \"old/\"\n",
		"cmd/main.go":         "package main\n\nimport \"old\"\n\nvar name = \"old\"\n",
		"rules/testdata/a.go": "import \"old/rules\", and no Go",
		"rules/old.db":        "old/rules\x00",
		"docs/GO.md":          "go get old@latest\ngo mod edit -require=old@v0.0.0 -replace=old=../old\n\"old/rules\",\"old/docs\" old/...\n",
		"README.md":           "/doc/old/rules old.v1 old/farm old-rules old_rules old certificate 1\n",
		"python/README.md":    "[RULES.md] [here](#a) [there](https://example.net/)\n\n[RULES.md]: ../docs/RULES.md#a\n",
		".git/config":         "old/rules",
	}
	after := maps.Clone(before)
	after["go.mod"] = "module example.org/new\n\ngo 1.26.0\n\nrequire github.com/old/old v1.0.0\n"
	after["rules/asm/go.mod"] = "module example.org/new/rules/asm\n\nreplace example.org/new => ../..\n"
	after["rules/board.go"] = "package rules\n\nimport (\n\t\"example.org/new/rules/record\"\n\t\"github.com/old/rules\"\n)\n\n" +
		"// See [example.org/new/rules.Board].\nconst own = \"example.org/new/\"\n"
	after["cmd/main.go"] = "package main\n\nimport \"example.org/new\"\n\nvar name = \"old\"\n"
	after["rules/testdata/a.go"] = "import \"example.org/new/rules\", and no Go"
	after["docs/GO.md"] = "go get example.org/new@latest\ngo mod edit -require=example.org/new@v0.0.0 -replace=example.org/new=../old\n" +
		"\"example.org/new/rules\",\"example.org/new/docs\" example.org/new/...\n"
	after["python/README.md"] = "[RULES.md] [here](#a) [there](https://example.net/)\n\n[RULES.md]: https://example.org/new/blob/HEAD/docs/RULES.md#a\n"
	plant(t, folder, before)
	for _, step := range []struct{ from, to string }{{"old", "example.com/Other/old/v2"}, {"example.com/Other/old/v2", "example.org/new"}} {
		if was, changed, err := rename(folder, step.to); was != step.from || changed != 7 || err != nil {
			t.Errorf("to %s: before it was %s, %d files changed, error %v", step.to, was, changed, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if text, err := os.ReadFile(filepath.Join(folder, name)); string(text) != after[name] || err != nil {
			t.Errorf("%s: error %v, content\n%s\nwant\n%s", name, err, text, after[name])
		}
	}
}

// plant writes files, by their names.
func plant(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAddressOfFiles(t *testing.T) {
	for module, want := range map[string]string{
		"example.org/you/versus2048":    "https://example.org/you/versus2048/blob/HEAD/",
		"example.org/you/versus2048/v2": "https://example.org/you/versus2048/blob/HEAD/",
	} {
		if got := filesOf(module); got != want {
			t.Errorf("%s: %s, want %s", module, got, want)
		}
	}
}

func TestRefusedPaths(t *testing.T) {
	folder := t.TempDir()
	plant(t, folder, map[string]string{"go.mod": "module example.org/you/old\n"})
	for path, want := range map[string]string{
		"versus2048":               `begins with "versus2048", want a host`,
		"you/versus2048":           `begins with "you", want a host`,
		"Example.org/versus2048":   "in small letters",
		"/versus2048":              `begins with "", want a host`,
		"https://example.org/you":  "without the scheme",
		"example.org/you/":         `the part ""`,
		"example.org/../versus":    `the part ".."`,
		"example.org/a b":          `the part "a b"`,
		"example.org/a$(b)":        `the part "a$(b)"`,
		"example.org/you/v1":       `it ends in "v1"`,
		"example.org/you/old":      "is example.org/you/old already",
		"example.org:443/you/game": "want a host",
	} {
		if _, _, err := rename(folder, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", path, err, want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(folder, "go.mod")); string(text) != "module example.org/you/old\n" || err != nil {
		t.Errorf("%q, error %v", text, err)
	}
	if _, _, err := rename(filepath.Join(folder, "docs"), "example.org/you/new"); err == nil || !strings.Contains(err.Error(), "at the top of the project") {
		t.Errorf("where there is no go.mod: error %v", err)
	}
}
