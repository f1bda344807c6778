//go:build hosting

package deploy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/testkit"

	"github.com/creack/pty"
)

// typedWords maps the text before the tabulator key to the words that the shell has after an x is typed as
// well: the x joins a word that can go on, and follows a complete word after a space.
func typedWords() map[string]string {
	return map[string]string{
		"arena eve":                             "arena event x",
		"arena event run --si":                  "arena event run --size x",
		"arena event run --bot mcts:playo":      "arena event run --bot mcts:playouts=x",
		"arena event run --bot a=gree":          "arena event run --bot a=greedy x",
		"arena event run --rules=s":             "arena event run --rules=solo x",
		"arena event run --bot random --fo":     "arena event run --bot random --format x",
		"arena event run --format swiss --seed": "arena event run --format swiss --seedx",
		"arena games --db no":                   "arena games --db notes x",
		"bot run gree":                          "bot run greedy x",
	}
}

// The shells themselves complete the commands by the scripts that the programs print.
func TestShellsComplete(t *testing.T) {
	for _, tc := range []struct {
		shell string
		args  []string
		setup string
	}{
		{"bash", []string{"--norc", "--noprofile", "-i"}, `bind 'set enable-bracketed-paste off'; eval "$(arena completion bash)"; eval "$(bot completion bash)"`},
		{"zsh", []string{"-f", "-i"}, `unsetopt PROMPT_SP; bindkey -e; autoload -U compinit; compinit -u -D; eval "$(arena completion zsh)"; eval "$(bot completion zsh)"`},
		// As packages do it: files in a folder, which zsh reads when it needs them.
		{"zsh", []string{"-f", "-i"}, `unsetopt PROMPT_SP; bindkey -e; mkdir f; arena completion zsh >f/_arena; bot completion zsh >f/_bot; fpath=($PWD/f $fpath); autoload -U compinit; compinit -u -D`},
	} {
		t.Run(tc.shell, func(t *testing.T) {
			s := startedShell(t, tc.shell, tc.args...)
			s.types(t, tc.setup+"; echo set''up\r", "setup")
			for typed, want := range typedWords() {
				// The completed line becomes the words of an echo.
				s.types(t, typed+"\tx\x01echo :: \r", "\n:: "+want+"\r")
			}
		})
	}
}

// Fish lists the words that it would offer.
func TestFishCompletes(t *testing.T) {
	environment := "cd " + filepath.Dir(notes(t)) + "; set -x PATH " + filepath.Dir(built(t, "arena")) + " $PATH; arena completion fish | source; "
	for typed, want := range map[string]string{
		"arena eve":                        "event",
		"arena event run --si":             "--size",
		"arena event run --bot mcts:playo": "mcts:playouts=",
		"arena event run --rules s":        "solo",
		"arena games --db no":              "notes",
	} {
		said := finished(t, "fish", "--no-config", "-c", environment+"complete -C '"+typed+"'")
		if text, _, _ := strings.Cut(strings.TrimSpace(said), "\t"); text != want || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: %q, want %s", typed, said, want)
		}
	}
}

// notes returns the path of a file that is called notes, alone in its folder.
func notes(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notes")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// shell is a shell on a terminal.
type shell struct {
	program
	terminal *os.File
}

// startedShell starts a shell that finds the programs.
func startedShell(t *testing.T, name string, args ...string) *shell {
	t.Helper()
	p := program{testkit.NewProgram(name, args...)}
	p.Stdout, p.Stderr = nil, nil // the terminal
	p.Dir = filepath.Dir(notes(t))
	p.Env = append(os.Environ(), "PATH="+filepath.Dir(built(t, "arena"))+":"+os.Getenv("PATH"), "TERM=dumb", "HOME="+p.Dir, "PS1=> ")
	terminal, err := pty.StartWithSize(p.Cmd, &pty.Winsize{Rows: 50, Cols: 250})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		text := make([]byte, 4096)
		for n, err := terminal.Read(text); err == nil; n, err = terminal.Read(text) {
			_, _ = p.Output.Write(text[:n]) // it is kept in memory
		}
	}()
	t.Cleanup(func() {
		p.kill()
		terminal.Close()
		if t.Failed() {
			t.Logf("%s printed:\n%s", name, p.Output.String())
		}
	})
	return &shell{p, terminal}
}

// types types a text, and waits until the shell has printed another one.
func (s *shell) types(t *testing.T, text, answer string) {
	t.Helper()
	before := len(s.Output.String())
	if _, err := s.terminal.WriteString(text); err != nil {
		t.Fatal(err)
	}
	testkit.Await(t, s.Path+" to print "+answer+" after "+text, func() bool { return strings.Contains(s.Output.String()[before:], answer) })
}
