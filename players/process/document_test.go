package process_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/players/playertest"
	"versus2048/players/process"
	"versus2048/protocol/stdio"
)

const page = "../../docs/STDIO.md"

// The first bot of docs/STDIO.md plays whole games in both roles.
func TestDocumentedBot(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no Python")
	}
	blocks := testkit.Blocks(testkit.ReadDocument(t, page), "python")
	path := filepath.Join(t.TempDir(), "me.py")
	if err := os.WriteFile(path, []byte(blocks[0]), 0o600); len(blocks) != 1 || err != nil {
		t.Fatal(len(blocks), err)
	}
	program := start(t, process.Config{Command: []string{python, path}})
	playertest.Run(t, playertest.Suite{
		New: func(t *testing.T, s playertest.Setting) players.Player {
			g := program.Play(t.Context(), stdio.New{Role: s.Side, Rules: s.Start.Rules(), Size: s.Start.Size()})
			t.Cleanup(func() { g.Over(stdio.Over{}) })
			return g
		},
		Determined: playertest.ByNothing,
		Plies:      60,
	})
}

// The page has the limits that are in force.
func TestDocumentedLimits(t *testing.T) {
	text := strings.Join(strings.Fields(testkit.ReadDocument(t, page)), " ")
	l := process.DefaultLimits()
	for _, want := range []string{
		"Lines are UTF-8 text of at most 65,536 bytes", "The output from one `go` to the next has 4 MiB;", "with `ready`, within a minute,",
		"From `quit` to the end it has 2 s, then comes SIGTERM, and after 1 s SIGKILL.", "to 50 ms after a last answer",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	if stdio.MaxLine != 65536 || l.Output != 4<<20 || stdio.StartTimeout != time.Minute || l.QuitTime != 2*time.Second || l.TermTime != time.Second || l.Linger != 50*time.Millisecond || process.MaxLog != 64<<10 {
		t.Errorf("the limits are %+v", l)
	}
}
