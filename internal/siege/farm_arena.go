package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
)

// farmArena is an arena with a farm.
type farmArena struct {
	*testArena
	client  *server.Client
	nats    string    // the address of the NATS server for workers
	version string    // the version that workers must have
	workers *exec.Cmd // the process of the simulated workers; nil for none
}

// newFarmArena starts an arena with a farm, with flags besides the usual ones, and asks a worker for the version of
// the program.
func newFarmArena(ctx context.Context, program string, flags ...string) (*farmArena, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	address := net.JoinHostPort("127.0.0.1", port)
	inner, err := newTestArena(ctx, program, nil, append(flags, "--farm", "--farm-listen", address)...)
	if err != nil {
		return nil, err
	}
	f := &farmArena{testArena: inner, client: &server.Client{URL: inner.server}, nats: "nats://" + address}
	if f.version, err = f.askVersion(); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// askVersion starts a worker with the arena's program, and returns the worker's version.
func (f *farmArena) askVersion() (string, error) {
	w, err := f.worker("first")
	if err != nil {
		return "", err
	}
	var version string
	err = f.await(func() bool {
		all, err := f.client.Workers(f.ctx)
		if err != nil || len(all) != 1 {
			return false
		}
		version = all[0].Version
		return true
	})
	killProcess(w)
	if err != nil {
		return "", fmt.Errorf("waiting for the first worker: %w", err)
	}
	return version, f.awaitWorkers(0)
}

// worker starts the process of a worker that plays one match at a time.
func (f *farmArena) worker(name string) (*exec.Cmd, error) {
	return f.start("workers.log", []string{f.program, "worker", "--nats", f.nats, "--games", "1", "--name", name})
}

// killProcess ends a process by force, as by kill -9.
func killProcess(p *exec.Cmd) {
	_ = p.Process.Kill() // an error means that it has exited
	_ = p.Wait()         // an error means that it was killed
}

// awaitWorkers waits until the arena lists n workers.
func (f *farmArena) awaitWorkers(n int) error {
	err := f.await(func() bool { all, err := f.client.Workers(f.ctx); return err == nil && len(all) == n })
	if err != nil {
		return fmt.Errorf("waiting for %d workers: %w", n, err)
	}
	return nil
}

// crowd starts simulated workers in a process of their own.
func (f *farmArena) crowd(workers int, pause time.Duration) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	command := []string{self, "crowd", "--url", f.nats, "--secret", f.db() + ".farm" + gate.OperatorSuffix, "--version", f.version, "--workers", strconv.Itoa(workers), "--pause", pause.String()}
	if f.workers, err = f.start("workers.log", command); err != nil {
		return err
	}
	return f.awaitWorkers(workers)
}

// figures returns the games and plies of an event, the processor time since the start, the resident memory, and the
// present time as Seconds. There are no games or plies if event is 0.
func (f *farmArena) figures(event int64) (c farmCost, err error) {
	if event != 0 {
		now, err := f.client.Status(f.ctx, event)
		if err != nil {
			return c, err
		}
		c.Games, c.Plies = now.Played, now.Plies
	}
	c.Seconds = float64(time.Now().UnixMicro()) / 1e6
	u, err := usageOf(f.arena.Process.Pid)
	if err != nil {
		return c, err
	}
	c.Bytes = u.bytes
	if c.Arena, err = processorTime(f.arena.Process.Pid); err == nil && f.workers != nil {
		c.Crowd, err = processorTime(f.workers.Process.Pid)
	}
	return c, err
}

// close ends the simulated workers, and closes the arena.
func (f *farmArena) close() error {
	if f.workers != nil {
		killProcess(f.workers)
	}
	return f.testArena.close()
}

// bytesBelow returns the size of a file, or of all files of a folder, which may come and go.
func bytesBelow(path string) (sum int64, err error) {
	err = filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}
