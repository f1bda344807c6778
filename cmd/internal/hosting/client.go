package hosting

import (
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
)

// ServerFlag names a running arena, for commands that also work without one.
func ServerFlag() cli.Flag {
	return cmdline.ServerFlag("", "a running arena, such as http://"+DefaultAddress+" (default: the command opens one of its own on --db)")
}

// ClientFlags name a running arena, for commands that need one, and the operator's token.
func ClientFlags() []cli.Flag { return []cli.Flag{ArenaFlag(), OperatorFlag()} }

// ArenaFlag names a running arena, for commands that need one.
func ArenaFlag() cli.Flag {
	return cmdline.ServerFlag("http://"+DefaultAddress, "the running arena")
}

// OperatorFlag is the operator's token for a running arena.
func OperatorFlag() cli.Flag {
	return &cli.StringFlag{Name: "token", EnvVars: []string{"VERSUS2048_OPERATOR_TOKEN"}, Usage: "the operator's token, for an arena on another machine"}
}

// NewClient returns a client of the arena that --server names.
func NewClient(c *cli.Context) *server.Client {
	return &server.Client{URL: c.String("server"), Token: c.String("token")}
}

// ReaderFlags name a running arena, for commands that read records from it or from a database.
func ReaderFlags() []cli.Flag {
	return []cli.Flag{
		cmdline.ServerFlag("", "read from a running arena, such as http://"+DefaultAddress+", in place of --db"),
		OperatorFlag(),
	}
}

// Reads reports whether a command is to read from the running arena of --server, and not from the database of --db.
// It returns a usage error if both are given.
func Reads(c *cli.Context) (bool, error) {
	if c.IsSet("server") && c.String("server") != "" && c.IsSet("db") {
		return false, cmdline.Usagef("--db and --server: give only one of them")
	}
	return c.String("server") != "" && !c.IsSet("db"), nil
}
