package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"versus2048/internal/testkit"
)

// soak plays at full speed for a long time and watches the arena's use of resources.
type soak struct {
	arena             string // the program; "" to build it
	bots, concurrency int
	time, interval    time.Duration
}

// soakReport is the result of a soak. Each Drift compares the first quarter of the samples with the last.
type soakReport struct {
	Bots        int      `json:"bots"`
	Seconds     float64  `json:"seconds"`
	Plies       int64    `json:"plies"`
	Games       int      `json:"games"`
	Lost        []string `json:"lost"` // games that a bot lost by a fault
	Bytes       Drift    `json:"resident_bytes"`
	Descriptors Drift    `json:"descriptors"`
	Threads     Drift    `json:"threads"`
	// Goroutines is the number of the arena's goroutines after all bots have left.
	Goroutines int `json:"goroutines_left"`
}

// Drift is the mean of a figure at the beginning and at the end.
type Drift struct {
	First float64 `json:"first_quarter"`
	Last  float64 `json:"last_quarter"`
}

// run plays. It returns an error if the arena or the bots fail, or if the system does not report the resources
// of a process.
func (s soak) run(ctx context.Context) (r soakReport, err error) {
	scraper, err := testkit.FreeAddress()
	if err != nil {
		return r, err
	}
	f, err := newTestArena(ctx, s.arena, nil, "--metrics-addr", scraper)
	if err != nil {
		return r, err
	}
	f.scraper = scraper
	defer func() { err = errors.Join(err, f.close()) }()
	if err := f.startEvent(s.bots, eventFile(s.bots, s.concurrency, patientClock)); err != nil {
		return r, err
	}
	samples, err := s.watch(f)
	if err != nil {
		return r, err
	}
	r = soakReport{
		Bots: s.bots, Seconds: s.time.Seconds(),
		Bytes:       drift(samples, func(u usage) float64 { return u.bytes }),
		Descriptors: drift(samples, func(u usage) float64 { return u.descriptors }),
		Threads:     drift(samples, func(u usage) float64 { return u.threads }),
	}
	last, err := f.status()
	if err != nil {
		return r, err
	}
	r.Plies = last.Plies
	if r.Goroutines, err = f.stopAll(); err != nil {
		return r, err
	}
	r.Games, r.Lost, err = f.gamesAndFaults()
	return r, err
}

// watch samples the arena's use of resources until the time is up.
func (s soak) watch(f *testArena) (samples []usage, err error) {
	end := time.Now().Add(s.time)
	for time.Now().Before(end) && f.ctx.Err() == nil {
		wait(f.ctx, s.interval)
		u, err := usageOf(f.arena.Process.Pid)
		if err != nil {
			return nil, err
		}
		samples = append(samples, u)
		fmt.Fprintf(os.Stderr, "%.0f MiB, %.0f descriptors, %.0f threads\n", u.bytes/(1<<20), u.descriptors, u.threads)
	}
	return samples, f.ctx.Err()
}

// usage is the use of resources by a process.
type usage struct{ bytes, descriptors, threads float64 }

// usageOf reads the usage of a process from /proc.
func usageOf(pid int) (u usage, err error) {
	folder := fmt.Sprintf("/proc/%d", pid)
	text, err := os.ReadFile(filepath.Join(folder, "status"))
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(string(text)) {
		if n, _ := fmt.Sscanf(line, "VmRSS: %f kB", &u.bytes); n == 1 {
			u.bytes *= 1 << 10
		}
		_, _ = fmt.Sscanf(line, "Threads: %f", &u.threads) // other lines do not match
	}
	open, err := os.ReadDir(filepath.Join(folder, "fd"))
	u.descriptors = float64(len(open))
	return u, err
}

// processorTime returns the seconds of processor time that a process has used.
func processorTime(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, fields, _ := strings.Cut(string(text), ") ") // the program's name before that may have blanks
	var state string
	var other [10]int64
	var user, system float64
	into := []any{&state}
	for i := range other {
		into = append(into, &other[i])
	}
	if _, err := fmt.Sscan(fields, append(into, &user, &system)...); err != nil {
		return 0, fmt.Errorf("/proc/%d/stat: %w", pid, err)
	}
	return (user + system) / ticksPerSecond, nil
}

// ticksPerSecond is the number of ticks in a second. /proc counts processor time in ticks, of the same length on all
// systems that Go compiles for.
const ticksPerSecond = 100

// drift compares the first quarter of the samples with the last.
func drift(samples []usage, figure func(usage) float64) Drift {
	mean := func(part []usage) (m float64) {
		for _, u := range part {
			m += figure(u) / float64(len(part))
		}
		return m
	}
	quarter := max(1, len(samples)/4)
	return Drift{mean(samples[:quarter]), mean(samples[len(samples)-quarter:])}
}

// stopAll stops the event, the bots and the arena. It returns the number of goroutines that the arena had before its
// end.
func (f *testArena) stopAll() (int, error) {
	if _, err := f.command("event", "stop", "--server", f.server, "1"); err != nil {
		return 0, err
	}
	_ = f.honest.Process.Kill() // it may have exited
	return f.goroutines()
}

// goroutines waits until all bots have left, makes the arena print its goroutines and end, and returns the number of
// these goroutines.
func (f *testArena) goroutines() (int, error) {
	if err := f.await(func() bool { return f.countConnected() == 0 }); err != nil {
		return 0, err
	}
	if err := f.settle(); err != nil {
		return 0, err
	}
	if err := f.arena.Process.Signal(syscall.SIGQUIT); err != nil {
		return 0, err
	}
	_ = f.arena.Wait() // SIGQUIT ends it
	text, err := os.ReadFile(filepath.Join(f.folder, "arena.log"))
	f.arena = nil
	return strings.Count(string(text), "\ngoroutine "), err
}

// steady is the number of unchanged counts of goroutines in a row that show that the arena has closed all connections.
const steady = 10

// settle waits until the arena's number of goroutines stays the same, or for a minute.
func (f *testArena) settle() error {
	before, same := -1, 0
	end := time.Now().Add(time.Minute)
	return f.await(func() bool {
		n, err := f.countGoroutines()
		if same++; err != nil || n != before {
			before, same = n, 0
		}
		return same == steady || time.Now().After(end)
	})
}

// countGoroutines asks the arena, at its address for metrics, for its number of goroutines.
func (f *testArena) countGoroutines() (n int, err error) {
	request, err := http.NewRequestWithContext(f.ctx, http.MethodGet, "http://"+f.scraper+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	request.Close = true // a connection that is kept open has goroutines
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), "\ngo_goroutines ")
	_, err = fmt.Sscan(rest, &n)
	return n, err
}
