//go:build unix

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"versus2048/internal/testkit"

	"github.com/creack/pty"
)

const shortGame = `[Game "7"]
[Attacker "ann"]
[Defender "bob"]
[Size "2x2"]

1. (1,1) S 2. (1,1) N 3. (2,1) S 4. (1,1) N 5. (2,2) N 6. (2,2)
`

// onTerminal is a program on a pseudo-terminal of 80 columns.
type onTerminal struct {
	*testkit.Program
	keys *os.File
	done chan struct{}
}

// startOnTerminal starts a program on a terminal. Its standard input is the terminal or, if stdin is not
// nil, a file.
func startOnTerminal(t *testing.T, stdin *os.File, name string, args ...string) *onTerminal {
	t.Helper()
	p := &onTerminal{Program: testkit.NewProgram(name, args...), done: make(chan struct{})}
	p.Stdout, p.Stderr = nil, nil // the terminal
	p.Env = append(os.Environ(), "TERM=xterm", "COLUMNS=")
	if stdin != nil {
		p.Stdin = stdin
	}
	var err error
	own := &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1} // its standard output is its terminal
	if p.keys, err = pty.StartWithAttrs(p.Cmd, &pty.Winsize{Rows: 24, Cols: 80}, own); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		buffer := make([]byte, 4096)
		for {
			n, err := p.keys.Read(buffer)
			_, _ = p.Output.Write(buffer[:n]) // into memory
			if err != nil {
				return // the program has ended
			}
		}
	}()
	t.Cleanup(func() {
		p.Kill()
		_ = p.keys.Close() // it ends the reader
		<-p.done
	})
	return p
}

// press sends keys and waits until the program has printed a text.
func (p *onTerminal) press(t *testing.T, keys, text string) {
	t.Helper()
	before := len(p.Output.String())
	if _, err := p.keys.WriteString(keys); err != nil {
		t.Fatal(err)
	}
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	timeout := time.After(time.Minute)
	for !strings.Contains(p.Output.String()[before:], text) {
		select {
		case <-look.C:
		case <-timeout:
			t.Fatalf("after %q it prints %q, want %q", keys, p.Output.String()[before:], text)
		}
	}
}

// exits waits for the end of the program and returns its exit code.
func (p *onTerminal) exits(t *testing.T) int {
	t.Helper()
	_ = p.Wait() // the exit code is returned
	<-p.done
	return p.ProcessState.ExitCode()
}

// On a terminal a game fills the screen and obeys keys, wherever its record comes from, and the terminal
// is then as it was.
func TestReplayOnTerminal(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/game.txt"
	if err := os.WriteFile(file, []byte(shortGame), 0o600); err != nil {
		t.Fatal(err)
	}
	db := t.TempDir() + "/arena.db"
	play(t, db)
	for source, args := range map[string][]string{
		"the database":       {"1", "--db", db},
		"a file":             {file},
		"the standard input": {"-"},
	} {
		t.Run(source, func(t *testing.T) {
			var stdin *os.File
			if args[0] == "-" {
				var err error
				if stdin, err = os.Open(file); err != nil {
					t.Fatal(err)
				}
				defer stdin.Close()
			}
			p := startOnTerminal(t, stdin, "arena", append([]string{"replay"}, args...)...)
			p.press(t, "", "q quit")
			p.press(t, "\x1b[C", "ply 1 of ")
			p.press(t, "\x1b[C", "ply 2 of ")
			p.press(t, "\x1b[D", "ply 1 of ")
			p.press(t, "\x1b[F", "mate: ")
			p.press(t, "\x1b[H", "ply 0: the start")
			p.press(t, " ", "playing, 500ms a ply")
			p.press(t, "+++++", "mate: ") // it plays to the end
			p.press(t, "q", "\x1b[?1049l")
			if code := p.exits(t); code != 0 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// With --plain, and where the output is no terminal, all positions are printed.
func TestReplayPlain(t *testing.T) {
	file := t.TempDir() + "/game.txt"
	if err := os.WriteFile(file, []byte(shortGame), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startOnTerminal(t, nil, "arena", "replay", file, "--plain")
	if code := p.exits(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	piped, _, _ := run(t, "arena", "replay", file)
	if onTerminal := strings.ReplaceAll(p.Output.String(), "\r\n", "\n"); onTerminal != piped || strings.Contains(piped, "\x1b") || !strings.Contains(piped, "mate: bob scored 8") {
		t.Errorf("printed\n%s\nand elsewhere\n%s", onTerminal, piped)
	}
}
