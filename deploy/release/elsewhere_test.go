package main

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
)

// A program elsewhere gets the module once it has a path with a host, as docs/GO.md shows it: from a
// proxy, which is a folder here, and from a clone. Only the module's own packages are compiled anew.
func TestProgramElsewhere(t *testing.T) {
	testkit.Long(t)
	place := t.TempDir()
	clone := filepath.Join(place, "versus2048")
	copyTree(t, "../..", clone)
	module := "example.org/" + strings.ToLower(rand.Text()) + "/versus2048" // new for Go, which keeps all modules
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

	page := testkit.ReadDocument(t, filepath.Join(clone, "docs", "GO.md"))
	for name, run := range map[string]func(t *testing.T, page, module, clone, folder string){"published": published, "cloned": cloned} {
		folder := filepath.Join(place, name)
		plant(t, folder, map[string]string{
			"main.go":  testkit.Blocks(page, "go")[0],
			"arena.db": content(t, filepath.Join(clone, "results", "testdata", "version7.db")),
			"go.mod":   content(t, filepath.Join(clone, "go.mod")),
			"go.sum":   content(t, filepath.Join(clone, "go.sum")),
		})
		follow(t, folder, "go mod edit -module=games")
		run(t, page, module, clone, folder)
	}
}

// published runs the program of the page with the module that go get finds. All other modules have the versions
// of the project: go get itself would look at more of their files than the project's tests need, and so at
// files that may not be here.
func published(t *testing.T, page, module, _, folder string) {
	t.Helper()
	_, wanted, _ := strings.Cut(command(t, page, "go get "+module), "go get ")
	var found struct{ Version, Sum, GoModSum string }
	if err := json.Unmarshal([]byte(follow(t, t.TempDir(), "go mod download -json "+wanted)), &found); err != nil || found.Version != "v1.0.0" {
		t.Fatalf("%s is %+v, error %v", wanted, found, err)
	}
	sums := fmt.Sprintf("%s %s %s\n%[1]s %[2]s/go.mod %[4]s\n", module, found.Version, found.Sum, found.GoModSum)
	plant(t, folder, map[string]string{"go.sum": content(t, filepath.Join(folder, "go.sum")) + sums})
	follow(t, folder, "go mod edit -require="+module+"@"+found.Version)
	wantGames(t, follow(t, folder, command(t, page, "go run ")))
}

// cloned finds the packages of the program in a clone, as the page says.
func cloned(t *testing.T, page, module, clone, folder string) {
	t.Helper()
	follow(t, folder, command(t, page, "go mod edit -require="))
	follow(t, folder, command(t, page, "go mod edit -replace="))
	for line := range strings.Lines(follow(t, folder, "go list -deps -f {{.Dir}} .")) {
		if strings.HasPrefix(line, filepath.Join(clone, "players")) {
			return
		}
	}
	t.Errorf("the program does not use the clone of %s", module)
}

// command returns the command of a page that begins with some words.
func command(t *testing.T, page, begin string) string {
	t.Helper()
	line := regexp.MustCompile(`(?m)^    (` + regexp.QuoteMeta(begin) + `.*)$`).FindStringSubmatch(page)
	if line == nil {
		t.Fatalf("docs/GO.md has no command that begins with %q", begin)
	}
	return line[1]
}

// content returns the content of a file.
func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// follow runs a command in a folder and returns its output.
func follow(t *testing.T, folder, line string) (output string) {
	t.Helper()
	words := strings.Fields(line)
	command := exec.CommandContext(t.Context(), words[0], words[1:]...)
	command.Dir = folder
	var complaints bytes.Buffer
	command.Stderr = &complaints
	text, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", line, err, text, complaints.Bytes())
	}
	return string(text)
}

// checkRenamed checks that the renamed packages, with all their tests, import nothing that is not there,
// and that the rules know the module.
func checkRenamed(t *testing.T, clone string) {
	t.Helper()
	follow(t, clone, "go list -tags hosting,languages -deps -test ./...")
	follow(t, clone, "go test -run Imports|Links|Library|Markdown ./internal/policy")
}

// wantGames checks the output of the program of docs/GO.md for a database with two events and six games.
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

// allFiles returns the names of all files in a folder, with slashes, except for the files that git keeps and
// that make builds.
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
	plant(t, filepath.Join(proxy, module, "@v"), map[string]string{
		"list": "v1.0.0\n", "v1.0.0.info": `{"Version":"v1.0.0"}`,
		"v1.0.0.mod": content(t, filepath.Join(from, "go.mod")), "v1.0.0.zip": pack(t, from, module+"@v1.0.0/"),
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
		file, err := archive.CreateHeader(&zip.FileHeader{Name: prefix + name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(file, content(t, filepath.Join(from, name))); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

// forget removes the modules below a path that Go has fetched, once the test is over. Go keeps them in folders
// that cannot be written to.
func forget(t *testing.T, path string) {
	t.Helper()
	cache := strings.TrimSpace(follow(t, ".", "go env GOMODCACHE"))
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
			_ = os.Remove(filepath.Dir(kept)) // unless something else is in it
		}
	})
}
