package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nats-io/nuid"
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/farm"
	"versus2048/internal/server"
	"versus2048/internal/server/program"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/lab/chore"
	"versus2048/tournament"
)

func workerCommand() *cli.Command {
	return &cli.Command{
		Name:  "worker",
		Usage: "play games for an arena that runs a farm (arena serve --farm), until it is interrupted",
		Description: "Ctrl-C gives the games in progress to other workers, which continue them. The worker must be of\n" +
			"the arena's version. The exit code is 3 if the arena has set the worker aside, since it played\n" +
			"what it should not have.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "nats", EnvVars: []string{hosting.NATSVariable}, Value: "nats://" + hosting.DefaultFarmAddress, Usage: "the `URL` of the farm's NATS server"},
			&cli.IntFlag{Name: "games", Value: runtime.GOMAXPROCS(0), DefaultText: "one for each core", Usage: "matches played at once"},
			&cli.BoolFlag{Name: "allow-exec", Usage: "also run the programs that the arena's host names, as commands of this user"},
			cmdline.StartTimeoutFlag(),
			&cli.StringFlag{Name: "farm-token", Usage: "the `FILE` of the token of the farm"},
			&cli.StringFlag{Name: "ca", Usage: "a `FILE` of certificates (PEM) by which the NATS server is trusted, in place of the system's"},
			&cli.StringFlag{Name: "name", Usage: "what the worker is called; by default its machine's name and some letters"},
			&cli.StringFlag{Name: "cache", Usage: "the `FOLDER` for the files of bots, which workers may share", DefaultText: "versus2048/farm in the user's folder of caches"},
			&cli.StringFlag{Name: "cache-size", Value: cmdline.FormatBytes(farm.DefaultCacheSize), Usage: "how much that folder may hold, `SIZE` such as 20GiB; files in use are kept beyond that"},
			hosting.FarmNameFlag(),
			cmdline.QuietFlag(),
		},
		Action: work,
	}
}

// work works until the command is interrupted.
func work(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	if c.Int("games") < 1 {
		return cmdline.Usagef("--games %d: want 1 or more", c.Int("games"))
	}
	if name := c.String("name"); name != "" {
		if err := farm.ValidateWorker(name); err != nil {
			return cmdline.Usagef("--name: %w", err)
		}
	}
	name, err := farm.ParseName(c.String("farm-name"))
	if err != nil {
		return cmdline.Usagef("--farm-name: %w", err)
	}
	cache, size, err := workerCache(c)
	if err != nil {
		return err
	}
	level := slog.LevelInfo
	if c.Bool("quiet") {
		level = slog.LevelWarn
	}
	log := slog.New(slog.NewTextHandler(c.App.ErrWriter, &slog.HandlerOptions{Level: level}))
	card := workerCard(c)
	conn, err := hosting.ConnectWorker(c, card.Worker, cache, log)
	if err != nil {
		return err
	}
	defer conn.Close()
	w := farm.Worker{Name: name, Card: card, NATS: conn, Chores: chore.All(), Log: log}
	w.Cache.Folder, w.Cache.Most = cache, size
	w.Program = func(ctx context.Context, name string, command []string, e tournament.Event) (farm.Program, error) {
		return program.Start(ctx, name, e, program.Config{Command: command, StartTimeout: c.Duration(cmdline.StartTimeout), Log: log})
	}
	err = w.Run(c.Context)
	if refused := (*farm.RefusedError)(nil); errors.As(err, &refused) && refused.Aside {
		return cmdline.Refusal(err) // started again, it would have another name
	}
	return err
}

// workerCache returns the folder for the files of bots, and how many bytes it may hold. A user without a folder of caches
// has none by default.
func workerCache(c *cli.Context) (folder string, size int64, err error) {
	size, err = cmdline.ParseBytes(c.String("cache-size"))
	if err != nil {
		return "", 0, cmdline.Usagef("--cache-size: %w", err)
	}
	if c.IsSet("cache") {
		return c.String("cache"), size, nil
	}
	if folder, err = os.UserCacheDir(); err != nil {
		return "", size, nil
	}
	return filepath.Join(folder, "versus2048", "farm"), size, nil
}

