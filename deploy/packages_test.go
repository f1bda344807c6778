//go:build hosting

package deploy_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// releaseFile returns the path of the one file of a release with an ending.
func releaseFile(t *testing.T, folder, ending string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "versus2048_*"+ending))
	if err != nil || len(found) != 1 {
		t.Fatalf("files with the ending %s: %v, %v", ending, found, err)
	}
	return found[0]
}

// load returns the number of programs that wished to run on each processor in the last minute, 1 at least.
func load(t *testing.T) float64 {
	t.Helper()
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		t.Fatal(err)
	}
	lastMinute, _, _ := strings.Cut(string(text), " ")
	programs, err := strconv.ParseFloat(lastMinute, 64)
	if err != nil {
		t.Fatal(err)
	}
	return max(1, programs/float64(runtime.NumCPU()))
}

// demoAtOnce unpacks the archive where there is nothing else, and runs the demo: that takes less than half a minute on
// an idle machine, and longer in proportion to the load of another.
func demoAtOnce(t *testing.T, folder string) {
	began, root := time.Now(), t.TempDir()
	finished(t, "tar", "xzf", releaseFile(t, folder, "_linux_amd64.tar.gz"), "--strip-components=1", "-C", root)
	unpacked := time.Since(began)
	said := bareMachine(t, root).does(t, "", "/arena", "demo", "--db", "/demo.db")
	took := time.Since(began)
	t.Logf("unpacked after %v, the demo was over after %v", unpacked, took)
	if !strings.Contains(said, "12/12 games, 0 playing, finished") || !strings.Contains(said, "The last game, replayed") {
		t.Errorf("the demo printed\n%s", said)
	}
	if busy := load(t); took.Seconds() > 30*busy {
		t.Errorf("from the archive to the end of the demo: %v at a load of %.1f for each processor", took, busy)
	}
}

// debInstalls unpacks the package where there is nothing else, and its programs run there. Then it installs the package
// on a machine like this one, uses it and removes it.
func debInstalls(t *testing.T, folder string) {
	deb, root := releaseFile(t, folder, ".deb"), t.TempDir()
	finished(t, "dpkg-deb", "--extract", deb, root)
	bare := bareMachine(t, root)
	for _, program := range []string{"arena", "bot", "lab"} {
		if said := bare.does(t, "", "/usr/bin/"+program, "--version"); !strings.HasPrefix(said, program+" "+version(t)+" (commit ") {
			t.Errorf("%s --version: %s", program, said)
		}
	}
	m := freshMachine(t)
	copied(t, filepath.Join(filepath.Dir(m.root), "tmp"), deb)
	m.does(t, "", "sh", "-exc", "dpkg --install /tmp/*.deb; getent passwd arena; install -d -o arena /var/lib/arena")
	if said := m.does(t, "", "systemd-analyze", "verify", "/usr/lib/systemd/system/arena.service", "/usr/lib/systemd/system/arena-backup.timer"); said != "" {
		t.Errorf("systemd-analyze verify: %s", said)
	}
	arena := m.starts(t, nil, "arena", "/usr/bin/arena", "serve", "--db", "/var/lib/arena/arena.db")
	arena.AwaitOutput(t, "arena open")
	m.does(t, "arena", "/usr/bin/arena", "health")
	stops(t, arena)
	m.does(t, "", "sh", "-exc", "dpkg --remove versus2048; test ! -e /usr/bin/arena; test -e /var/lib/arena/arena.db")
}

// useBot plays a move with the bot that comes with the package.
const useBot = `
from versus2048 import Position
from versus2048.engine import Engine
engine, start = Engine(["bot", "stdio", "greedy"]), Position.parse("2,0/0,0 D 0 1")
engine.new_game(start, "defender", 1)
print(engine.choose(start, "(1,1)"))
engine.close()
`

// wheelInstalls installs the wheel for this system. The package finds the program that comes with it.
func wheelInstalls(t *testing.T, folder string) {
	wheels, err := filepath.Glob(filepath.Join(folder, "versus2048-*manylinux*_x86_64*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatalf("wheels %v, %v", wheels, err)
	}
	environment := t.TempDir()
	finished(t, "python3", "-m", "venv", environment)
	finished(t, environment+"/bin/pip", "install", "--quiet", "--disable-pip-version-check", wheels[0])
	if said := finished(t, environment+"/bin/bot", "--version"); !strings.HasPrefix(said, "bot "+version(t)) {
		t.Errorf("bot --version: %s", said)
	}
	if said := finished(t, environment+"/bin/python", "-c", useBot); said != "E\n" && said != "S\n" {
		t.Errorf("the bot moves %q", said)
	}
}

// version returns the project's version.
func version(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(finished(t, "cat", "../VERSION"))
}

// imageServes unpacks the image as an engine does, and the arena serves in it.
func imageServes(t *testing.T, folder string) {
	layout, root := t.TempDir(), t.TempDir()
	finished(t, "tar", "xf", releaseFile(t, folder, ".oci.tar"), "-C", layout)
	type blob struct{ Digest string }
	var index struct{ Manifests []blob }
	read(t, filepath.Join(layout, "index.json"), &index)
	path := func(b blob) string {
		return filepath.Join(layout, "blobs", filepath.FromSlash(strings.ReplaceAll(b.Digest, ":", "/")))
	}
	var manifest struct {
		Config blob
		Layers []blob
	}
	read(t, path(index.Manifests[0]), &manifest)
	for _, layer := range manifest.Layers {
		finished(t, "tar", "xzpf", path(layer), "-C", root)
	}
	var settings struct {
		Config struct {
			User, WorkingDir string
			Healthcheck      struct{ Test []string }
			Entrypoint, Cmd  []string
		}
	}
	read(t, path(manifest.Config), &settings)
	c := settings.Config
	containerServes(t, image{
		root: root, folder: c.WorkingDir, user: c.User, health: c.Healthcheck.Test[1:],
		start: append(c.Entrypoint, c.Cmd...),
	})
}

// read reads a file of JSON.
func read(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
