package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

// Environment variables for this program as another process of a benchmark: its task, and the arena's address.
const (
	taskKey  = "VERSUS2048_TASK"
	arenaKey = "VERSUS2048_ARENA"
)

var tasks = map[string]func(arena string) error{"bots": playSlowly, "watchers": watchAll}

const (
	watchers   = 300
	moveTime   = 20 * time.Millisecond // of the bots: 50 plies a second
	perAddress = 100
)

// slowMover plays another player's moves after a while. Games of bots that look ahead are longer than the benchmark.
type slowMover struct{ players.Player }

func (m slowMover) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	select {
	case <-time.After(moveTime):
	case <-ctx.Done():
	}
	return m.Player.Choose(ctx, p)
}

// playSlowly plays two bots until the process is killed.
func playSlowly(arena string) error {
	spec, err := players.Parse("evminimax:depth=1")
	if err != nil {
		return err
	}
	var both sync.WaitGroup
	for _, name := range []string{"ann", "bob"} {
		bot := protocol.Client{
			URL:   "ws" + strings.TrimPrefix(arena, "http") + "/bot",
			Hello: protocol.Hello{Name: name},
			New:   func(protocol.Start) (players.Player, error) { return slowMover{spec.New(players.Game{Seed: 1})}, nil },
		}
		both.Go(func() { _ = bot.Run(context.Background()) })
	}
	both.Wait()
	return nil
}

// watchAll follows a stream many times until its input ends, and then prints the fewest boards that a
// watcher got, and how many all of them got.
func watchAll(stream string) error {
	var counts [watchers]atomic.Int64
	var begun sync.WaitGroup
	for i := range watchers {
		begun.Add(1)
		go watchOne(stream, i, &counts[i], sync.OnceFunc(begun.Done))
	}
	begun.Wait()
	for i := range counts {
		counts[i].Store(0)
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
	least, all := counts[0].Load(), int64(0)
	for i := range counts {
		least, all = min(least, counts[i].Load()), all+counts[i].Load()
	}
	fmt.Println(least, all)
	return nil
}

// watchOne counts the frames of a stream. It dials from one of several loopback addresses, since an arena
// limits the connections from each.
func watchOne(stream string, i int, count *atomic.Int64, first func()) {
	from := &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i/perAddress))}
	transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: from}).DialContext}
	answer, err := (&http.Client{Transport: transport}).Get(stream)
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if lines.Text() == "event: frame" {
			count.Add(1)
			first()
		}
	}
}
