package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/cmd/internal/viewer"
	"versus2048/internal/server"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "play a short event of three bots, each in a process of its own, and show the results",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "db", Value: "demo.db", Usage: "the database that records its games"},
			&cli.BoolFlag{Name: "serve", Usage: "let its games be watched in a browser, and play more games until it is interrupted"},
			&cli.BoolFlag{Name: "no-browser", Usage: "with --serve: open no browser"},
			hosting.AddressFlag("addr", hosting.DefaultAddress, "127.0.0.1", "with --serve: address to listen on, or a port alone; port 0 takes a free one"),
		},
		Action: cmdline.WithArguments(demo),
	}
}

// demoEvent returns an event of quick bots with very different strengths. A game of the champion could last for tens of
// thousands of plies, so each game ends with a 2048.
func demoEvent() tournament.Event {
	return tournament.Event{
		Name:        "demo",
		Size:        rules.Full,
		Bots:        []string{"greedy", "champion:time=1", "mcts:playouts=200"},
		Seed:        1,
		Matches:     2,
		Concurrency: 2,
		Clock:       tournament.Clock{PerMove: 5 * time.Second},
		Search:      true,
		Settings: tournament.Settings{
			Adjudication: tournament.Adjudication{MaxTile: 2048},
			LiveSearch:   true, // watchers see the searches
		},
	}
}

const demoIntro = `Three bots, each a process of its own, connect to an arena on this machine and
play a round-robin. In a match each attacks once and defends once; the higher
score as defender wins. Here a game ends when a 2048 is made.

`

const demoOutro = `
%[1]s has every game. Try next:

  arena games --db %[1]s --event %[2]d
  arena replay %[3]d --db %[1]s
  arena stats --db %[1]s
  arena verify --db %[1]s
  bot list
  arena serve --db %[1]s         and look at it in a browser
  arena serve                      and in a second terminal: bot run evminimax
`

// demoByGo follows the outro if the program was started by “go run”.
const demoByGo = `
("arena" stands for: go run ./cmd/arena, and "bot" for: go run ./cmd/bot)
`

func demo(c *cli.Context) error {
	for _, flag := range []string{"addr", "no-browser"} {
		if c.IsSet(flag) && !c.Bool("serve") {
			return cmdline.Usagef("--%s is for --serve", flag)
		}
	}
	fmt.Fprint(c.App.Writer, demoIntro)
	if c.Bool("serve") {
		return serveDemo(c)
	}
	event, err := playDemo(c)
	if err != nil {
		return err
	}
	last, err := lastGame(c, event)
	if err != nil {
		return err
	}
	if err := showEnds(c.App.Writer, &last.Record); err != nil {
		return err
	}
	outro := fmt.Sprintf(demoOutro, cmdline.Quote(c.String("db")), event, last.ID)
	if strings.HasPrefix(cmdline.ThisProgram(), "go run ") {
		outro += demoByGo
	}
	_, err = io.WriteString(c.App.Writer, outro)
	return err
}

// demoTerms returns the terms of an arena that starts its own bots on this machine.
func demoTerms() hosting.Terms {
	return hosting.Terms{Grace: 10 * time.Second, Memory: cmdline.MachineMemory()}
}

func playDemo(c *cli.Context) (event int64, err error) {
	a, err := hosting.OpenLocal(c.Context, c.String("db"), demoTerms())
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return follow(c, a, starting(a, demoEvent()), (*follower).printTables)
}

const demoServed = `
The event is over. Its games stay at %[1]s, where you can also
play yourself. More games follow, slowly enough to be watched, until you
press Ctrl-C; "arena serve --db %[2]s" opens it again.
`

// watchedEvent returns an event of one match for each pair, slow enough for people to watch.
func watchedEvent(seed uint64) tournament.Event {
	e := demoEvent()
	e.Name, e.Seed = fmt.Sprintf("demo, part %d", seed), seed
	e.Bots, e.Matches, e.Concurrency = []string{"champion=champion:time=300", "mcts=mcts:time=300", "ov3y=ov3y:time=300"}, 1, 1
	return e
}

// keepPlaying plays one watchedEvent after the other until ctx ends, or an event cannot be played.
func keepPlaying(ctx context.Context, arena *server.Client) error {
	for seed := demoEvent().Seed + 1; ctx.Err() == nil; seed++ {
		event, err := arena.Start(ctx, watchedEvent(seed))
		if err == nil {
			_, err = arena.Follow(ctx, event, func(server.Progress) {})
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// serveDemo plays the event of the demo on an arena with web pages, and then other events until it is interrupted.
func serveDemo(c *cli.Context) (err error) {
	listener, err := net.Listen("tcp", c.String("addr"))
	if err != nil {
		return fmt.Errorf("listening on %s: %w", c.String("addr"), err)
	}
	a, err := hosting.OpenOn(c.Context, listener, c.String("db"), demoTerms())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	url := "http://" + server.Reachable(listener.Addr())
	fmt.Fprintf(c.App.Writer, "Watch it in a browser: %s\n\n", url)
	if !c.Bool("no-browser") {
		openBrowser(url)
	}
	if _, err := follow(c, a, starting(a, demoEvent()), (*follower).printTables); err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, demoServed, url, cmdline.Quote(c.String("db")))
	return keepPlaying(c.Context, a.Client)
}

func lastGame(c *cli.Context, event int64) (results.Stored, error) {
	return recorded(c, func(store *results.Reader) (last results.Stored, err error) {
		err = store.Games(c.Context, results.Filter{Event: event, Finished: true, Last: 1}, func(g results.Stored) error {
			last = g
			return nil
		})
		return last, err
	})
}

// showEnds prints the boards of the first and last plies of a game.
func showEnds(w io.Writer, r *record.Record) error {
	game, err := viewer.New(r)
	if err != nil {
		return err
	}
	const shown = 4
	fmt.Fprintf(w, "\nThe last game, replayed:\n\n")
	for ply := range game.Positions {
		switch left := len(game.Positions) - ply; {
		case ply < shown || left <= shown:
			if _, err := fmt.Fprintln(w, game.Text(ply, false)); err != nil {
				return err
			}
		case ply == shown:
			fmt.Fprintf(w, "... %d plies ...\n\n", len(game.Positions)-2*shown)
		}
	}
	return nil
}

// openBrowser shows an address in the user's browser, if this machine has a desktop. It does not matter whether that
// succeeds: the address is also printed.
func openBrowser(url string) {
	command := browserCommand(runtime.GOOS, os.Getenv, url)
	if command == nil {
		return
	}
	browser := exec.Command(command[0], command[1:]...) // #nosec G204 -- one of three fixed programs
	if browser.Start() == nil {
		go func() { _ = browser.Wait() }() // its exit status says nothing about the page
	}
}

// browserCommand returns the command that opens an address on a system, nil if it has no desktop.
func browserCommand(system string, env func(string) string, url string) []string {
	switch {
	case system == "darwin":
		return []string{"open", url}
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", url}
	case env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "":
		return []string{"xdg-open", url}
	}
	return nil
}
