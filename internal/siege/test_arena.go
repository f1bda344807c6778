package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"versus2048/internal/testkit"
	"versus2048/results"
	"versus2048/rules/record"
)

// testArena is an arena in a process of its own, with the processes of the honest bots that play on it.
type testArena struct {
	ctx                  context.Context
	program, folder      string
	link                 *link  // between the arena and the bots; nil if they are in the same network
	port                 string // of the arena
	server               string // the arena's address for commands
	url                  string // the arena's address for bots
	scraper              string // the arena's address for metrics; "" for none
	arena, honest, event *exec.Cmd
	pause                time.Duration // of honest bots before each move
	failed               bool          // whether close keeps the logs
}

// newTestArena starts an arena in a folder of its own, on one side of the link, with flags besides the usual ones. It
// builds the program if program is "".
func newTestArena(ctx context.Context, program string, l *link, flags ...string) (*testArena, error) {
	folder, err := os.MkdirTemp("", "siege-")
	if err != nil {
		return nil, err
	}
	f := &testArena{ctx: ctx, program: program, folder: folder, link: l}
	if err := f.open(flags...); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// open builds the program if necessary, and starts the arena at a free port.
func (f *testArena) open(flags ...string) error {
	if err := f.build(); err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	f.port, f.server, f.url = port, "http://127.0.0.1:"+port, "ws://"+f.link.arenaHost()+":"+port+"/bot"
	return f.serve(f.program, flags...)
}

// build builds the arena's program, unless its path was given.
func (f *testArena) build() error {
	if f.program != "" {
		return nil
	}
	f.program = f.file("arena")
	if text, err := exec.CommandContext(f.ctx, "go", "build", "-ldflags=-s -w", "-o", f.program, "versus2048/cmd/arena").CombinedOutput(); err != nil {
		return fmt.Errorf("building the arena: %w: %s", err, text)
	}
	return nil
}

// serve starts the arena from a program, which may be of another version, and waits until the arena answers. No arena
// may be running.
func (f *testArena) serve(program string, flags ...string) (err error) {
	command := append([]string{program, "serve", "--db", f.db(), "--addr", net.JoinHostPort(f.link.listenHost(), f.port)}, flags...)
	if f.arena, err = f.start("arena.log", f.link.besideArena(command...)); err != nil {
		return err
	}
	return f.await(func() bool { _, err := f.ask("bots"); return err == nil })
}

func freePort() (string, error) {
	address, err := testkit.FreeAddress()
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(address)
	return port, err
}

func (f *testArena) file(name string) string { return filepath.Join(f.folder, name) }

func (f *testArena) db() string { return f.file("arena.db") }

// start starts a program, which writes into a log and ends with ctx.
func (f *testArena) start(log string, command []string) (*exec.Cmd, error) {
	file, err := os.OpenFile(filepath.Join(f.folder, log), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer file.Close() // the program has a descriptor of its own
	started := exec.CommandContext(f.ctx, command[0], command[1:]...)
	started.Stdout, started.Stderr = file, file
	if err := started.Start(); err != nil {
		return nil, err
	}
	return started, nil
}

// ask runs a command that asks the arena, and returns the answer in JSON.
func (f *testArena) ask(args ...string) ([]byte, error) {
	return f.command(append(args, "--server", f.server, "--json")...)
}

// command runs a command of the arena and returns its output.
func (f *testArena) command(args ...string) ([]byte, error) {
	line := f.link.besideArena(append([]string{f.program}, args...)...)
	text, err := exec.CommandContext(f.ctx, line[0], line[1:]...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, fmt.Errorf("arena %s: %w: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	return text, err
}

// await waits until a condition holds, for three minutes at most.
func (f *testArena) await(holds func() bool) error {
	for end := time.Now().Add(3 * time.Minute); ; wait(f.ctx, 100*time.Millisecond) {
		if holds() || f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		if time.Now().After(end) {
			break
		}
	}
	f.failed = true
	return fmt.Errorf("the wait has lasted three minutes; the logs are in %s", f.folder)
}

// startEvent connects honest bots, starts the event that a TOML text describes, and waits for its first ply.
func (f *testArena) startEvent(honest int, event string) error {
	if err := f.connect(honest); err != nil {
		return err
	}
	if err := f.await(func() bool { return f.countConnected() == honest }); err != nil {
		return fmt.Errorf("%d of %d honest bots are connected: %w", f.countConnected(), honest, err)
	}
	setup := filepath.Join(f.folder, "event.toml")
	if err := os.WriteFile(setup, []byte(event), 0o644); err != nil {
		return err
	}
	var err error
	f.event, err = f.start("event.log", f.link.besideArena(f.program, "event", "run", "--config", setup, "--server", f.server, "--quiet"))
	if err != nil {
		return err
	}
	return f.await(func() bool { s, err := f.status(); return err == nil && s.Plies > 0 })
}

// connect starts the process of the honest bots. Across a link, they need tokens.
func (f *testArena) connect(honest int) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	tokens := filepath.Join(f.folder, "tokens.json")
	if f.link != nil {
		if err := f.makeTokens(tokens, honest); err != nil {
			return err
		}
	}
	f.honest, err = f.start("honest.log", f.link.besideBots(self, "honest", "--url", f.url, "--bots", strconv.Itoa(honest), "--pause", f.pause.String(), "--tokens", tokens))
	return err
}

// makeTokens writes a file with the tokens of all honest bots, unless it exists.
func (f *testArena) makeTokens(file string, honest int) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	tokens := map[string]string{}
	for i := range honest {
		text, err := f.command("token", "new", honestName(i), "--db", f.db())
		if err != nil {
			return err
		}
		tokens[honestName(i)] = strings.TrimSpace(string(text))
	}
	text, err := json.Marshal(tokens)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// countConnected returns the number of connected bots, -1 if the arena does not answer.
func (f *testArena) countConnected() int {
	var bots []struct{}
	text, err := f.ask("bots")
	if err != nil || json.Unmarshal(text, &bots) != nil {
		return -1
	}
	return len(bots)
}

// status is the progress of the event.
type status struct {
	Plies   int64
	Done    int
	Elapsed int64               `json:"elapsed_ms"` // by the arena's clock
	Faults  struct{ Games int } // the games that a bot lost by a fault
}

// status asks the arena for the status of the event. If the arena does not answer, status asks again for a quarter of
// a minute: under attack the arena may refuse any connection, and that loses no game.
func (f *testArena) status() (s status, err error) {
	var text []byte
	for range 50 {
		if text, err = f.ask("event", "status"); err == nil || f.ctx.Err() != nil {
			break
		}
		wait(f.ctx, 300*time.Millisecond)
	}
	if err != nil {
		return s, err
	}
	err = json.Unmarshal(text, &s)
	return s, err
}

// speed measures the event's plies a second for the time d, by the arena's clock, since answers may be late.
func (f *testArena) speed(d time.Duration) (float64, error) {
	before, err := f.status()
	if err != nil {
		return 0, err
	}
	wait(f.ctx, d)
	after, err := f.status()
	return 1e3 * ratio(float64(after.Plies-before.Plies), float64(after.Elapsed-before.Elapsed)), errors.Join(err, f.ctx.Err())
}

// stop interrupts the arena and waits until it has ended. The games are recorded then.
func (f *testArena) stop() error {
	if err := f.arena.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	if err := f.arena.Wait(); err != nil {
		return fmt.Errorf("the arena: %w", err)
	}
	f.arena = nil
	return nil
}

// gamesAndFaults returns the number of finished games, and a list of the games that a bot lost by a fault.
func (f *testArena) gamesAndFaults() (games int, faults []string, err error) {
	store, err := results.OpenReader(f.ctx, f.db())
	if err != nil {
		return 0, nil, err
	}
	defer store.Close()
	faults = []string{}
	err = store.Games(f.ctx, results.Filter{}, func(g results.Stored) error {
		switch ending := g.Record.Ending; {
		case ending == record.Unfinished:
			return nil
		case ending.Fault():
			faults = append(faults, fmt.Sprintf("game %d: %s: %s", g.ID, ending, g.Record.Detail))
		}
		games++
		return nil
	})
	return games, faults, err
}

// logSize returns the size of the arena's log.
func (f *testArena) logSize() int64 {
	info, err := os.Stat(filepath.Join(f.folder, "arena.log"))
	if err != nil {
		return 0
	}
	return info.Size()
}

// memory returns the arena's largest resident set in bytes, or 0 on a system that does not report it.
func (f *testArena) memory() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", f.arena.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	return 0
}

// forgetMemory makes memory return the largest resident set from now on, on systems that can do that.
func (f *testArena) forgetMemory() {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", f.arena.Process.Pid), []byte("5"), 0)
}

// close ends all processes and removes the folder, unless a failure makes its logs useful.
func (f *testArena) close() error {
	for _, p := range []*exec.Cmd{f.event, f.honest, f.arena} {
		if p != nil {
			killProcess(p)
		}
	}
	if f.failed {
		return nil
	}
	return os.RemoveAll(f.folder)
}
