//go:build unix

package server_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"versus2048/internal/schema"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/protocol/stdio"
)

// taskVariable names the environment variable with the task of a child process and the task's arguments.
const taskVariable = "VERSUS2048_TEST_TASK"

// TestMain runs the tests or, in a child process of a test or a benchmark, its task.
func TestMain(m *testing.M) {
	task := strings.Fields(os.Getenv(taskVariable))
	if len(task) == 0 {
		schema.CheckBodies()
		os.Exit(m.Run())
	}
	if err := map[string]func(args []string) error{
		"play":    play,
		"program": answerAtOnce,
		"echo":    echo,
		"idle":    idle,
		"pester":  pester,
	}[task[0]](task[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// task returns the command for a child process.
func task(name string, args ...any) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), taskVariable+"="+strings.TrimSpace(name+" "+fmt.Sprintln(args...)))
	c.Stderr = os.Stderr
	return c
}

// startTask starts a child process. It is killed when the test or the benchmark ends, if it has not exited by then.
func startTask(tb testing.TB, name string, args ...any) {
	tb.Helper()
	c := task(name, args...)
	if err := c.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = c.Process.Kill() // it may have exited
		_ = c.Wait()         // reports the kill
	})
}

// play is the task of a trivial bot. Its arguments are its name, token, address and slots.
func play(args []string) error {
	slots, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	bot := protocol.Client{
		URL:   args[2],
		Hello: protocol.Hello{Name: args[0], Token: args[1], Slots: slots},
		New:   func(protocol.Start) (players.Player, error) { return legalMove{}, nil },
	}
	return bot.Run(context.Background())
}

// answerAtOnce is the task of a trivial program.
func answerAtOnce([]string) error {
	bot := stdio.Bot{New: func(map[string]string, stdio.New) (players.Player, error) { return legalMove{}, nil }}
	return bot.Run(context.Background(), os.Stdin, os.Stdout)
}

// idle is the task of bots that only answer pings. Its arguments are the address and the number of bots.
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
			New:   func(protocol.Start) (players.Player, error) { return legalMove{}, nil },
		}
		connected.Go(func() { _ = bot.Run(context.Background()) })
	}
	connected.Wait()
	return nil
}
