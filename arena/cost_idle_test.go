//go:build unix

package arena_test

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"versus2048/arena"
	"versus2048/players"
	"versus2048/protocol"
)

// memory is what this process uses for its heap and stacks, in bytes.
func memory() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// processorTime is what this process has used of the processors.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// idle is the process of bots that only answer pings. Its arguments are the
// address and the number of bots.
func idle(args []string) error {
	bots, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	var connected sync.WaitGroup
	for i := range bots {
		bot := protocol.Client{
			URL:   args[0],
			Hello: protocol.Hello{Name: fmt.Sprint("idler", i)},
			New:   func(protocol.Start) (players.Player, error) { return firstMove{}, nil },
		}
		connected.Go(func() { _ = bot.Run(context.Background()) })
	}
	connected.Wait()
	return nil
}

// BenchmarkIdle is what connections cost that only answer pings.
func BenchmarkIdle(b *testing.B) {
	const bots, every = 500, 50 * time.Millisecond
	before := memory()
	client := serve(b, newStore(), func(config *arena.Config) { config.Limits.PingEvery = every })
	startTask(b, "idle", "ws"+client.URL[len("http"):]+"/bot", bots)
	look := time.NewTicker(every)
	defer look.Stop()
	for connected := 0; connected < bots; <-look.C {
		list, err := client.Bots(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		connected = len(list)
	}
	held := memory() - before
	used, began := processorTime(b), time.Now()
	for b.Loop() {
		<-look.C
	}
	pings := bots * float64(time.Since(began)) / float64(every)
	b.ReportMetric(float64(processorTime(b)-used)/pings, "arena-cpu-ns/ping")
	b.ReportMetric(float64(held)/bots, "arena-B/conn")
	b.ReportMetric(0, "ns/op")
}
