package main

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
)

func tokenCommand() *cli.Command {
	operator := &cli.BoolFlag{Name: "operator", Usage: "for an operator, who runs events from another machine, not for a bot"}
	return &cli.Command{
		Name:  "token",
		Usage: "make, list and revoke the tokens of bots and operators",
		Subcommands: []*cli.Command{
			{
				Name:      "new",
				Usage:     "make a token; it is shown this once and stored hashed",
				ArgsUsage: "NAME",
				Flags:     []cli.Flag{dbFlag(), operator},
				Action:    newToken,
			},
			{
				Name:   "list",
				Usage:  "list whom tokens were made for",
				Flags:  []cli.Flag{dbFlag(), &cli.BoolFlag{Name: "json", Usage: "print JSON"}},
				Action: listTokens,
			},
			{
				Name:      "revoke",
				Usage:     "make the tokens of a name invalid",
				ArgsUsage: "NAME",
				Flags:     []cli.Flag{dbFlag(), operator},
				Action:    revokeToken,
			},
		},
	}
}

// tokenRole is whom the command's token is for.
func tokenRole(c *cli.Context) arena.Role {
	if c.Bool("operator") {
		return arena.OperatorRole
	}
	return arena.BotRole
}