// workerCard returns what the worker says about itself.
func workerCard(c *cli.Context) farm.Card {
	machine, err := os.Hostname()
	if err != nil {
		machine = "unknown"
	}
	card := farm.Card{
		Worker: c.String("name"), Host: machine, Version: hosting.FarmVersion(), Print: farm.Fingerprint(),
		Cores: runtime.GOMAXPROCS(0), Games: c.Int("games"), Exec: c.Bool("allow-exec"),
	}
	if card.Worker == "" {
		id := nuid.Next()
		card.Worker = fmt.Sprintf("%s-%s", workerName(machine), id[len(id)-6:])
	}
	return card
}

// workerName returns the name of a machine with hyphens for all that no worker's name can have.
func workerName(machine string) string {
	name := strings.Trim(strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, machine), ".")
	if farm.ValidateWorker(name) != nil {
		return "worker" // it has two dots side by side, or nothing, or too much
	}
	return name
}

func workersCommand() *cli.Command {
	return &cli.Command{
		Name:        "workers",
		Usage:       "list the workers that play for a running arena",
		Description: "They are started by arena worker, on any machine. docs/FARM.md says how.",
		Flags:       append([]cli.Flag{runningServerFlag(), operatorFlag()}, cmdline.OutputFlags()...),
		Action:      printWorkers,
	}
}

func printWorkers(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	out, err := cmdline.ReadOutput(c)
	if err != nil {
		return err
	}
	workers, err := remoteArena(c).Workers(c.Context)
	if err != nil {
		return err
	}
	return out.Print(cmdline.Tabular(workers, workerTable(workers), func(w io.Writer) error { return writeWorkers(w, workers, out.Width) }))
}

func workerTable(workers []server.Worker) cmdline.Table {
	t := cmdline.Table{Columns: []string{"name", "host", "version", "cores", "games", "busy", "played", "faults", "speed", "late_ms", "overloaded", "exec", "aside", "trouble"}}
	for _, w := range workers {
		t.Add(w.Name, w.Host, w.Version, w.Cores, w.Games, w.Busy, w.Played, w.Faults, w.Speed, w.Late, w.Overloaded, w.Exec, w.Aside, w.Trouble)
	}
	return t
}

// workerState says in a word what a worker does, or why it is set aside or gets no files.
func workerState(w server.Worker) string {
	switch {
	case w.Aside != "":
		return w.Aside
	case w.Trouble != "":
		return w.Trouble
	case w.Overloaded:
		return "overloaded"
	}
	return "plays"
}

// writeWorkers writes the workers for people.
func writeWorkers(w io.Writer, workers []server.Worker, width int) error {
	if len(workers) == 0 {
		_, err := fmt.Fprintln(w, "no worker plays for this arena (arena serve --farm, arena worker)")
		return err
	}
	t := terminal.Table{Columns: []terminal.Column{
		{Title: "worker"},
		{Title: "host"},
		{Title: "version"},
		{Title: "cores", Right: true},
		{Title: "playing", Right: true},
		{Title: "games", Right: true},
		{Title: "faults", Right: true},
		{Title: "playouts/s", Right: true},
		{Title: "state"},
	}}
	for _, one := range workers {
		t.Add(plain.Line(one.Name), plain.Line(one.Host), plain.Line(one.Version), fmt.Sprint(one.Cores), fmt.Sprintf("%d of %d", one.Busy, one.Games),
			fmt.Sprint(one.Played), fmt.Sprint(one.Faults), fmt.Sprintf("%.0f", one.Speed), plain.Line(workerState(one)))
	}
	_, err := io.WriteString(w, t.Text(width))
	return err
}
