package hosting

import (
	"context"
	"errors"
	"fmt"
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
	"versus2048/internal/farm"
	"versus2048/internal/server/roster"
	"versus2048/tournament"
)

// WorkerCommand returns the command that works for an arena with a farm. A worker with chores does batches, too.
func WorkerCommand(chores map[farm.Kind]farm.Chore) *cli.Command {
	usage := "play games for an arena that runs a farm (arena serve --farm), until it is interrupted"
	if len(chores) > 0 {
		usage = "play games, and do the work of other commands, for an arena that runs a farm (arena serve --farm), until it is interrupted"
	}
	return &cli.Command{
		Name:  "worker",
		Usage: usage,
		Description: "Ctrl-C gives the games in progress to other workers, which continue them. The worker must be of\n" +
			"the arena's version. The exit code is 3 if the arena has set the worker aside, since it played\n" +
			"wrong games.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "nats", EnvVars: []string{natsVariable}, Value: "nats://" + defaultFarmAddress, Usage: "the `URL` of the farm's NATS server"},
			&cli.IntFlag{Name: "games", Value: runtime.GOMAXPROCS(0), DefaultText: "one for each core", Action: cmdline.AtLeast("games", 1), Usage: "matches played at once"},
			&cli.BoolFlag{Name: "allow-exec", Usage: "also run the programs that the arena's host names, as commands of this user"},
			cmdline.StartTimeoutFlag(),
			&cli.StringFlag{Name: "farm-token", Usage: "the `FILE` of the token of the farm"},
			&cli.StringFlag{Name: "ca", Usage: "a `FILE` of certificates (PEM) to trust for the NATS server, in place of the system's"},
			&cli.StringFlag{Name: "name", Usage: "the name of the worker; by default its machine's name and six random letters or digits"},
			&cli.StringFlag{Name: "cache", Usage: "the `FOLDER` for the files of bots, which workers may share", DefaultText: "versus2048/farm in the user's folder of caches"},
			&cli.StringFlag{Name: "cache-size", Value: cmdline.FormatBytes(farm.DefaultCacheSize), Usage: "the most that the folder of --cache may hold, a `SIZE` such as 20GiB; files in use are kept even beyond it"},
			farmNameFlag(),
			cmdline.QuietFlag(),
		},
		Action: cmdline.WithArguments(func(c *cli.Context) error { return work(c, chores) }),
	}
}

func work(c *cli.Context, chores map[farm.Kind]farm.Chore) error {
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
	conn, err := connectWorker(c, card.Worker, cache, log)
	if err != nil {
		return err
	}
	defer conn.Close()
	w := farm.Worker{Name: name, Card: card, NATS: conn, Chores: chores, Log: log}
	w.Cache.Folder, w.Cache.Most = cache, size
	w.Program = func(ctx context.Context, name string, command []string, e tournament.Event) (farm.Program, error) {
		return roster.StartProgram(ctx, name, e, roster.ProgramConfig{Command: command, StartTimeout: c.Duration(cmdline.StartTimeout), Log: log})
	}
	err = w.Run(c.Context)
	if refused := (*farm.RefusedError)(nil); errors.As(err, &refused) && refused.Aside {
		return cmdline.Refusal(err) // a restarted worker may have another name
	}
	return err
}

// workerCache returns the folder for the files of bots, and the number of bytes that it may hold. Without --cache the
// folder is "" if the user has no folder for caches.
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

// workerCard returns the worker's description of itself.
func workerCard(c *cli.Context) farm.Card {
	machine, err := os.Hostname()
	if err != nil {
		machine = "unknown"
	}
	card := farm.Card{
		Worker: c.String("name"), Host: machine, Version: farmVersion(), Print: farm.Fingerprint(),
		Cores: runtime.GOMAXPROCS(0), Games: c.Int("games"), Exec: c.Bool("allow-exec"),
	}
	if card.Worker == "" {
		id := nuid.Next()
		card.Worker = fmt.Sprintf("%s-%s", workerName(machine), id[len(id)-6:])
	}
	return card
}

// mostMachine is the length in bytes of the longest name of a machine in the name of a worker. A hyphen and six more
// characters follow, and the name of a worker has at most 200.
const mostMachine = 193

// workerName returns the name of a machine with hyphens for the characters that are not allowed in names of workers. It
// cuts off the end of a long name.
func workerName(machine string) string {
	name := strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, machine)
	name = strings.Trim(name[:min(len(name), mostMachine)], ".")
	if farm.ValidateWorker(name) != nil {
		return "worker" // the name has two dots side by side, or is empty
	}
	return name
}
