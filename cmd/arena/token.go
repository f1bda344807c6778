package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/cmd/internal/running"
	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/text/terminal"
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
				Flags:     append(tokenFlags(), operator),
				Action:    cmdline.WithArguments(newToken),
			},
			{
				Name:   "list",
				Usage:  "list the names that tokens were made for",
				Flags:  append(tokenFlags(), cmdline.OutputFlags()...),
				Action: cmdline.Printing(listTokens),
			},
			{
				Name:      "revoke",
				Usage:     "make the tokens of a name invalid",
				ArgsUsage: "NAME",
				Flags:     append(tokenFlags(), operator),
				Action:    cmdline.WithArguments(revokeToken),
			},
		},
	}
}

func tokenFlags() []cli.Flag {
	return []cli.Flag{
		hosting.DatabaseFlag(),
		cmdline.ServerFlag("", "the running arena, in place of --db, such as https://arena.example.org: over TLS, or on this machine"),
		running.OperatorFlag(),
	}
}

func tokenRole(c *cli.Context) server.Role {
	if c.Bool("operator") {
		return server.OperatorRole
	}
	return server.BotRole
}

func newToken(c *cli.Context) error {
	role, name := tokenRole(c), c.Args().First()
	if err := server.CheckToken(role, name); err != nil {
		return cmdline.WrongUsage(err)
	}
	token, err := changeTokens(c, func(arena *server.Client) (string, error) { return arena.NewToken(c.Context, role, name) },
		func(store *results.Store) (string, error) { return makeToken(c.Context, store, role, name) })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.App.Writer, token)
	return err
}

// changeTokens returns the result of a change on the running arena that has the tokens, or else in the database.
func changeTokens[T any](c *cli.Context, remote func(*server.Client) (T, error), local func(*results.Store) (T, error)) (value T, err error) {
	elsewhere, err := tokensElsewhere(c)
	switch {
	case err != nil:
		return value, err
	case elsewhere:
		return remote(running.Client(c))
	}
	store, err := results.OpenTokens(c.Context, c.String("db"))
	if err != nil {
		return value, err
	}
	defer store.Close()
	return local(store)
}

func makeToken(ctx context.Context, store *results.Store, role server.Role, name string) (string, error) {
	owned, err := store.Tokens().Owners(ctx)
	if err != nil {
		return "", err
	}
	if err := server.CheckOwner(role, name, owned); err != nil {
		return "", err
	}
	return store.Tokens().Make(ctx, string(role), name)
}

// tokensElsewhere reports whether a running arena has the tokens. It returns an error if others could read the requests
// or the answers on their way.
func tokensElsewhere(c *cli.Context) (bool, error) {
	remote, err := running.Reads(c)
	if err != nil || !remote {
		return false, err
	}
	arena, err := url.Parse(c.String("server"))
	if err == nil && arena.Scheme != "https" && !gate.IsLoopback(arena.Host) {
		return false, cmdline.Usagef("--server %s: others could read a token on its way: use https://, or run the command on the arena's machine", c.String("server"))
	}
	return true, err
}

func listTokens(c *cli.Context, out cmdline.Output) error {
	tokens, err := readTokens(c)
	if err != nil {
		return err
	}
	t := tokenTable(tokens)
	return out.PrintTable(tokens, t, t)
}

// readTokens returns the tokens of a database or of a running arena.
func readTokens(c *cli.Context) ([]server.Token, error) {
	remote, err := tokensElsewhere(c)
	if err != nil {
		return nil, err
	}
	if remote {
		return running.Client(c).Tokens(c.Context)
	}
	return recorded(c, func(store *results.Reader) ([]server.Token, error) {
		stored, err := store.Tokens().All(c.Context)
		tokens := []server.Token{} // [] in JSON, not null
		for _, t := range stored {
			tokens = append(tokens, server.Token{Role: server.Role(t.Role), Name: t.Name, Created: t.Created, Revoked: t.Revoked})
		}
		return tokens, err
	})
}

func tokenTable(tokens []server.Token) terminal.Table {
	t := terminal.Table{Columns: []terminal.Column{{Title: "role"}, {Title: "name", Least: 12}, {Title: "made", Name: "created"}, {Name: "revoked"}}}
	for _, token := range tokens {
		t.Add(token.Role, token.Name, terminal.Shown(token.Created.Format(time.RFC3339), token.Created.Format(time.DateTime)),
			terminal.Shown(token.Revoked, map[bool]string{true: "revoked"}[token.Revoked]))
	}
	return t
}

func revokeToken(c *cli.Context) error {
	role, name := tokenRole(c), c.Args().First()
	n, err := changeTokens(c, func(arena *server.Client) (int64, error) { return arena.RevokeTokens(c.Context, role, name) },
		func(store *results.Store) (int64, error) { return store.Tokens().Revoke(c.Context, string(role), name) })
	if err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("%s %q has no token", role, name)
	}
	_, err = fmt.Fprintf(c.App.Writer, "%d revoked\n", n)
	return err
}
