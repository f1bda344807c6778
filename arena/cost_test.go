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
	setup := arena.Setup{
		Bots:        []string{"ann=random", "bob=random"},
		Size:        rules.Full,
		Matches:     games + plies/50, // games of fewer plies are rare
		Concurrency: games,
		PerMove:     arena.Millis(10 * time.Second),
	}
	event, err := client.Start(tb.Context(), setup)
	if err != nil {
		tb.Fatal(err)
	}
	last := make(chan string, 1)
	go func() {
		p, err := client.Follow(context.Background(), event, func(arena.Progress) {})
		last <- fmt.Sprintf("%+v %v", p, err)
		close(store.watch.over)
	}()
	tb.Cleanup(func() {
		select {
		case s := <-last:
			tb.Fatal("over too early:", s)
		default:
		}
		store.watch.stop()
		if err := client.Stop(context.Background(), event); err != nil {
			tb.Error(err)
		}
	})
	return store.watch
}

// plyCost is what b.N plies cost.
type plyCost struct {
	plies, echoes, together []time.Duration
	playing, echoing        time.Duration
}

// roundPlies is how many plies are played between echoes.
const roundPlies = 4000

// compare plays so many plies, and after some of them makes as many echoes.
func compare(tb testing.TB, games, plies int) plyCost {
	tb.Helper()
	watch, pair := beginEvent(tb, games, plies), newEchoPair(tb, games)
	var c plyCost
	for left := plies; left > 0; left -= roundPlies {
		n := min(left, roundPlies)
		began := time.Now()
		c.plies = append(c.plies, watch.round(n)...)
		c.playing += time.Since(began)
		began = time.Now()
		c.echoes = append(c.echoes, pair.apart(n)...)
		c.echoing += time.Since(began)
		c.together = append(c.together, pair.together(games, n)...)
	}
	return c
}

func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2])
}

// BenchmarkPly compares what a ply costs, apart from thinking, with the round
// trip of a bare echo. A ply is all from one to the next going on record: the
// request, the answer, its judgement and the journal.
func BenchmarkPly(b *testing.B) {
	for _, games := range []int{1, 16, 128} {
		b.Run(fmt.Sprintf("games=%d", games), func(b *testing.B) {
			c := compare(b, games, b.N)
			ply, echo := median(c.plies), median(c.echoes)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ply, "ns/ply")
			b.ReportMetric(echo, "ns/echo")
			b.ReportMetric(ply/echo, "ratio")
			b.ReportMetric(ply/median(c.together), "ratio-one-conn")
			b.ReportMetric(float64(len(c.plies))/c.playing.Seconds(), "plies/s")
			b.ReportMetric(float64(len(c.echoes))/c.echoing.Seconds(), "echoes/s")
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
