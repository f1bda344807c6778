//go:build unix

package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/rules"
	"versus2048/tournament"
)

// startEvent starts an event of two trivial bots in child processes. They play this many games at once, and at least
// this many plies, until the benchmark ends. It returns the stopwatch that times their plies.
func startEvent(tb testing.TB, games, plies int) *stopwatch {
	tb.Helper()
	store := newTimedStore(tb)
	client := serve(tb, store, func(config *server.Config) {
		config.Launch = func(l roster.Own) *exec.Cmd { return task("play", l.Name, l.Token, l.URL, l.Slots) }
	})
	store.watch.url = "ws" + client.URL[len("http"):] + "/bot"
	setup := tournament.Event{
		Bots:        []string{"ann=random", "bob=random"},
		Size:        rules.Full,
		Matches:     tournament.MaxMatches, // it is stopped
		Concurrency: games,
		Clock:       tournament.Clock{PerMove: 10 * time.Second},
	}
	event, err := client.Start(tb.Context(), setup)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		store.watch.stop()
		if err := client.Stop(context.Background(), event); err != nil {
			tb.Error(err)
		}
	})
	go func() {
		defer store.watch.stop() // if the event fails, nobody must wait for more plies
		_, _ = client.Follow(context.Background(), event, func(server.Progress) {})
	}()
	return store.watch
}

// plyCost is the cost of a number of plies and echoes.
type plyCost struct {
	plies, echoes, together []time.Duration
	playing, echoing        time.Duration
	ratios, ratiosTogether  []float64     // ratios of the medians of each round
	processor               time.Duration // processor time of the arena while it plays
	memory                  int64         // memory of the arena with all its games, in bytes
}

// compare plays this many plies and makes as many echoes, in alternating rounds.
func compare(tb testing.TB, games, plies int) plyCost {
	tb.Helper()
	pair, before := newEchoPair(tb, games), memory()
	watch := startEvent(tb, games, plies)
	var c plyCost
	for left, round := plies, 200+20*games; left > 0; left -= round {
		n := min(left, round)
		began, used := time.Now(), processorTime(tb)
		played := watch.round(n)
		if len(played) < n {
			tb.Fatal("the event ended too early")
		}
		c.playing += time.Since(began)
		c.processor += processorTime(tb) - used
		if c.memory == 0 {
			c.memory = memory() - before
		}
		began = time.Now()
		apart := pair.apart(n)
		c.echoing += time.Since(began)
		together := pair.together(games, n)
		c.plies, c.echoes, c.together = append(c.plies, played...), append(c.echoes, apart...), append(c.together, together...)
		c.ratios = append(c.ratios, median(played)/median(apart))
		c.ratiosTogether = append(c.ratiosTogether, median(played)/median(together))
	}
	return c
}

func median[T time.Duration | float64](values []T) float64 {
	return float64(slices.Sorted(slices.Values(values))[len(values)/2])
}

// BenchmarkPly compares the cost of a ply, apart from thinking, with the round trip of a bare echo. A ply lasts from
// the recording of one ply to the recording of the next: the request, the answer, its check by the referee, and the
// journal.
func BenchmarkPly(b *testing.B) {
	for _, games := range []int{1, 16, 128} {
		b.Run(fmt.Sprintf("games=%d", games), func(b *testing.B) {
			c := compare(b, games, b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(c.plies), "ns/ply")
			b.ReportMetric(median(c.echoes), "ns/echo")
			b.ReportMetric(median(c.ratios), "ratio")
			b.ReportMetric(median(c.ratiosTogether), "ratio-one-conn")
			b.ReportMetric(float64(len(c.plies))/c.playing.Seconds(), "plies/s")
			b.ReportMetric(float64(len(c.echoes))/c.echoing.Seconds(), "echoes/s")
			b.ReportMetric(float64(c.processor.Nanoseconds())/float64(len(c.plies)), "arena-cpu-ns/ply")
			b.ReportMetric(float64(c.memory)/float64(games), "arena-B/game")
		})
	}
}

// BenchmarkIdle measures the cost of connections that only answer pings.
func BenchmarkIdle(b *testing.B) {
	const bots, every = 500, 50 * time.Millisecond
	before := memory()
	client := serve(b, newStore(), func(config *server.Config) { config.Limits.PingEvery = every })
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

// BenchmarkScrape measures the cost of a scrape of the metrics while many bots are connected.
func BenchmarkScrape(b *testing.B) {
	const bots = 1000
	client := serve(b, newStore(), func(config *server.Config) { config.Connections.Total = 0 })
	startTask(b, "idle", "ws"+client.URL[len("http"):]+"/bot", bots)
	for connected := 0; connected < bots; {
		list, err := client.Bots(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		connected = len(list)
	}
	size, used := 0, processorTime(b)
	for b.Loop() {
		size = len(scraped(b, client))
	}
	b.ReportMetric(float64(processorTime(b)-used)/float64(b.N), "cpu-ns/scrape")
	b.ReportMetric(float64(size), "B/scrape")
}

// scraped returns the metrics of an arena.
func scraped(tb testing.TB, client *server.Client) string {
	tb.Helper()
	request, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, client.URL+"/metrics", nil)
	if err != nil {
		tb.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+client.Token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		tb.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		tb.Fatal(response.Status, err)
	}
	return string(text)
}

// memory returns how much this process uses for its heap and stacks, in bytes.
func memory() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// processorTime returns the processor time that this process has used.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// TestPlyCost checks that the benchmark works.
func TestPlyCost(t *testing.T) {
	c := compare(t, 2, 100)
	if len(c.plies) != 100 || len(c.echoes) != 100 || slices.Min(c.plies) <= 0 || slices.Min(c.echoes) <= 0 || slices.Min(c.together) <= 0 {
		t.Errorf("%d plies and %d echoes, want 100 of each, and none without time", len(c.plies), len(c.echoes))
	}
}
