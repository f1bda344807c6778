package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"versus2048/cmd/internal/botapp"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/labcmd"
	"versus2048/internal/schema"
	"versus2048/internal/testkit"
)

// TestMain puts the programs arena, lab and bot on the path: this test binary, run
// under their names.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"arena": func() {
			schema.CheckBodies()
			code := checkedMain(atTestAddress(app()))
			tellMemory()
			os.Exit(code)
		},
		"lab": func() { os.Exit(checkedMain(atTestAddress(labcmd.App()))) },
		"bot": func() { os.Exit(checkedMain(atTestAddress(botapp.App()))) },
	})
}

// memoryVariable names a file. An arena that a test starts copies Linux's account of its memory into the file as it
// exits.
const memoryVariable = "VERSUS2048_TEST_MEMORY"

func tellMemory() {
	if path := os.Getenv(memoryVariable); path != "" {
		text, err := os.ReadFile("/proc/self/status")
		if err == nil {
			err = os.WriteFile(path, text, 0o600)
		}
		if err != nil {
			panic(err)
		}
	}
}

func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("testdata/script/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files: slices.DeleteFunc(scripts, func(path string) bool {
			return playScripts != nil && !slices.Contains(playScripts, filepath.Base(path))
		}),
		Setup: func(env *testscript.Env) error {
			env.Setenv("DATABASES", root+"/results/testdata") // of older versions
			env.Setenv("DOCS", root+"/docs")
			env.Setenv("NETWORKS", root+"/players/neural/testdata") // with random weights
			env.Setenv("PROOFS", root+"/lab/proof/check/testdata")
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/.cache")
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/.config")
			env.Setenv(addressVariable, freeAddress(t))
			env.Values[script{}] = env.T()
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"await": awaitBots, "checked": awaitChecks, "keep": keepOutput, "long": skipLong, "network": writeNetwork},
	})
}

// keepOutput is the script command "keep NAME", which makes the last output a variable.
func keepOutput(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// script is the key of a script's test among its values.
type script struct{}

// skipLong is the script command "long" of scripts that take seconds: go test -short leaves them out.
func skipLong(ts *testscript.TestScript, _ bool, _ []string) {
	testkit.Long(ts.Value(script{}).(testscript.T))
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	db := t.TempDir() + "/none.db"
	for line, want := range map[string]int{
		"arena --help":                           cmdline.Done,
		"arena demo --help":                      cmdline.Done,
		"arena --version":                        cmdline.Done,
		"bot list":                               cmdline.Done,
		"arena games --db " + db:                 cmdline.Failed,
		"arena bots --server http://127.0.0.1:1": cmdline.Failed,
		"bot run random --url ws://127.0.0.1:1/bot --reconnect 0s": cmdline.Failed,
		"arena":                         cmdline.Usage,
		"arena event":                   cmdline.Usage,
		"arena nonsense":                cmdline.Usage,
		"arena serve --nonsense":        cmdline.Usage,
		"arena serve too much":          cmdline.Usage,
		"arena replay":                  cmdline.Usage,
		"arena replay x":                cmdline.Usage,
		"arena games --ending nonsense": cmdline.Usage,
		"arena event run --bot random":  cmdline.Usage,
		"arena event run --bot random --bot nonsense":      cmdline.Usage,
		"lab shortest --size 5x5":                          cmdline.Usage,
		"lab shortest --from nonsense":                     cmdline.Usage,
		"lab shortest --size 2x2 --from nonsense":          cmdline.Usage,
		"lab shortest --plies 0":                           cmdline.Usage,
		"lab shortest --positions -1":                      cmdline.Usage,
		"bot run nonsense":                                 cmdline.Usage,
		"bot run":                                          cmdline.Usage,
		"bot try --against nonsense -- bot stdio greedy":   cmdline.Usage,
		"bot try --against greedy --against greedy -- bot": cmdline.Usage,
	} {
		words := strings.Fields(line)
		stdout, stderr, code := run(t, words[0], words[1:]...)
		if code != want {
			t.Errorf("%s exits with %d, want %d: %s%s", line, code, want, stdout, stderr)
		}
		if want == cmdline.Failed && (stdout != "" || strings.Count(stderr, "\n") != 1) {
			t.Errorf("%s: want one line on stderr: %s%s", line, stdout, stderr)
		}
		if strings.Contains(stderr, "goroutine ") {
			t.Errorf("%s: a stack trace: %s", line, stderr)
		}
	}
}
