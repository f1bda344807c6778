package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"versus2048/internal/server"
	"versus2048/results"
	"versus2048/rules/record"
)

// faultyFarm is an arena with a farm. Each of its processes can be killed.
type faultyFarm struct {
	*testArena
	plan    farmFaults
	random  *rand.Rand
	nats    *exec.Cmd // the process of the NATS server; nil if that server is in the arena's process
	address string    // the address of the NATS server for workers
	workers []*faultyWorker
	events  []string // the config files of the events; event n has the index n-1
	failing bool     // whether an event may fail; play then resumes it
	mounted bool     // whether the arena's disk is mounted
}

// faultyWorker is a worker's process, which is started again after it was killed.
type faultyWorker struct {
	farm    *faultyFarm
	name    string
	far     bool // on the other side of the link
	process *exec.Cmd
}

// The numbers of workers on the arena's side of the link, and on the other side.
const (
	nearWorkers = 2
	farWorkers  = 2
)

// newFaultyFarm starts a farm.
func newFaultyFarm(ctx context.Context, plan farmFaults, setup farmSetup) (f *faultyFarm, err error) {
	var l *link
	if setup.linked {
		if l, err = newLink(); err != nil {
			return nil, err
		}
	}
	folder, err := os.MkdirTemp("", "siege-")
	if err != nil && l != nil {
		err = errors.Join(err, l.close())
	}
	if err != nil {
		return nil, err
	}
	f = &faultyFarm{testArena: &testArena{ctx: ctx, program: plan.arena, folder: folder, link: l}, plan: plan, random: plan.newRandom()}
	if err := errors.Join(f.build(), f.makeDisk(setup.small), f.begin()); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// begin starts all processes.
func (f *faultyFarm) begin() (err error) {
	var port string
	if f.port, err = freePort(); err == nil {
		port, err = freePort()
	}
	if err != nil {
		return err
	}
	f.server, f.address = "http://127.0.0.1:"+f.port, net.JoinHostPort(f.link.arenaHost(), port)
	if f.link != nil {
		err = f.startNATS()
	}
	if err == nil {
		err = f.serveFarm()
	}
	for i := range nearWorkers + farWorkers {
		w := &faultyWorker{farm: f, name: fmt.Sprintf("w%d", i+1), far: i >= nearWorkers}
		if err == nil {
			err = w.start()
		}
		f.workers = append(f.workers, w)
	}
	return err
}

// makeDisk makes the folder of the arena's database. If small is set, it mounts a small disk there.
func (f *faultyFarm) makeDisk(small bool) error {
	if err := os.Mkdir(f.file("data"), 0o700); err != nil || !small {
		return err
	}
	if text, err := exec.CommandContext(f.ctx, "mount", "-t", "tmpfs", "-o", "size=128m", "siege", f.file("data")).CombinedOutput(); err != nil {
		return fmt.Errorf("a small disk (root can mount one): %w: %s", err, text)
	}
	f.mounted = true
	return nil
}

func (f *faultyFarm) dbPath() string { return f.file("data/arena.db") }

// startNATS starts the NATS server on a folder that keeps its streams, and waits until the server answers.
func (f *faultyFarm) startNATS() error {
	self, err := os.Executable()
	if err == nil {
		f.nats, err = f.start("nats.log", f.link.besideArena(self, "nats", "--listen", f.address, "--folder", f.file("nats")))
	}
	if err != nil {
		return err
	}
	return f.await(func() bool {
		line := f.link.besideArena(self, "nats", "--ask", f.address)
		return exec.CommandContext(f.ctx, line[0], line[1:]...).Run() == nil
	})
}

// serveFarm starts the arena, and waits until it answers.
func (f *faultyFarm) serveFarm() (err error) {
	command := []string{f.program, "serve", "--db", f.dbPath(), "--addr", "127.0.0.1:" + f.port, "--farm-lease", "1s", "--stalled-after", "10m"}
	if f.nats == nil {
		command = append(command, "--farm", "--farm-listen", f.address)
	} else {
		command = append(command, "--nats", "nats://"+f.address)
	}
	if f.arena, err = f.start("arena.log", f.link.besideArena(command...)); err != nil {
		return err
	}
	return f.await(func() bool { _, err := f.ask("workers"); return err == nil })
}

func (w *faultyWorker) start() (err error) {
	command := []string{w.farm.program, "worker", "--nats", "nats://" + w.farm.address, "--games", "2", "--name", w.name, "--cache", w.farm.file("cache")}
	if w.far {
		command = w.farm.link.besideBots(command...)
	} else {
		command = w.farm.link.besideArena(command...)
	}
	w.process, err = w.farm.start(w.name+".log", command)
	return err
}

// stop ends the worker for good.
func (w *faultyWorker) stop() {
	if w.process != nil {
		killProcess(w.process)
		w.process = nil
	}
}

// killOne kills a process and starts it again. It returns the kind of process.
func (f *faultyFarm) killOne() (kind string, err error) {
	switch n := f.random.IntN(10); {
	case n < 2 && f.nats != nil:
		killProcess(f.nats)
		if f.random.IntN(4) == 0 {
			return "the NATS server and its disk", errors.Join(os.RemoveAll(f.file("nats")), f.startNATS())
		}
		return "the NATS server", f.startNATS()
	case n < 5:
		killProcess(f.arena)
		return "the arena", f.serveFarm()
	}
	w := f.workers[f.random.IntN(len(f.workers))]
	w.stop()
	return "a worker", w.start()
}

// play plays an event to its end. Meanwhile it calls disturb again and again, at least once. disturb may be nil. It
// returns at once if it has nothing to do.
func (f *faultyFarm) play(disturb func() error) error {
	setup := f.file(fmt.Sprintf("event-%d.toml", len(f.events)+1))
	text := fmt.Sprintf("name = \"faults\"\nmatches = %d\nseed = %d\nsize = \"3x3\"\nbots = [\"ann=mcts:playouts=400\", \"bob=greedy\", \"cid=evminimax:depth=2\"]\n",
		f.plan.matches, f.plan.seed+uint64(len(f.events)))
	if err := os.WriteFile(setup, []byte(text), 0o600); err != nil {
		return err
	}
	f.events = append(f.events, setup)
	follower, err := f.start("follower.log", f.link.besideArena(f.program, "event", "run", "--config", setup, "--server", f.server, "--quiet"))
	if err != nil {
		return err
	}
	defer killProcess(follower)
	if err := f.await(func() bool { return f.plies() > 0 }); err != nil {
		return fmt.Errorf("event %d does not begin: %w", len(f.events), err)
	}
	if disturb == nil {
		disturb = func() error { return nil }
	}
	for began := time.Now(); ; {
		if err := errors.Join(disturb(), f.ctx.Err()); err != nil {
			return err
		}
		now, err := f.progress()
		switch {
		case err == nil && now.State == server.Finished:
			return nil
		case err == nil && now.State == server.Failed && !f.failing, time.Since(began) > 10*time.Minute:
			return errors.Join(fmt.Errorf("event %d does not end: %+v", len(f.events), now), err)
		case err == nil && now.State == server.Failed:
			if _, err := f.command("event", "resume", fmt.Sprint(now.Event), "--server", f.server, "--quiet"); err != nil {
				return err
			}
		}
		wait(f.ctx, 100*time.Millisecond)
	}
}

// progress returns the progress of the last event.
func (f *faultyFarm) progress() (p server.Progress, err error) {
	text, err := f.ask("event", "status", fmt.Sprint(len(f.events)))
	if err != nil {
		return p, err
	}
	err = json.Unmarshal(text, &p)
	return p, err
}

// plies returns the number of played plies of the last event, 0 if it is not known.
func (f *faultyFarm) plies() int64 {
	p, err := f.progress()
	if err != nil {
		return 0
	}
	return p.Plies
}

// hasFailed reports whether the last event has failed.
func (f *faultyFarm) hasFailed() bool {
	p, err := f.progress()
	return err == nil && p.State == server.Failed
}

// fillDisk leaves no room on the disk of the arena's database.
func (f *faultyFarm) fillDisk() error {
	file, err := os.Create(f.file("data/fill"))
	if err != nil {
		return err
	}
	_, err = io.Copy(file, endless{}) // fails when the disk is full
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		return errors.New("the disk does not become full")
	}
	return nil
}

