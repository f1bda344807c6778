package farm

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"versus2048/internal/farm/broker"
)

// BenchmarkBacklog measures how much room a queue of tasks takes in the stream, on the disk and in memory, and
// how long an arena takes to start if it finds such a queue. An arena's own queue is short, since an event
// gives out little more tasks than the workers play; the benchmark shows the cost of a long one.
func BenchmarkBacklog(b *testing.B) {
	folder := b.TempDir()
	server, c := openBacklog(b, folder)
	message, err := json.Marshal(task{nuid.Next(), Match})
	if err != nil {
		b.Fatal(err)
	}
	memory := heap()
	b.ResetTimer()
	for range b.N {
		if _, err := c.js.PublishAsync(c.name.lane(plainLane), message, jetstream.WithMsgID(nuid.Next()+"-0"), jetstream.WithStallWait(time.Minute)); err != nil {
			b.Fatal(err)
		}
	}
	<-c.js.PublishAsyncComplete()
	b.StopTimer()
	if info, err := c.stream.Info(b.Context()); err != nil || info.State.Msgs != uint64(b.N) {
		b.Fatalf("the stream has %+v, %v: want %d tasks", info, err, b.N)
	}
	b.ReportMetric(float64(heap()-memory)/float64(b.N), "heap-B/task")
	c.Close()
	c.nats.Close()
	server.Close()
	b.ReportMetric(float64(size(b, folder))/float64(b.N), "disk-B/task")
	began := time.Now()
	server, c = openBacklog(b, folder)
	b.ReportMetric(time.Since(began).Seconds(), "s/restart")
	c.Close()
	c.nats.Close()
	server.Close()
}

// openBacklog starts a server with streams in a folder, and opens a farm there, which empties its stream.
func openBacklog(b *testing.B, folder string) (*broker.Server, *Coordinator) {
	b.Helper()
	server, err := broker.Start(broker.Config{Listen: "127.0.0.1:0", Folder: folder, Token: testToken, Permits: Name(DefaultName).Permits})
	if err != nil {
		b.Fatal(err)
	}
	conn, err := server.Connect()
	if err != nil {
		b.Fatal(err)
	}
	c, err := Open(b.Context(), conn, Config{Version: "v1", Log: quiet})
	if err != nil {
		b.Fatal(err)
	}
	return server, c
}

// heap returns how many bytes live on the heap.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// size returns how many bytes the files below a folder have.
func size(b *testing.B, folder string) (sum int64) {
	b.Helper()
	err := filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return sum
}
