//go:build languages

// Tests that need more than Go: `bash .ci/run languages` installs the programs and runs these tests.

package templates_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Every bot builds, has the right rules, and plays over stdin and stdout.
func TestLanguages(t *testing.T) {
	bot := programBot(t)
	for _, language := range []string{"python", "javascript", "rust", "cpp", "java"} {
		t.Run(language, func(t *testing.T) {
			template, folder := built(t, language)
			countsRight(t, folder, template.Run, 5_000)
			e := startEngine(t, folder, template.Run)
			e.playsEverything(60)
			e.quit()
			isRight(t, bot, folder, template.Run)
		})
	}
}

// programBot builds the program bot and returns its path.
func programBot(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bot")
	build(t, ".", "go build -o "+path+" versus2048/cmd/bot")
	return path
}

// isRight fails the test unless `bot check` finds nothing wrong with a bot.
func isRight(t *testing.T, bot, folder, run string) {
	t.Helper()
	if out, err := command(t, folder, bot+" check --slack 10s -- "+run).Output(); err != nil {
		t.Errorf("%s: %v\n%s", run, err, out)
	}
}

// Every example builds, plays, and reports its searches.
func TestExamples(t *testing.T) {
	bot := programBot(t)
	for _, example := range []struct{ folder, build, run, setting string }{
		{"python-expectimax", "", "python3 expectimax.py", "time_ms=2"},
		{"javascript-page", "", "node bot.js", "time_ms=2"},
		{"cpp-alphabeta", "g++ -O2 -std=c++17 -Wall -Wextra -o alphabeta alphabeta.cpp", "./alphabeta", "time_ms=2"},
		{"rust-nply", "cargo build --release", "target/release/nply", "plies=3"},
	} {
		t.Run(example.folder, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.CopyFS(folder, os.DirFS("../../examples/"+example.folder)); err != nil {
				t.Fatal(err)
			}
			build(t, folder, example.build)
			e := startEngine(t, folder, example.run)
			e.send("set %s", example.setting)
			e.playsEverything(40)
			e.quit()
			if e.infos == 0 {
				t.Error("it says nothing of its search")
			}
			isRight(t, bot, folder, example.run+" "+example.setting)
		})
	}
}

// Bots that can connect by themselves do so, and come back when the arena does.
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
