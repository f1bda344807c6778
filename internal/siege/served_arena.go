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

// servedArena is an arena with the honest bots that play on it.
type servedArena struct {
	ctx                  context.Context
	program, folder      string
	link                 *link  // between the arena and the bots; nil if they are on the same machine
	port, server, url    string // the last two for commands, and for bots
	scraper              string // the address for metrics of the arena that is left in the end
	arena, honest, event *exec.Cmd
	pause                time.Duration // of honest bots before each move
	failed               bool          // keeps the logs
}

// newServedArena starts an arena in a folder of its own, on one side of the link, with flags beside the usual
// ones.
func newServedArena(ctx context.Context, program string, l *link, flags ...string) (*servedArena, error) {
	folder, err := os.MkdirTemp("", "siege-")
	if err != nil {
		return nil, err
	}
	f := &servedArena{ctx: ctx, program: program, folder: folder, link: l}
	if err := f.open(flags...); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// open starts the arena at a free port.
func (f *servedArena) open(flags ...string) error {
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

// build builds the arena's program, unless there is one.
func (f *servedArena) build() error {
	if f.program != "" {
		return nil
	}
	f.program = f.file("arena")
	if text, err := exec.CommandContext(f.ctx, "go", "build", "-o", f.program, "versus2048/cmd/arena").CombinedOutput(); err != nil {
		return fmt.Errorf("building the arena: %w: %s", err, text)
	}
	return nil
}

// serve starts the arena, which is not running, from a program that may be of another version.
func (f *servedArena) serve(program string, flags ...string) (err error) {
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

func (f *servedArena) file(name string) string { return filepath.Join(f.folder, name) }

func (f *servedArena) db() string { return f.file("arena.db") }

// start starts a program that writes into a log. It ends with ctx.
func (f *servedArena) start(log string, command []string) (*exec.Cmd, error) {
	file, err := os.OpenFile(filepath.Join(f.folder, log), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer file.Close() // the program has its own
	started := exec.CommandContext(f.ctx, command[0], command[1:]...)
	started.Stdout, started.Stderr = file, file
	if err := started.Start(); err != nil {
		return nil, err
	}
	return started, nil
}

// ask runs a command of the arena and returns its output as JSON.
func (f *servedArena) ask(args ...string) ([]byte, error) {
	return f.command(append(args, "--server", f.server, "--json")...)
}

// command runs a command of the arena and returns its output.
func (f *servedArena) command(args ...string) ([]byte, error) {
	line := f.link.besideArena(append([]string{f.program}, args...)...)
	text, err := exec.CommandContext(f.ctx, line[0], line[1:]...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, fmt.Errorf("arena %s: %w: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	return text, err
}

// await waits until a condition holds, for three minutes at most.
func (f *servedArena) await(holds func() bool) error {
	for end := time.Now().Add(3 * time.Minute); ; wait(f.ctx, 100*time.Millisecond) {
		if holds() || f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		if time.Now().After(end) {
			break
		}
	}
	f.failed = true
	return fmt.Errorf("waited three minutes in vain; the logs are in %s", f.folder)
}

// fill connects honest bots and starts the event that a TOML text describes.
func (f *servedArena) fill(honest int, event string) error {
	if err := f.connect(honest); err != nil {
		return err
	}
	if err := f.await(func() bool { return f.connected() == honest }); err != nil {
		return fmt.Errorf("%d of %d honest bots are connected: %w", f.connected(), honest, err)
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
func (f *servedArena) connect(honest int) (err error) {
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
func (f *servedArena) makeTokens(file string, honest int) error {
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

// connected returns how many bots are connected, -1 if the arena does not answer.
func (f *servedArena) connected() int {
	var bots []struct{}
	text, err := f.ask("bots")
	if err != nil || json.Unmarshal(text, &bots) != nil {
		return -1
	}
	return len(bots)
}

// status is how far the event has come.
type status struct {
	Plies   int64
	Done    int
	Elapsed int64               `json:"elapsed_ms"` // the arena's time of this status
	Faults  struct{ Games int } // that a bot lost by a fault
}

// status asks the arena. If it does not answer, status asks again for a quarter of a minute: among its
// attackers the arena may refuse any connection, and that loses no game.
func (f *servedArena) status() (s status, err error) {
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
	return s, json.Unmarshal(text, &s)
}

// speed returns the plies a second of the event for a while, by the arena's clock: its answers may be late.
func (f *servedArena) speed(d time.Duration) (float64, error) {
	before, err := f.status()
	if err != nil {
		return 0, err
	}
	wait(f.ctx, d)
	after, err := f.status()
	return 1e3 * ratio(float64(after.Plies-before.Plies), float64(after.Elapsed-before.Elapsed)), errors.Join(err, f.ctx.Err())
}

// stop interrupts the event and waits until its games are recorded.
func (f *servedArena) stop() error {
	if err := f.arena.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	if err := f.arena.Wait(); err != nil {
		return fmt.Errorf("the arena: %w", err)
	}
	f.arena = nil
	return nil
}

// lost returns the number of finished games, and a list of the games that a bot lost by a fault.
func (f *servedArena) lost() (games int, faults []string, err error) {
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

// logged returns how much the arena wrote into its log.
func (f *servedArena) logged() int64 {
	info, err := os.Stat(filepath.Join(f.folder, "arena.log"))
	if err != nil {
		return 0
	}
	return info.Size()
}

// memory returns the arena's largest resident set in bytes, or 0 on a system that does not report it.
func (f *servedArena) memory() int64 {
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

// forgetMemory makes memory count from now on, on systems that can do that.
func (f *servedArena) forgetMemory() {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", f.arena.Process.Pid), []byte("5"), 0)
}

// close ends all processes and removes the folder, unless a failure makes its logs useful.
func (f *servedArena) close() error {
	for _, p := range []*exec.Cmd{f.event, f.honest, f.arena} {
		if p != nil {
			_ = p.Process.Kill() // it may have exited
			_ = p.Wait()         // likewise
		}
	}
	if f.failed {
		return nil
	}
	return os.RemoveAll(f.folder)
}
