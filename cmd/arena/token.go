package main

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
	"versus2048/protocol"
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

// withTokens calls use with the command's database opened for tokens, also while
// an arena uses it.
func withTokens(c *cli.Context, use func(*results.Store) error) error {
	store, err := results.OpenTokens(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	return use(store)
}

func newToken(c *cli.Context) error {
	if err := cmdline.Arguments(c, "NAME"); err != nil {
		return err
	}
	if err := protocol.CheckName(c.Args().First()); err != nil {
		return cmdline.WrongUsage(err)
	}
	return withTokens(c, func(store *results.Store) error {
		token, err := store.NewToken(c.Context, string(tokenRole(c)), c.Args().First())
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(c.App.Writer, token)
		return err
	})
}

func listTokens(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	return reading(c, func(store *results.Store) error {
		tokens, err := store.Tokens(c.Context)
		if err != nil {
			return err
		}
		if c.Bool("json") {
			return writeJSON(c.App.Writer, append([]results.Token{}, tokens...))
		}
		table := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "role\tname\tmade\t")
		for _, t := range tokens {
			state := ""
			if t.Revoked {
				state = "revoked"
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", t.Role, t.Name, t.Created.Format(time.DateTime), state)
		}
		return table.Flush()
	})
}

func revokeToken(c *cli.Context) error {
	if err := cmdline.Arguments(c, "NAME"); err != nil {
		return err
	}
	name := c.Args().First()
	if err := reading(c, func(*results.Store) error { return nil }); err != nil {
		return err // there is no database to revoke in
	}
	return withTokens(c, func(store *results.Store) error {
		n, err := store.RevokeTokens(c.Context, string(tokenRole(c)), name)
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("%s %q has no token", tokenRole(c), name)
		}
		_, err = fmt.Fprintf(c.App.Writer, "%d revoked\n", n)
		return err
	})
}
