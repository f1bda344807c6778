package templates_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

// engine is a process that speaks the line protocol of docs/STDIO.md. Any wrong answer fails its test.
type engine struct {
	t     *testing.T
	bot   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	infos int // how many info lines came
}

// command returns a command of a template or an example, to be run in its folder.
func command(t *testing.T, folder, line string, more ...string) *exec.Cmd {
	t.Helper()
	words := append(strings.Fields(line), more...)
	c := exec.CommandContext(t.Context(), words[0], words[1:]...)
	c.Dir = folder
	c.Stderr = t.Output()
	return c
}

const longestLine = 65_536 // bytes, of docs/STDIO.md

// startEngine starts a bot, greets it, and says the longest line, which it has to ignore. The test ends it
// by "quit", and fails unless it exits by that.
func startEngine(t *testing.T, folder, run string) *engine {
	t.Helper()
	c := command(t, folder, run)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	e := &engine{t: t, bot: c, in: in, lines: bufio.NewScanner(out)}
	e.send("v2048 1")
	for e.answer() != "ready" {
	}
	e.send("%s", strings.Repeat("x", longestLine))
	return e
}

// quit ends the bot, which has to say nothing more and to succeed.
func (e *engine) quit() {
	e.t.Helper()
	e.send("quit")
	if err := e.end(); err != nil {
		e.t.Errorf("after quit: %v", err)
	}
}

// end waits until the bot has ended, and returns an error if the bot says something before, or does not succeed.
func (e *engine) end() (err error) {
	for e.lines.Scan() {
		err = errors.Join(err, fmt.Errorf("the bot says %q", e.lines.Text()))
	}
	return errors.Join(err, e.lines.Err(), e.bot.Wait())
}

// A bot that ends with a status has not done as it was told by quit.
func TestQuitWithStatus(t *testing.T) {
	folder := t.TempDir()
	script := "while read -r word rest; do case $word in v2048) echo ready;; quit) exit 3;; esac; done\n"
	if err := os.WriteFile(filepath.Join(folder, "bot.sh"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	e := startEngine(t, folder, "sh bot.sh")
	e.send("quit")
	if status := (*exec.ExitError)(nil); !errors.As(e.end(), &status) || status.ExitCode() != 3 {
		t.Errorf("the bot ends with %v, want status 3", e.bot.ProcessState)
	}
}

func (e *engine) send(format string, args ...any) {
	e.t.Helper()
	if _, err := fmt.Fprintf(e.in, format+"\n", args...); err != nil {
		e.t.Fatal(err)
	}
}

// answer returns the next line that is no info.
func (e *engine) answer() string {
	e.t.Helper()
	for e.lines.Scan() {
		if !strings.HasPrefix(e.lines.Text(), "info ") {
			return e.lines.Text()
		}
		e.infos++
	}
	e.t.Fatal("it has ended: ", e.lines.Err())
	return ""
}

// play plays a game against random moves, up to a number of plies.
func (e *engine) play(r rules.Ruleset, size rules.Size, role rules.Side, most int) {
	e.t.Helper()
	random := rand.New(rand.NewPCG(7, uint64(most))) // #nosec G404 -- has to be the same each time
	e.send("new game=%v-%v role=%v rules=%v size=%v seed=7 move_ms=100 later=1", r, size, role, r, size)
	p, last := rules.NewPosition(r, size), ""
	for ply := 0; ply < most && !p.Over(); ply++ {
		moves := p.AppendMoves(nil)
		move := moves[random.IntN(len(moves))]
		if p.SideToMove() == role {
			move = e.move(p, last)
		}
		next, err := p.Play(move)
		if err != nil {
			e.t.Fatalf("%v: %v", p, err)
		}
		p, last = next, " last="+move.String()
	}
	e.send("over score=%d later=1", p.Score())
}

// move asks for a move in a position.
func (e *engine) move(p rules.Position, last string) rules.Move {
	e.t.Helper()
	words := strings.Fields(p.String())
	e.send("a line of a later version")
	e.send("go %s %s ply=%d score=%d left_ms=100 role=%v rules=%v size=%v later=1%s",
		words[0], words[1], p.Ply(), p.Score(), p.SideToMove(), p.Rules(), p.Size(), last)
	text, found := strings.CutPrefix(e.answer(), "move ")
	move, err := rules.ParseMove(text)
	if !found || err != nil {
		e.t.Fatalf("%v: the answer %q is no move (%v)", p, text, err)
	}
	return move
}

// playsEverything plays short games under all rules, on all boards, in both roles. Chance alone attacks
// under solo.
func (e *engine) playsEverything(most int) {
	e.t.Helper()
	for _, r := range rules.Rulesets() {
		for _, size := range rules.Sizes() {
			for _, role := range []rules.Side{rules.Attacker, rules.Defender} {
				if !r.Chance() || role == rules.Defender {
					e.play(r, size, role, most)
				}
			}
		}
	}
}

// countsRight compares the output of "RUN perft RULES BOARD SIDE PLIES" with docs/PROTOCOL.md, for rows of at
// most most sequences.
func countsRight(t *testing.T, folder, run string, most int) {
	t.Helper()
	rows := 0
	for line := range strings.Lines(testkit.Section(testkit.ReadDocument(t, "../../docs/PROTOCOL.md"), "### Test your rules")) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		rows++
		of := strings.Fields(strings.NewReplacer("`", " ").Replace(cells[1] + cells[2]))
		counts := strings.Fields(cells[3])
		if end := slices.IndexFunc(counts, func(n string) bool { return number(t, n) > most }); end >= 0 {
			counts = counts[:end]
		}
		out, err := command(t, folder, run, append(append([]string{"perft"}, of...), strconv.Itoa(len(counts)))...).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Fields(string(out)); !slices.Equal(got, counts) {
			t.Errorf("%v: it counts %v, want %v", of, got, counts)
		}
	}
	if rows < 10 {
		t.Errorf("docs/PROTOCOL.md has only %d rows", rows)
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
