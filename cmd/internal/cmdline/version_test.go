package cmdline

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestBuild(t *testing.T) {
	const commit = "ff011e054c3207213152c2ceb750dd13ec7380de"
	settings := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: commit}, {Key: "vcs.time", Value: "2026-11-22T19:24:55Z"}, {Key: "vcs.modified", Value: modified}}
	}
	for _, tc := range []struct {
		version  string
		settings []debug.BuildSetting
		short    string
		line     string
	}{
		{"v1.2.0", settings("false"), "1.2.0", "1.2.0 (commit ff011e054c32, 2026-11-22T19:24:55Z)"},
		{"v1.2.0+dirty", settings("true"), "ff011e054c32", "1.2.0 (commit ff011e054c32, 2026-11-22T19:24:55Z, with changes)"},
		{"v1.2.1-0.20261122192455-ff011e054c32", settings("false"), "ff011e054c32", "1.2.0 (commit ff011e054c32, 2026-11-22T19:24:55Z)"},
		{"v1.1.0", settings("false"), "ff011e054c32", "1.2.0 (commit ff011e054c32, 2026-11-22T19:24:55Z)"}, // VERSION says 1.2.0
		{"(devel)", settings("false"), "ff011e054c32", "1.2.0 (commit ff011e054c32, 2026-11-22T19:24:55Z)"},
		{"v1.2.0", nil, "1.2.0", "1.2.0"}, // go install versus2048/cmd/arena@v1.2.0
		{"v1.2.1-0.20261122192455-ff011e054c32", nil, "ff011e054c32", "1.2.0 (commit ff011e054c32)"},
		{"v0.0.0-20261122192455-ff011e054c32", nil, "ff011e054c32", "1.2.0 (commit ff011e054c32)"},
		{"(devel)", nil, "devel", "1.2.0"},
		{"", nil, "devel", "1.2.0"},
	} {
		b := buildOf(&debug.BuildInfo{Main: debug.Module{Version: tc.version}, Settings: tc.settings}, "1.2.0")
		b.Program = "arena"
		if line, _, _ := strings.Cut(b.String(), "\n"); b.Short() != tc.short || line != "arena "+tc.line {
			t.Errorf("%s: %s, %s; want %s, arena %s", tc.version, b.Short(), line, tc.short, tc.line)
		}
	}
}
