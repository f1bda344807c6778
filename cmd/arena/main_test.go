package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
)

// TestMain puts the programs arena and bot on the path: this test binary, run
// under their names.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"arena": func() { os.Exit(cmdline.Main(app(), os.Args)) },
		"bot":   func() { os.Exit(cmdline.Main(botcmd.App(), os.Args)) },
	})
}

func TestScripts(t *testing.T) {
	databases, err := filepath.Abs("../../results/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("DATABASES", databases) // of older versions
			return nil
		},
	})
}
