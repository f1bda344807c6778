package versus2048_test

import (
	"os"
	"regexp"
	"testing"

	"versus2048"
)

// The version is a semantic one, without a v.
func TestVersion(t *testing.T) {
	if v := versus2048.Version(); !regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$`).MatchString(v) {
		t.Errorf("VERSION has %q: want MAJOR.MINOR.PATCH", v)
	}
}

// The citation names the version and its date. The changelog has both, below a section for later changes.
func TestCitation(t *testing.T) {
	changelog := found(t, "CHANGELOG.md", `(?m)^## \[Unreleased\]$(?s:.*?)^## \[([\d.]+)\] - (\d{4}-\d{2}-\d{2})$`)
	if v := changelog[0]; v != versus2048.Version() {
		t.Errorf("VERSION is %s: the first dated section of CHANGELOG.md is of %s", versus2048.Version(), v)
	}
	if v := found(t, "CITATION.cff", `(?m)^version: (.*)$`)[0]; v != versus2048.Version() {
		t.Errorf("VERSION is %s: CITATION.cff names %s", versus2048.Version(), v)
	}
	if v := found(t, "python/pyproject.toml", `(?m)^version = "(.*)"$`)[0]; v != versus2048.Version() {
		t.Errorf("VERSION is %s: the Python package has the version %s", versus2048.Version(), v)
	}
	if v := found(t, "python/src/versus2048/__init__.py", `(?m)^__version__ = "(.*)"$`)[0]; v != versus2048.Version() {
		t.Errorf("VERSION is %s: __version__ of the Python package is %s", versus2048.Version(), v)
	}
	if date := found(t, "CITATION.cff", `(?m)^date-released: (.*)$`)[0]; date != changelog[1] {
		t.Errorf("the changelog dates the release %s: CITATION.cff %s", changelog[1], date)
	}
}

// The citation has the license of the project and its authors, and each key that version 1.2.0 of the format demands.
func TestCitationIsWhole(t *testing.T) {
	license := found(t, "LICENSE", `(?s)^(\w+) License.*Copyright \(c\) \d+ ([^\n]*)`)
	if got := found(t, "CITATION.cff", `(?m)^license: (.*)$`)[0]; got != license[0] {
		t.Errorf("license %s, want %s", got, license[0])
	}
	if got := found(t, "CITATION.cff", `(?m)^authors:\n  - name: (.*)$`)[0]; got != license[1] {
		t.Errorf("authors %s, want %s", got, license[1])
	}
	for _, key := range []string{"cff-version: 1\\.2\\.0", "message: .+", "title: .+"} {
		found(t, "CITATION.cff", "(?m)^"+key+"$")
	}
}

// found returns the groups of the first match in a file.
func found(t *testing.T, path, pattern string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(pattern).FindSubmatch(text)
	if match == nil {
		t.Fatalf("%s has nothing like %s", path, pattern)
	}
	var groups []string
	for _, group := range match[1:] {
		groups = append(groups, string(group))
	}
	return groups
}
