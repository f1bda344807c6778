//go:build unix

package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/tournament"
)

const (
	watchTime = 5 * time.Second // without watchers, and as long with them, by turns
	leastRate = 2               // boards a second for each watcher
)

// again starts this program for a task. It is killed at the end of the benchmark.
func again(b *testing.B, task, arena string) (in io.WriteCloser, out *bufio.Reader) {
	b.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), taskKey+"="+task, arenaKey+"="+arena)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	read, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	return in, bufio.NewReader(read)
}

// spent returns the processor time of this process.
func spent() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // cannot fail for this process
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// memory returns the bytes in this process's heap and stacks.
func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// watching is the cost of watchers, and the boards that they get.
type watching struct {
	perSecond     time.Duration // processor time of this process a second
	least, boards float64       // boards a second of the watcher with the fewest, and of all watchers
	bytes         float64       // memory of this process for each watcher
}

// watched runs watchers of a stream for a while.
func watched(b *testing.B, stream string) watching {
	before := memory()
	in, out := again(b, "watchers", stream)
	if line, err := out.ReadString('\n'); line != "ready\n" {
		b.Fatalf("%q %v", line, err)
	}
	held := memory()
	cpu, begin := spent(), time.Now()
	<-time.After(watchTime)
	in.Close()
	took, used := time.Since(begin), spent()-cpu
	var least, all float64
	if _, err := fmt.Fscan(out, &least, &all); err != nil {
		b.Fatal(err)
	}
	return watching{time.Duration(float64(used) / took.Seconds()), least / took.Seconds(), all / took.Seconds(), float64(held-before) / watchers}
}

// BenchmarkWatchers measures the cost of 300 watchers of one game for the arena: processor time a ply without and with
// them, and of the streams alone, which are the same writes without an arena.
func BenchmarkWatchers(b *testing.B) {
	for b.Loop() {
		h := open(b)
		again(b, "bots", h.URL())
		for len(h.server.Bots()) < 2 {
			<-time.After(10 * time.Millisecond)
		}
		h.start(func(e *tournament.Event) {
			e.Bots, e.Size, e.Matches, e.InProcess, e.Concurrency = []string{"ann", "bob"}, rules.Full, 1000, false, 1
		})
		for len(h.server.Playing()) == 0 {
			<-time.After(10 * time.Millisecond)
		}
		rounds := make(map[string][]float64)
		note := func(unit string, value float64) { rounds[unit] = append(rounds[unit], value) }
		for range repeats {
			played, cpu, begin := h.plies(), spent(), time.Now()
			<-time.After(watchTime)
			note("µs/ply-without", float64((spent()-cpu).Microseconds())/float64(h.plies()-played))
			pace := float64(h.plies()-played) / time.Since(begin).Seconds()
			played, begin = h.plies(), time.Now()
			w := watched(b, h.URL()+"/api/tv")
			rate := float64(h.plies()-played) / time.Since(begin).Seconds()
			note("speed-kept", rate/pace)
			note("µs/ply-with", float64(w.perSecond.Microseconds())/rate)
			note("least-boards/s", w.least)
			note("boards/s/watcher", w.boards/watchers)
			note("KiB/watcher", w.bytes/1024)
		}
		alone := streamsAlone(b, medianOf(rounds["boards/s/watcher"]).median)
		b.ReportMetric(alone/1e3, "µs/s-streams-alone")
		for unit, values := range rounds {
			b.ReportMetric(medianOf(values).median, unit)
		}
		if least := medianOf(rounds["least-boards/s"]).median; least < leastRate {
			b.Errorf("a watcher got %.1f boards a second, want %d", least, leastRate)
		}
		fmt.Printf("\nspeed kept: %s\n", medianOf(rounds["speed-kept"]).text(3))
	}
}

// plies returns how many plies the arena has seen.
func (h *host) plies() (n int64) {
	for _, p := range h.server.Events() {
		n += int64(p.Plies)
	}
	return n
}

// streamsAlone returns the processor time a second, in nanoseconds, of a server that does nothing but send a frame
// to each watcher at that rate.
func streamsAlone(b *testing.B, rate float64) float64 {
	frame := []byte("event: frame\nid: 1-1\ndata: " + strings.Repeat("x", 400) + "\n\n")
	var mu sync.Mutex
	next := make(chan struct{})
	server := http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for {
			mu.Lock()
			changed := next
			mu.Unlock()
			if _, err := w.Write(frame); err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
			select {
			case <-changed:
			case <-r.Context().Done():
				return
			}
		}
	})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	ctx, end := context.WithCancel(b.Context())
	defer end()
	go func() {
		ticks := time.NewTicker(time.Duration(float64(time.Second) / rate))
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
			case <-ctx.Done():
				return
			}
			mu.Lock()
			close(next)
			next = make(chan struct{})
			mu.Unlock()
		}
	}()
	return float64(watched(b, "http://"+listener.Addr().String()).perSecond)
}
