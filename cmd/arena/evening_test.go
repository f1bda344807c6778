package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
)

// club is a club evening: a database, an address, and the configuration of each friend's machine.
type club struct {
	*host
	folder string
}

// newClub returns an evening that is not opened yet.
func newClub(t *testing.T) *club {
	t.Helper()
	c := &club{newHost(t), t.TempDir()}
	c.db = filepath.Join(c.folder, "evening.db")
	return c
}

// command returns the arguments of arena host.
func (c *club) command(flags ...string) []string {
	return append([]string{"host", "--yes", "--no-browser", "--db", c.db, "--addr", c.Address}, flags...)
}

// open opens the evening and returns its code.
func (c *club) open(t *testing.T, flags ...string) (*testkit.Program, string) {
	t.Helper()
	p := startProcess(t, "arena", c.command(flags...)...)
	return p, codeOf(t, p)
}

// codeOf returns the code that an evening prints.
func codeOf(t *testing.T, p *testkit.Program) string {
	t.Helper()
	p.AwaitOutput(t, "projector: ")
	found := regexp.MustCompile(`(?m)^code: ([A-Z2-7]{12})\r?$`).FindStringSubmatch(p.Output.String())
	if found == nil {
		t.Fatalf("there is no code in %s", p.Output.String())
	}
	return found[1]
}

// join lets a friend's bot join, on a machine of its own.
func (c *club) join(t *testing.T, name, spec, code string) *testkit.Program {
	t.Helper()
	p := newProcess(t, "bot", "run", spec, "--name", name, "--url", "ws://"+c.Address+"/bot", "--invitation", code)
	p.Env = append(p.Env, "XDG_CONFIG_HOME="+t.TempDir())
	p.Begin(t)
	return p
}

// Friends join with the code, others are refused in clear words, and the event begins by itself once all are here.
func TestEveningStartsWhenAllAreHere(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	arena, code := c.open(t, "--bots", "3", "--hours", "1", "--size", "2x2", "--format", "round-robin", "--name", "Friday", "--start-when-all")
	c.join(t, "ann", "greedy", code).AwaitOutput(t, "the name is yours now")
	wrong := c.join(t, "eve", "greedy", "ABCDEFGHIJKL")
	wrong.AwaitOutput(t, "the invitation ABCDEFGHIJKL is not valid: there is none with this code")
	taken := c.join(t, "ann", "random", code)
	taken.AwaitOutput(t, "the name is taken, or has played here: take another one")
	c.join(t, "bob", "random", code)
	c.join(t, "cid", "evminimax", code)
	arena.AwaitOutput(t, "The evening is over. Its pages stay open at http://"+c.Address)
	for _, want := range []string{"Friday", "round-robin; a pairing has ", "at most ", "check passed", "ann", "bob", "cid"} {
		if !arena.Printed(want) {
			t.Errorf("the evening does not print %q", want)
		}
	}
	if hint := arena.Printed("report 1 --db "); hint != (app().Command("report") != nil) {
		t.Errorf("the evening prints the command report: %v", hint)
	}
	if events, err := c.client.Events(t.Context()); err != nil || len(events) != 1 || events[0].Name != "Friday" || events[0].State != server.Finished {
		t.Errorf("events %+v, %v", events, err)
	}
	arena.Interrupt(t)
	if err := arena.Wait(); err != nil {
		t.Errorf("after Ctrl-C: %v", err)
	}
}

