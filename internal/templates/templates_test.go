package templates_test

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/templates"
	"versus2048/internal/testkit"
)

// written writes a template into a folder.
func written(t *testing.T, language string) (template templates.Template, folder string) {
	t.Helper()
	template, err := templates.Find(language)
	if err != nil {
		t.Fatal(err)
	}
	folder = filepath.Join(t.TempDir(), "my-bot")
	if err := template.Write("my-bot", folder); err != nil {
		t.Fatal(err)
	}
	return template, folder
}

// built builds a written template.
func built(t *testing.T, language string) (template templates.Template, folder string) {
	t.Helper()
	template, folder = written(t, language)
	build(t, folder, template.Build)
	return template, folder
}

// build runs a command, if there is one, and fails the test unless it succeeds without a warning.
func build(t *testing.T, folder, line string) {
	t.Helper()
	if line == "" {
		return
	}
	c := command(t, folder, line)
	var warnings bytes.Buffer
	c.Stderr = &warnings
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, &warnings)
	}
	if strings.Contains(warnings.String(), "warning") {
		t.Errorf("%s: %s", line, &warnings)
	}
}

const (
	mostLines   = 150 // of a bot that speaks the line protocol
	mostNetwork = 180 // of its way to an arena over the network
)

// All templates are small, and have the bot's name and a README with their commands.
func TestFiles(t *testing.T) {
	for _, template := range templates.All() {
		_, folder := written(t, template.Language)
		whole := ""
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			whole += string(text)
			lines := strings.Count(string(text), "\n")
			most := mostLines
			if strings.HasPrefix(entry.Name(), "websocket.") {
				most = mostNetwork
			}
			if lines > most {
				t.Errorf("%s: %d lines, want at most %d", path, lines, most)
			}
			if strings.Contains(string(text), "mybot") || strings.HasSuffix(path, ".txt") {
				t.Errorf("%s is as in the template", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		readme, err := os.ReadFile(filepath.Join(folder, "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"\n    " + template.Build + "\n", "\n    " + template.Run + "\n", "'my-bot=exec:" + template.Run + "'"} {
			if want != "\n    \n" && !strings.Contains(string(readme), want) {
				t.Errorf("%s: README.md does not have %q", template.Language, want)
			}
		}
		if strings.Count(whole, "my-bot") < 3 {
			t.Errorf("%s: the bot's name is nowhere", template.Language)
		}
	}
}

// A folder must be new or empty.
func TestFolders(t *testing.T) {
	python, empty := templates.All()[0], t.TempDir()
	if err := python.Write("ann", empty); err != nil {
		t.Error(err)
	}
	if err := python.Write("ann", empty); err == nil || !strings.Contains(err.Error(), "is not empty, it has README.md") {
		t.Errorf("a second time: error %v", err)
	}
	if err := python.Write("ann", filepath.Join(empty, "README.md")); err == nil {
		t.Error("a file was taken for a folder")
	}
	if _, err := templates.Find("ruby"); err == nil || !strings.Contains(err.Error(), "python, javascript, go, rust, cpp, java") {
		t.Errorf("ruby: error %v", err)
	}
}

func TestName(t *testing.T) {
	for folder, want := range map[string]string{
		"/home/ann/corner":            "corner",
		"bots/My bot!":                "My-bot",
		`it's "mine"`:                 "it-s--mine",
		"/":                           "mybot",
		"Ünïcödé":                     "n-c-d",
		strings.Repeat("long", 20):    strings.Repeat("long", 10),
		"/home/ann/corner/../second/": "second",
	} {
		if got, err := templates.Name(folder); got != want || err != nil {
			t.Errorf("%s: %q, want %q (%v)", folder, got, want, err)
		}
	}
}

// The bot in Go builds outside this module, in its standard form, and plays.
func TestGo(t *testing.T) {
	testkit.Long(t)
	t.Setenv("GOWORK", "off")
	template, folder := built(t, "go")
	build(t, folder, "go vet .")
	sources, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(sources) != 3 {
		t.Fatal(sources, err)
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
			t.Errorf("%s is not in the form of gofmt (%v)", source, err)
		}
	}
	countsRight(t, folder, template.Run, 20_000)
	e := startEngine(t, folder, template.Run)
	e.playsEverything(60)
	e.quit()
	playsOverNetwork(t, folder, template.Run)
}
