//go:build languages

package templates_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/testkit"
)

// A client in Python that is generated from docs/schemas/openapi.json plays an event.
func TestGeneratedClient(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(folder, "arena")
	build(t, ".", "go build -o "+program+" versus2048/cmd/arena")
	described, err := filepath.Abs("../../docs/schemas/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("testdata/openapi/play.py")
	if err != nil {
		t.Fatal(err)
	}
	generate := command(t, folder, "openapi-python-client generate --meta none --output-path arena_client --path "+described)
	if text, err := generate.Output(); err != nil {
		t.Fatalf("%v: bash .ci/run languages installs the generator\n%s", err, text)
	}
	arena := testkit.NewArena(t)
	arena.Run(t, testkit.NewProgram(program, "serve", "--addr", arena.Address, "--db", filepath.Join(folder, "arena.db")))
	token, err := command(t, folder, program+" token new --operator tester --db arena.db").Output()
	if err != nil {
		t.Fatal(err)
	}
	python, err := exec.LookPath("openapi-python-client")
	if err != nil {
		t.Fatal(err)
	}
	played := command(t, folder, filepath.Join(filepath.Dir(python), "python3")+" "+script, arena.URL(), strings.TrimSpace(string(token)))
	played.Env = append(played.Environ(), "PYTHONPATH="+folder)
	if text, err := played.Output(); err != nil || string(text) != "played\n" {
		t.Errorf("%v\n%s", err, text)
	}
}
