//go:build languages

// Tests that need more than Go: `bash .ci/run languages` installs the programs and runs these tests.

package templates_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
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

// With an invitation a bot takes a name of its own, and from then on it plays under it without one: by bot exec in each
// language, and by itself where it can.
func TestInvitation(t *testing.T) {
	bot := programBot(t)
	for _, language := range []string{"python", "javascript", "go", "rust", "cpp", "java"} {
		t.Run(language, func(t *testing.T) {
			t.Setenv("GOWORK", "off")
			template, folder := built(t, language)
			registers(t, folder, func(url string, more ...string) string {
				return strings.Join(append([]string{bot, "exec --name tester --url", url}, more...), " ") + " -- " + template.Run
			})
		})
	}
	t.Run("python by itself", func(t *testing.T) {
		template, folder := written(t, "python")
		registers(t, folder, func(url string, more ...string) string {
			return strings.Join(append([]string{template.Run, url, "tester"}, more...), " ")
		})
	})
}

// registers lets a bot register its name on an arena with an invitation, and come again without it. line returns the
// bot's command for the arena's URL, with more flags.
func registers(t *testing.T, folder string, line func(url string, more ...string) string) {
	t.Helper()
	settings := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", settings)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	door, code := testkit.NewArena(t), protocol.NewCode()
	if _, err := store.Tokens().Invite(t.Context(), code, 1, time.Hour); err != nil {
		t.Fatal(err)
	}
	arena := serve(t, store, door)
	for _, more := range [][]string{{"--invitation", code}, nil} {
		bot := command(t, folder, line("ws://"+door.Address+"/bot", more...))
		if err := bot.Start(); err != nil {
			t.Fatal(err)
		}
		await(t, arena)
		match(t, arena, rules.GPCC2015)
		kill(bot)
		for len(arena.Bots()) > 0 { // until the arena has noticed
			<-time.After(10 * time.Millisecond)
		}
		if owners, err := store.Tokens().Owners(t.Context()); err != nil || !slices.Equal(owners, []string{"tester"}) {
			t.Fatalf("names with a token: %v, %v", owners, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(settings, "versus2048", "bots", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if found, isSecret := protocol.CodeIn(string(text)); err != nil || found != code || !isSecret {
		t.Errorf("%s has %q, %v", files[0], text, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v, %v", files[0], info, err)
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
