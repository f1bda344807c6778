//go:build languages

// What needs more than Go: `bash .ci/run languages` installs it and runs these tests.

package templates_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// Every bot builds, has the right rules, and plays over stdin and stdout.
func TestLanguages(t *testing.T) {
	for _, language := range []string{"python", "javascript", "rust", "cpp", "java"} {
		t.Run(language, func(t *testing.T) {
			template, folder := built(t, language)
			countsRight(t, folder, template.Run, 5_000)
			e := startEngine(t, folder, template.Run)
			e.playsEverything(60)
			e.quit()
		})
	}
}

// Those that can connect by themselves do so, and come back when the arena does.
func TestNetwork(t *testing.T) {
	for _, language := range []string{"python", "javascript"} {
		t.Run(language, func(t *testing.T) {
			if language == "javascript" && nodeVersion(t) < 22 {
				t.Setenv("NODE_OPTIONS", "--experimental-websocket")
			}
			template, folder := written(t, language)
			playsOverNetwork(t, folder, template.Run)
		})
	}
}

// nodeVersion returns the major version of node.
func nodeVersion(t *testing.T) int {
	t.Helper()
	text, err := exec.Command("node", "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(text), "v"), ".")
	version, err := strconv.Atoi(major)
	if err != nil {
		t.Fatal(err)
	}
	return version
}