// endless reads zeros.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func (f *faultyFarm) freeDisk() error { return os.Remove(f.file("data/fill")) }

// judge stops the arena and compares all games with the games of the same events in one process.
func (f *faultyFarm) judge(s *faultStage) error {
	if err := f.stop(); err != nil {
		return err
	}
	if _, err := f.command("verify", "--db", f.dbPath()); err != nil {
		s.Wrong = append(s.Wrong, err.Error())
	}
	for i, setup := range f.events {
		alone := f.file(fmt.Sprintf("alone-%d.db", i+1))
		if _, err := f.command("event", "run", "--in-process", "--config", setup, "--db", alone, "--quiet"); err != nil {
			return err
		}
		want, err := gamesOf(f.ctx, alone, 1)
		if err != nil {
			return err
		}
		got, err := gamesOf(f.ctx, f.dbPath(), int64(i+1))
		if err != nil {
			return err
		}
		s.Events++
		s.Games += len(got)
		s.Wrong = append(s.Wrong, differences(i+1, got, want)...)
	}
	return nil
}

// gamesOf returns the games of an event, by match and leg: their moves and endings.
func gamesOf(ctx context.Context, db string, event int64) (map[[2]int]string, error) {
	store, err := results.OpenReader(ctx, db)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	games := map[[2]int]string{}
	err = store.Games(ctx, results.Filter{Event: event}, func(g results.Stored) error {
		key := [2]int{g.Match, g.Leg}
		if _, twice := games[key]; twice {
			return fmt.Errorf("%s: event %d has game %d of match %d twice", filepath.Base(db), event, g.Leg, g.Match)
		}
		if g.Record.Ending == record.Unfinished {
			return fmt.Errorf("%s: event %d: game %d of match %d is not finished", filepath.Base(db), event, g.Leg, g.Match)
		}
		games[key] = fmt.Sprintf("%s attacks %s: %v %s", g.Record.Attacker, g.Record.Defender, g.Record.Moves, g.Record.Ending)
		return nil
	})
	return games, err
}

