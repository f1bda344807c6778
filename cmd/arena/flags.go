package main

import (
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
	"versus2048/rules"
)

// defaultServer is the address on which an arena listens.
const defaultServer = "127.0.0.1:2048"

// dbFlag names a database.
func dbFlag() cli.Flag {
	return &cli.StringFlag{Name: "db", Value: "arena.db", Usage: "the database"}
}

// graceFlag says how long an arena waits for a bot that is disconnected.
func graceFlag() cli.Flag {
	return &cli.DurationFlag{Name: "grace", Value: 30 * time.Second, Usage: "how long a bot may be disconnected before it loses its games"}
}

// serverFlag names a running arena, for commands that can also do without one.
func serverFlag() cli.Flag {
	return &cli.StringFlag{Name: "server", Usage: "a running arena, such as http://" + defaultServer + " (default: the command opens one of its own on --db)"}
}

// runningServerFlag names a running arena, for commands that need one.
func runningServerFlag() cli.Flag {
	return &cli.StringFlag{Name: "server", Value: "http://" + defaultServer, Usage: "the running arena"}
}

// operatorFlag is the token with which an operator may use a running arena.
func operatorFlag() cli.Flag {
	return &cli.StringFlag{Name: "token", EnvVars: []string{"VERSUS2048_OPERATOR_TOKEN"}, Usage: "the operator's token, for an arena on another machine"}
}

// remoteArena returns a client of the arena that --server names.
func remoteArena(c *cli.Context) *arena.Client {
	return &arena.Client{URL: c.String("server"), Token: c.String("token")}
}

// quietFlag turns the display of progress off.
func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Usage: "show no progress"}
}

// numberArgument reads the only argument of a command: the number of an event or
// a game.
func numberArgument(c *cli.Context, name string) (int64, error) {
	if err := cmdline.Arguments(c, name); err != nil {
		return 0, err
	}
	return parseNumber(name, c.Args().First())
}

// parseNumber parses the number of an event or a game.
func parseNumber(name, text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return 0, cmdline.Usagef("%s %q: want its number", name, text)
	}
	return id, nil
}

// startFlags say from which position an analysis starts.
func startFlags() []cli.Flag {
	return []cli.Flag{
		rulesFlag(),
		&cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "start from the empty board of this size, 2x2 to 4x4"},
		&cli.StringFlag{Name: "from", Usage: "start from this position instead, such as \"2,0/0,2 A\": tiles by rows, then A or D for the side to move"},
	}
}

// readStart reads the position of startFlags.
func readStart(c *cli.Context) (rules.Position, error) {
	if c.IsSet("size") && c.IsSet("from") {
		return rules.Position{}, cmdline.Usagef("--size and --from: the position of --from already has a size")
	}
	r, err := rules.ParseRuleset(c.String("rules"))
	if err != nil {
		return rules.Position{}, cmdline.WrongUsage(err)
	}
	if text := c.String("from"); text != "" {
		p, err := rules.ParsePosition(r, text)
		return p, cmdline.WrongUsage(err)
	}
	size, err := rules.ParseSize(c.String("size"))
	if err != nil {
		return rules.Position{}, cmdline.WrongUsage(err)
	}
	return rules.NewPosition(r, size), nil
}
