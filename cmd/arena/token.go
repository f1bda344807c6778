package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/players"
	"versus2048/protocol/names"
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
				Usage:     "make a token; it is shown only once and stored hashed",
				ArgsUsage: "NAME",
				Flags:     []cli.Flag{hosting.DatabaseFlag(), operator},
				Action:    newToken,
			},
			{
				Name:   "list",
				Usage:  "list the names that tokens were made for",
				Flags:  append([]cli.Flag{hosting.DatabaseFlag()}, cmdline.OutputFlags()...),
				Action: listTokens,
			},
			{
				Name:      "revoke",
				Usage:     "make the tokens of a name invalid",
				ArgsUsage: "NAME",
				Flags:     []cli.Flag{hosting.DatabaseFlag(), operator},
				Action:    revokeToken,
			},
		},
	}
}

// tokenRole returns whom the token of the command is for.
func tokenRole(c *cli.Context) server.Role {
	if c.Bool("operator") {
		return server.OperatorRole
	}
	return server.BotRole
}

func newToken(c *cli.Context) error {
	if err := cmdline.Arguments(c, "NAME"); err != nil {
		return err
	}
	name := c.Args().First()
	if err := names.Check(name); err != nil {
		return cmdline.WrongUsage(err)
	}
	store, err := results.OpenTokens(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	if err := checkOwner(c, store, name); err != nil {
		return err
	}
	token, err := store.NewToken(c.Context, string(tokenRole(c)), name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.App.Writer, token)
	return err
}

// checkOwner returns an error if no bot could play under that name: it is a spec, or looks like the
// name of another token.
func checkOwner(c *cli.Context, store *results.Store, name string) error {
	if tokenRole(c) != server.BotRole {
		return nil
	}
	if players.LooksLikeSpec(name) {
		return cmdline.Usagef("name %q: it is a spec, which stands for a bot that the arena starts; take another one, such as %s-1", name, name)
	}
	owned, err := store.OwnedNames(c.Context)
	if err != nil {
		return err
	}
	alike := func(owner string) bool { return owner != name && names.Alike(owner, name) }
	if i := slices.IndexFunc(owned, alike); i >= 0 {
		return fmt.Errorf("name %q: it looks like %q, which has a token: take another one, or revoke that", name, owned[i])
	}
	return nil
}

func listTokens(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	out, err := cmdline.ReadOutput(c)
	if err != nil {
		return err
	}
	store, err := results.OpenReader(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	tokens, err := store.Tokens(c.Context)
	if err != nil {
		return err
	}
	tokens = append([]results.Token{}, tokens...) // an empty list in JSON, not null
	return out.Print(cmdline.Tabular(tokens, tokenTable(tokens), func(w io.Writer) error { return writeTokens(w, tokens, out.Width) }))
}

func tokenTable(tokens []results.Token) cmdline.Table {
	t := cmdline.Table{Columns: []string{"role", "name", "created", "revoked"}}
	for _, token := range tokens {
		t.Add(token.Role, token.Name, token.Created.Format(time.RFC3339), token.Revoked)
	}
	return t
}

func writeTokens(w io.Writer, tokens []results.Token, width int) error {
	table := terminal.Table{Columns: []terminal.Column{{Title: "role"}, {Title: "name", Least: 12}, {Title: "made"}, {}}}
	for _, t := range tokens {
		state := ""
		if t.Revoked {
			state = "revoked"
		}
		table.Add(t.Role, plain.Line(t.Name), t.Created.Format(time.DateTime), state)
	}
	_, err := io.WriteString(w, table.Text(width))
	return err
}

func revokeToken(c *cli.Context) error {
	if err := cmdline.Arguments(c, "NAME"); err != nil {
		return err
	}
	name := c.Args().First()
	store, err := results.OpenTokens(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	n, err := store.RevokeTokens(c.Context, string(tokenRole(c)), name)
	if err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("%s %q has no token", tokenRole(c), name)
	}
	_, err = fmt.Fprintf(c.App.Writer, "%d revoked\n", n)
	return err
}
