package botcmd

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

// TokenVariable is the environment variable that may hold a bot's token. Unlike a flag, it is not in lists of
// processes.
const TokenVariable = "VERSUS2048_TOKEN" // #nosec G101 -- the name of a variable, not a token

func runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "connect a bot to an arena and play until the arena says goodbye",
		ArgsUsage: "SPEC",
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "slots", Value: runtime.NumCPU(), DefaultText: "the number of cores", Usage: "games to play at once"},
			&cli.BoolFlag{Name: "attached", Hidden: true, Usage: "ignore interrupts: the arena that started this bot stops it, and holds its standard input"},
		}, connectionFlags("the bot and a number, such as mcts-1")...),
		Action: cmdline.WithArguments(run),
	}
}

// connectionFlags are the flags of a bot that connects to an arena. name describes the default of --name.
func connectionFlags(name string) []cli.Flag {
	return slices.Concat(
		[]cli.Flag{&cli.StringFlag{Name: "url", Value: "ws://127.0.0.1:2048/bot", Usage: "the arena's address for bots"}},
		IdentityFlags(name),
		[]cli.Flag{
			&cli.DurationFlag{Name: "reconnect", Value: time.Minute, Action: cmdline.AtLeast[time.Duration]("reconnect", 0), Usage: "how long to keep trying to reach the arena"},
			marginFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "log only errors"},
		},
	)
}

func marginFlag() cli.Flag {
	return &cli.DurationFlag{Name: "margin", Value: 50 * time.Millisecond, Action: cmdline.AtLeast[time.Duration]("margin", 0), Usage: "how long before its deadline a move is sent"}
}

// IdentityFlags are the flags for the name, the author and the secrets of a bot. name describes the default of --name.
func IdentityFlags(name string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "name", Usage: "the name to play under", DefaultText: name},
		&cli.StringFlag{Name: "author", Usage: "the author of the bot"},
		&cli.StringFlag{Name: "token", EnvVars: []string{TokenVariable}, Usage: "the token for the name, if the arena requires one"},
		&cli.StringFlag{Name: "invitation", Usage: "the link or `CODE` of an invitation: registers --name with a token of the bot's own, which this user keeps for the next time; the word open for an arena that registers everybody"},
	}
}

func run(c *cli.Context) error {
	spec, err := players.Parse(c.Args().First())
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	who, client, err := newClient(c)
	if err != nil {
		return err
	}
	ctx, attached := c.Context, c.Bool("attached")
	if attached {
		// A terminal interrupts an arena and its bots at the same time. A bot that said goodbye then would lose games
		// that the arena keeps for a resume.
		signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		ctx = whileHeld(ctx, c.App.Reader)
	}
	client.Hello.Version, client.Hello.Spec, client.Hello.Plays = cmdline.Version(), spec.String(), spec.Variants()
	client.New = func(s protocol.Start) (players.Player, error) {
		return spec.Within(s.Budget).New(s.Setup()), spec.Plays(s.Rules, s.Size)
	}
	warm(spec)
	who.keep = !attached // if attached, the arena has a token for the bot
	if client.Hello.Name == "" {
		err = who.runNumbered(ctx, client, spec.Kind())
	} else {
		err = who.run(ctx, client)
	}
	return ended(ctx, err)
}

// whileHeld returns a context that ends with the input. The arena holds the other end, so the input ends when the arena
// has died.
func whileHeld(ctx context.Context, input io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, input) // until it ends, also by an error
	}()
	return ctx
}

// warm makes a player for each rule set that the bot plays, so that its networks are unpacked before the bot connects:
// the clock of a first move starts with its game.
func warm(spec players.Spec) {
	for _, r := range rules.Rulesets() {
		if spec.Plays(r, rules.Full) == nil {
			spec.New(players.Game{Rules: r, Size: rules.Full})
		}
	}
}

// newClient reads the flags of a bot that connects to an arena. The client has no player yet.
func newClient(c *cli.Context) (who identity, client protocol.Client, err error) {
	if who.code, err = ReadInvitation(c, "url", BotURL); err != nil {
		return who, client, err
	}
	who.keep = true
	if url := c.String("url"); !strings.HasPrefix(url, "ws://") && !strings.HasPrefix(url, "wss://") {
		return who, client, cmdline.Usagef("--url %q: want ws:// or wss://, such as ws://127.0.0.1:2048/bot", url)
	}
	if slots := c.Int("slots"); slots < 1 || slots > protocol.MaxSlots {
		return who, client, cmdline.Usagef("--slots %d: want 1 to %d", slots, protocol.MaxSlots)
	}
	return who, protocol.Client{
		URL: c.String("url"),
		Hello: protocol.Hello{
			Name:   c.String("name"),
			Author: c.String("author"),
			Token:  c.String("token"),
			Slots:  c.Int("slots"),
		},
		Margin:    c.Duration("margin"),
		Reconnect: c.Duration("reconnect"),
		Log:       Logger(c),
	}, nil
}

// Logger returns the log of a command with the flag --quiet.
func Logger(c *cli.Context) *slog.Logger {
	level := slog.LevelInfo
	if c.Bool("quiet") {
		level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(c.App.ErrWriter, &slog.HandlerOptions{Level: level}))
}