// differences lists the games that differ.
func differences(event int, got, want map[[2]int]string) (all []string) {
	if len(got) != len(want) {
		all = append(all, fmt.Sprintf("event %d has %d games, want %d", event, len(got), len(want)))
	}
	for key, game := range want {
		if got[key] != game {
			all = append(all, fmt.Sprintf("event %d, match %d, game %d: %s, want %s", event, key[0], key[1], got[key], game))
		}
	}
	slices.Sort(all)
	return all
}

// unmount removes the small disk. After a failure it keeps a copy of the database.
func (f *faultyFarm) unmount() error {
	if f.failed {
		_ = os.CopyFS(f.file("kept"), os.DirFS(f.file("data"))) // some files may be unreadable
	}
	if text, err := exec.Command("umount", f.file("data")).CombinedOutput(); err != nil {
		return fmt.Errorf("the small disk: %w: %s", err, text)
	}
	return nil
}

// close ends all processes, and removes the small disk and the link.
func (f *faultyFarm) close() error {
	for _, w := range f.workers {
		w.stop()
	}
	if f.nats != nil {
		killProcess(f.nats)
	}
	if f.arena != nil {
		killProcess(f.arena)
		f.arena = nil
	}
	var err error
	if f.mounted {
		err = f.unmount()
	}
	err = errors.Join(err, f.testArena.close())
	if f.link != nil {
		err = errors.Join(err, f.link.close())
	}
	return err
}
