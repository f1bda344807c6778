package main

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/document"
)

// A program elsewhere gets the module once it has a path with a host, as docs/GO.md shows it: from a
// proxy, which is a folder here, and from a clone. Only the module's own packages are compiled anew.
func TestProgramElsewhere(t *testing.T) {
	place := t.TempDir()
	clone := filepath.Join(place, "versus2048")
	copyTree(t, "../..", clone)
	module := "example.org/" + strings.ToLower(rand.Text()) + "/versus2048" // Go keeps what it has fetched
	for _, path := range []string{"example.com/before/v2", module} {
		if _, _, err := rename(clone, path); err != nil {
			t.Fatal(err)
		}
	}
	forget(t, filepath.Dir(module))
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(publish(t, clone, module)))
	for name, value := range map[string]string{"GOSUMDB": "off", "GOPRIVATE": "", "GONOPROXY": "none", "GOWORK": "off", "GOTOOLCHAIN": "local"} {
		t.Setenv(name, value)
	}
	checkRenamed(t, clone)

	page := document.Read(t, filepath.Join(clone, "docs", "GO.md"))
	program := document.Blocks(page, "go")[0]
	database, err := os.ReadFile(filepath.Join(clone, "results", "testdata", "version7.db"))
	if err != nil {
		t.Fatal(err)
	}
	commands := goCommands(page)
	fetch := slices.IndexFunc(commands, func(c string) bool { return strings.HasSuffix(c, "@latest") })
	local := slices.IndexFunc(commands, func(c string) bool { return strings.Contains(c, "-replace=") })
	if fetch < 0 || local < 0 {
		t.Fatalf("docs/GO.md has the commands %q", commands)
	}
	published := filepath.Join(place, "published")
	plant(t, published, map[string]string{"main.go": program, "arena.db": string(database)})
	wantGames(t, follow(t, published, slices.Delete(slices.Clone(commands), local, local+1)))

	cloned := filepath.Join(place, "cloned")
	plant(t, cloned, map[string]string{"main.go": program})
	runs := slices.DeleteFunc(slices.Delete(commands, fetch, fetch+1), func(c string) bool { return strings.HasPrefix(c, "go run ") })
	follow(t, cloned, append(runs, "go list -deps ."))
}

// goCommands returns the commands of a page that call go.
func goCommands(page string) (commands []string) {
	for _, match := range regexp.MustCompile(`(?m)^    (go .*)$`).FindAllStringSubmatch(page, -1) {
		commands = append(commands, match[1])
	}
	return commands
}

// follow runs commands in a folder and returns what the last one has written.
func follow(t *testing.T, folder string, commands []string) (output string) {
	t.Helper()
	for _, line := range commands {
		words := strings.Fields(line)
		command := exec.CommandContext(t.Context(), words[0], words[1:]...)
		command.Dir = folder
		var complaints bytes.Buffer
		command.Stderr = &complaints
		text, err := command.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s%s", line, err, text, complaints.Bytes())
		}
		output = string(text)
	}
	return output
}

// checkRenamed checks that the renamed packages, with all their tests, import nothing that is not there,
// and that the rules about imports know the module.
func checkRenamed(t *testing.T, clone string) {
	t.Helper()
	follow(t, clone, []string{
		"go list -tags hosting,languages -deps -test ./...",
		"go test -run Imports|WithoutLab|Library ./internal/policy",
	})
}

// wantGames checks what the program of docs/GO.md prints for a database with two events and six games.
func wantGames(t *testing.T, output string) {
	t.Helper()
	want := regexp.MustCompile(`^mate after \d+ plies, score \d+
event 1: random, greedy, games: 4
event 2: a=evminimax:depth=2, b=mcts:playouts=300, games: 2
game 1: mate, 17 plies, the score 24 and the largest tile 8
(game \d: mate, .*\n){4}game 6: mate, 2113 plies, the score 16596 and the largest tile 1024
$`)
	if !want.MatchString(output) {
		t.Errorf("the program of docs/GO.md printed\n%s\nwant\n%s", output, want)
	}
}

// copyTree copies the project: the files that git has or would take, or all where there is no git.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	command.Dir = from
	var names []string
	if text, err := command.Output(); err == nil {
		names = strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
	} else {
		names = allFiles(t, from)
	}
	tree := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(from, name))
		switch {
		case errors.Is(err, fs.ErrNotExist): // deleted, and git was not told yet
		case err != nil:
			t.Fatal(err)
		default:
			tree[name] = string(text)
		}
	}
	plant(t, to, tree)
}

// allFiles returns the names of all files in a folder, with slashes, but for what git keeps and what make builds.
func allFiles(t *testing.T, folder string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err == nil && slices.Contains([]string{".git", "dist", "release"}, name):
			return fs.SkipDir
		case err == nil && entry.Type().IsRegular():
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// publish makes a proxy that has version v1.0.0 of the module in a folder, and returns its folder.
func publish(t *testing.T, from, module string) (proxy string) {
	t.Helper()
	proxy = t.TempDir()
	content, err := os.ReadFile(filepath.Join(from, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	plant(t, filepath.Join(proxy, module, "@v"), map[string]string{
		"list": "v1.0.0\n", "v1.0.0.info": `{"Version":"v1.0.0"}`, "v1.0.0.mod": string(content), "v1.0.0.zip": pack(t, from, module+"@v1.0.0/"),
	})
	return proxy
}

// pack returns a module as Go fetches it: its files below a prefix, without the modules below it.
func pack(t *testing.T, from, prefix string) string {
	t.Helper()
	names := allFiles(t, from)
	var others []string
	for _, name := range names {
		if folder, found := strings.CutSuffix(name, "/go.mod"); found {
			others = append(others, folder+"/")
		}
	}
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	for _, name := range names {
		if slices.ContainsFunc(others, func(folder string) bool { return strings.HasPrefix(name, folder) }) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		file, err := archive.CreateHeader(&zip.FileHeader{Name: prefix + name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

// forget removes what Go has fetched of the modules below a path, once the test is over. Go keeps it in
// folders that cannot be written to.
func forget(t *testing.T, path string) {
	t.Helper()
	cache := strings.TrimSpace(follow(t, ".", []string{"go env GOMODCACHE"}))
	t.Cleanup(func() {
		for _, kept := range []string{filepath.Join(cache, path), filepath.Join(cache, "cache", "download", path)} {
			err := filepath.WalkDir(kept, func(name string, entry fs.DirEntry, err error) error {
				if errors.Is(err, fs.ErrNotExist) || err == nil && !entry.IsDir() {
					return nil
				}
				return errors.Join(err, os.Chmod(name, 0o700))
			})
			if err := errors.Join(err, os.RemoveAll(kept)); err != nil {
				t.Errorf("what Go has fetched: %v", err)
			}
		}
	})
}
