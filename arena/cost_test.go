//go:build unix

package arena_test

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"versus2048/arena"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/tournament"
)

// play is the process of a trivial bot: its arguments are its name, token,
// address and slots.
func play(args []string) error {
	slots, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	bot := protocol.Client{
		URL:   args[2],
		Hello: protocol.Hello{Name: args[0], Token: args[1], Slots: slots},
		New:   func(protocol.Start) (players.Player, error) { return firstMove{}, nil },
	}
	return bot.Run(context.Background())
}

// firstMove plays the first legal move.
type firstMove struct{}

func (firstMove) Choose(_ context.Context, p rules.Position) (rules.Move, error) {
	return p.AppendMoves(nil)[0], nil
}

// beginEvent lets two such bots play so many games at once, at least so many plies in
// all, until the benchmark ends.
func beginEvent(tb testing.TB, games, plies int) *stopwatch {
	tb.Helper()
	store := newTimedStore(tb)
	client := serve(tb, store, func(config *arena.Config) {
		config.Launch = func(l arena.Launch) *exec.Cmd { return task("play", l.Name, l.Token, l.URL, l.Slots) }
	})
	setup := tournament.Event{
		Bots:        []string{"ann=random", "bob=random"},
		Size:        rules.Full,
		Matches:     games + plies/50, // games of fewer plies are rare
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
		defer store.watch.stop() // an event that fails must not be waited for
		_, _ = client.Follow(context.Background(), event, func(arena.Progress) {})
	}()
	return store.watch
}

// plyCost is what b.N plies cost.
type plyCost struct {
	plies, echoes, together []time.Duration
	playing, echoing        time.Duration
	ratios, ratiosTogether  []float64     // of the medians of each round
	processor               time.Duration // of the arena, while it plays
	memory                  int64         // of the arena with all its games, bytes
}

// compare plays so many plies, and after some of them makes as many echoes.
func compare(tb testing.TB, games, plies int) plyCost {
	tb.Helper()
	pair, before := newEchoPair(tb, games), memory()
	watch := beginEvent(tb, games, plies)
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

// BenchmarkPly compares what a ply costs, apart from thinking, with the round
// trip of a bare echo. A ply is all from one to the next going on record: the
// request, the answer, its judgement and the journal.
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

// The benchmark works.
func TestPlyCost(t *testing.T) {
	c := compare(t, 2, 100)
	if len(c.plies) != 100 || len(c.echoes) != 100 || slices.Min(c.plies) <= 0 || slices.Min(c.echoes) <= 0 || slices.Min(c.together) <= 0 {
		t.Errorf("%d plies and %d echoes, want 100 of each, and none without time", len(c.plies), len(c.echoes))
	}
}