// An evening that is killed, in its lobby or in the middle of its event, goes on by the same command, with its code.
func TestKilledEveningGoesOn(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	flags := []string{"--bots", "3", "--hours", "1", "--size", "3x3", "--format", "round-robin", "--matches", "6", "--start-when-all"}
	arena, code := c.open(t, flags...)
	arena.Kill()
	arena, again := c.open(t, flags...)
	if again != code || !arena.Printed("has an evening that is not over, Club evening") {
		t.Fatalf("after a kill in the lobby the code is %s, want %s", again, code)
	}
	for name, spec := range map[string]string{"ann": "greedy", "bob": "random", "cid": "mcts:playouts=60"} {
		c.join(t, name, spec, code)
	}
	arena.KillWhen(t, func() bool {
		p, err := c.client.Status(t.Context(), 1)
		return err == nil && p.Done >= 4
	}, 0)
	arena, again = c.open(t, flags...)
	if again != code {
		t.Errorf("after a kill in the event the code is %s, want %s", again, code)
	}
	arena.AwaitOutput(t, "The evening is over.")
	c.verify(t, 1, 36)
	arena.Interrupt(t)
	_ = arena.Wait() // it was interrupted after its end
	kept, err := os.ReadFile(c.folder + "/evening-plan.toml")
	if err == nil {
		err = os.WriteFile(c.folder+"/again.toml", regexp.MustCompile(`(?m)^seed = .*\n`).Find(kept), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := run(t, "arena", c.command("--config", c.folder+"/again.toml")...); code == 0 || !strings.Contains(stderr, "leave the seed out") {
		t.Errorf("an evening with the seed of a finished one: %d %s", code, stderr)
	}
	arena, again = c.open(t, flags...)
	if again == code || arena.Printed("is not over") {
		t.Error("the evening after a finished one has its code")
	}
}

// Ctrl-C in the middle of an event says how the evening goes on.
func TestInterruptedEveningSaysHowItGoesOn(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	arena, code := c.open(t, "--bots", "2", "--hours", "3", "--start-when-all")
	for _, name := range []string{"ann", "bob"} {
		c.join(t, name, "champion:time=200", code)
	}
	arena.AwaitOutput(t, "] 0/4 games, ")
	arena.Interrupt(t)
	arena.AwaitOutput(t, "nothing is lost. This continues it: arena host --db "+c.db)
}

// Two evenings on one machine have two ports; two on one database are refused. Not parallel: the second port may be
// another test's.
func TestTwoEveningsOnOneMachine(t *testing.T) {
	c := newClub(t)
	open := func(db string) *testkit.Program {
		p := newProcess(t, "arena", "host", "--yes", "--no-browser", "--db", db)
		p.Env = append(p.Env, addressVariable+"="+c.Address)
		p.Begin(t)
		return p
	}
	first := open(c.db)
	codeOf(t, first)
	second := open(filepath.Join(c.folder, "second.db"))
	if code := codeOf(t, second); !second.Printed("The usual port is taken on this machine") || first.Printed(code) {
		t.Error("the second evening does not say that it has another port")
	}
	third := open(c.db)
	third.AwaitOutput(t, "another arena is using it")
	third.AwaitOutput(t, "for a second evening on this machine, choose another --db")
	if third.Wait() == nil {
		t.Error("a second evening on one database succeeds")
	}
}

// On a terminal the command asks, explains a wrong answer, and Enter starts the event.
func TestEveningAsks(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	p := startOnTerminal(t, nil, "arena", "host", "--no-browser", "--db", c.db, "--addr", c.Address, "--size", "2x2")
	p.press(t, "", "Name of the evening [Club evening]: ")
	p.press(t, "Friday\r", "Format (swiss, round-robin, gauntlet, knockout, double-elimination) [swiss]: ")
	p.press(t, "ladder\r", "an evening has one of swiss")
	p.press(t, "knockout\r", "Bots expected [6]: ")
	p.press(t, "two\r", "want a number")
	p.press(t, "2\r", "Hours available [2]: ")
	p.press(t, "0.5\r", "Open the evening? [yes]: ")
	p.press(t, "\r", "projector: ")
	code := codeOf(t, p.Program)
	p.press(t, "\r", "not started: too few bots are here: 0")
	c.join(t, "ann", "greedy", code)
	p.press(t, "", "check passed")
	c.join(t, "bob", "random", code)
	testkit.Await(t, "two checks", func() bool {
		text := p.Output.String()
		return strings.Count(text[max(0, strings.LastIndex(text, "2 bots are here")):], "check passed") == 2
	})
	p.press(t, "\r", "The evening is over.")
	if !strings.Contains(p.Output.String(), "▀▀▀▀▀▀▀") {
		t.Error("there is no QR code")
	}
	p.press(t, "\x03", "")
	if code := p.exits(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A host who refuses the proposed evening leaves nothing behind.
func TestEveningThatIsNotWanted(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	p := startOnTerminal(t, nil, "arena", "host", "--db", c.db, "--bots", "4", "--hours", "3", "--name", "x", "--format", "swiss")
	p.press(t, "", "Open the evening? [yes]: ")
	p.press(t, "no\r", "")
	if code := p.exits(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if files, err := os.ReadDir(c.folder); err != nil || len(files) > 0 {
		t.Errorf("it leaves %v, %v", files, err)
	}
}

// The file of --config has the event's settings and those of the evening; its mistakes have their line.
func TestEveningFromFile(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	file := filepath.Join(c.folder, "club.toml")
	for text, want := range map[string]string{
		"size = \"2x2\"\n[evening]\nbot = 3\n":                 "club.toml:3: evening.bot: unknown key: did you mean evening.bots?",
		"sizes = \"2x2\"\n[evening]\nbots = 3\n":               "club.toml:1: sizes: unknown key: did you mean size?",
		"[plan]\nkind = \"ladder\"\n[evening]\nbots = 3\n":     "an evening has one of swiss",
		"[evening]\nbots = 3\nhours = 0.01\n":                  "0.01 hours: want 0.1 to 100",
		"size = \"4x4\"\n[evening]\nbots = 9\nhours = 0.1\n":   "have no time for one round, even at 100ms a move on 4x4",
		"[plan]\nrounds = 9\n[evening]\nbots = 4\nhours = 2\n": "9 rounds of 4 bots",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := run(t, "arena", c.command("--config", file)...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d: %s, want %q", text, code, stderr, want)
		}
	}
	if err := os.WriteFile(file, []byte("name = \"Monday\"\nsize = \"2x2\"\nseed = 7\n[evening]\nbots = 3\nhours = 1\nnames = [\"ann\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	arena, _ := c.open(t, "--config", file, "--bots", "4")
	for _, want := range []string{"Monday", "4 expected", "gpcc2015 on 2x2", "late"} {
		arena.AwaitOutput(t, want)
	}
	if _, stderr, code := run(t, "arena", "host", "--yes", "--db", c.folder+"/x.db", "--config", c.folder+"/x-plan.toml"); code != 2 || !strings.Contains(stderr, "give the file another name") {
		t.Errorf("the plan would replace its file: %d %s", code, stderr)
	}
	kept, err := os.ReadFile(strings.TrimSuffix(c.db, ".db") + "-plan.toml")
	if want := fmt.Sprintf("addr = '%s'", c.Address); err != nil || !strings.Contains(string(kept), want) || !strings.Contains(string(kept), "seed = 7\n") {
		t.Errorf("the plan %s, %v: want %s and the seed", kept, err, want)
	}
}
