package main

import (
	"os"
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
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}
