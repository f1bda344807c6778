package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"versus2048/internal/testkit"
)

// The processes of an arena die with it in any case, even bots in the middle of long thoughts.
func TestStartedBotsDieWithTheArena(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"tournament": {"event", "run", "--bot", "a=mcts:playouts=100000000", "--bot", "b=mcts:playouts=100000000"},
		"demo":       {"demo"},
	} {
		t.Run(name, func(t *testing.T) {
			db := t.TempDir() + "/arena.db" // in the command of the arena alone
			p := testkit.NewProgram("arena", append(args, "--db", db)...)
			p.Env = append(environment(t), "VERSUS2048_TEST="+db)
			p.Begin(t)
			p.AwaitOutput(t, "playing")
			if n := len(processesOf(t, db)); n < 3 {
				t.Fatalf("%d processes play", n)
			}
			p.Kill()
			soon := time.Now().Add(30 * time.Second) // before bots without an arena would give up by themselves
			testkit.Await(t, "the end of all bots", func() bool { return len(processesOf(t, db)) == 0 || time.Now().After(soon) })
			if left := processesOf(t, db); left != nil {
				t.Errorf("processes %v have outlived the arena", left)
			}
		})
	}
}

// processesOf returns the folders of the processes that have a text in their environment.
func processesOf(t *testing.T, text string) (folders []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if variables, _ := os.ReadFile(file); bytes.Contains(variables, []byte(text)) { // it may have ended
			folders = append(folders, filepath.Dir(file))
		}
	}
	return folders
}
