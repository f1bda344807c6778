package main

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/text/terminal"
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
				Name:      "reset",
				Usage:     "make a token and make all others of the name invalid: for a secret that was lost",
				ArgsUsage: "NAME",
				Flags:     append(tokenFlags(), operator),
				Action:    cmdline.WithArguments(resetToken),
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
		hosting.OperatorFlag(),
	}
}

func tokenRole(c *cli.Context) server.Role {
	if c.Bool("operator") {
		return server.OperatorRole
	}
	return server.BotRole
}

func newToken(c *cli.Context) error {
	return printToken(c, (*server.Client).NewToken, (*results.Tokens).Make)
}

// resetToken makes a token, and makes all other tokens of the name invalid.
func resetToken(c *cli.Context) error {
	return printToken(c, (*server.Client).ResetToken, (*results.Tokens).Reset)
}

// printToken prints the token that one of the functions makes: remote on a running arena, local in the database.
func printToken(c *cli.Context, remote func(*server.Client, context.Context, server.Role, string) (string, error),
	local func(tokens *results.Tokens, ctx context.Context, role, name string) (string, error),
) error {
	role, name := tokenRole(c), c.Args().First()
	if err := server.CheckToken(role, name); err != nil {
		return cmdline.WrongUsage(err)
	}
	token, err := changeTokens(c, func(arena *server.Client) (string, error) { return remote(arena, c.Context, role, name) },
		func(store *results.Store) (string, error) {
			if err := checkOwner(c.Context, store, role, name); err != nil {
				return "", err
			}
			return local(store.Tokens(), c.Context, string(role), name)
		})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.App.Writer, token)
	return err
}

// changeTokens changes tokens on the running arena of --server, or else in the database, and returns the result.
func changeTokens[T any](c *cli.Context, remote func(*server.Client) (T, error), local func(*results.Store) (T, error)) (value T, err error) {
	elsewhere, err := tokensElsewhere(c)
	switch {
	case err != nil:
		return value, err
	case elsewhere:
		return remote(hosting.NewClient(c))
	}
	store, err := results.OpenTokens(c.Context, c.String("db"))
	if err != nil {
		return value, err
	}
	defer store.Close()
	return local(store)
}

// checkOwner returns an error if the name looks like another one that has a token in the database.
func checkOwner(ctx context.Context, store *results.Store, role server.Role, name string) error {
	owned, err := store.Tokens().Owners(ctx)
	if err != nil {
		return err
	}
	return server.CheckOwner(role, name, owned)
}

// tokensElsewhere reports whether a running arena has the tokens. It returns an error if others could read the requests
// or the answers on their way.
func tokensElsewhere(c *cli.Context) (bool, error) {
	remote, err := hosting.Reads(c)
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
		return hosting.NewClient(c).Tokens(c.Context)
	}
	return recorded(c, func(store *results.Reader) ([]server.Token, error) {
		stored, err := store.Tokens().All(c.Context)
		tokens := []server.Token{} // [] in JSON, not null
		for _, t := range stored {
			tokens = append(tokens, server.Token{Role: server.Role(t.Role), Name: t.Name, Created: t.Created, Revoked: t.Revoked, Invitation: t.Invitation})
		}
		return tokens, err
	})
}

func tokenTable(tokens []server.Token) terminal.Table {
	t := terminal.Table{Columns: []terminal.Column{{Title: "role"}, {Title: "name", Least: 12}, {Title: "made", Name: "created"}, {Name: "revoked"}, {Title: "invitation"}}}
	for _, token := range tokens {
		t.Add(token.Role, token.Name, timeCell(token.Created), revokedCell(token.Revoked), numberOrNothing(token.Invitation))
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

// timeCell returns a table's cell with a time: in RFC 3339 in CSV and Markdown, and without the zone for people.
func timeCell(at time.Time) any {
	return terminal.Shown(at.Format(time.RFC3339), at.Format(time.DateTime))
}

// revokedCell returns a table's cell: true or false in CSV and Markdown, and "revoked" or "" for people.
func revokedCell(revoked bool) any {
	return terminal.Shown(revoked, map[bool]string{true: "revoked"}[revoked])
}

// numberOrNothing returns the text of a number, "" for 0.
func numberOrNothing(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func invitationCommand() *cli.Command {
	return &cli.Command{
		Name:  "invitation",
		Usage: "make, list and revoke invitations, with which bots register names of their own (arena serve --registration invite)",
		Subcommands: []*cli.Command{
			{
				Name:        "new",
				Usage:       "make an invitation and print its code; it is shown only once and stored hashed",
				Description: "A bot registers with: bot run --invitation CODE. Any other client sends the token CODE-SECRET, with a secret of its own.",
				Flags: append(
					tokenFlags(),
					&cli.IntFlag{Name: "names", Value: gate.UsualInvitationTerms().Names, Usage: "the number of names that can be registered with it"},
					&cli.IntFlag{Name: "days", Value: gate.UsualInvitationTerms().Days, Usage: "the number of days for which it is valid"},
				),
				Action: cmdline.WithArguments(newInvitation),
			},
			{
				Name:   "list",
				Usage:  "list the invitations",
				Flags:  append(tokenFlags(), cmdline.OutputFlags()...),
				Action: cmdline.Printing(listInvitations),
			},
			{
				Name:      "revoke",
				Usage:     "make an invitation invalid; the names that were registered with it stay",
				ArgsUsage: "NUMBER",
				Flags:     tokenFlags(),
				Action:    cmdline.WithArguments(revokeInvitation),
			},
		},
	}
}

func newInvitation(c *cli.Context) error {
	terms := gate.InvitationTerms{Names: c.Int("names"), Days: c.Int("days")}
	if err := terms.Check(); err != nil {
		return cmdline.WrongUsage(err)
	}
	code, err := changeTokens(c, func(arena *server.Client) (string, error) { return arena.Invite(c.Context, terms) },
		func(store *results.Store) (string, error) {
			code := protocol.NewCode()
			_, err := store.Tokens().Invite(c.Context, code, terms.Names, terms.Lifetime())
			return code, err
		})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.App.Writer, code)
	return err
}

func listInvitations(c *cli.Context, out cmdline.Output) error {
	all, err := readInvitations(c)
	if err != nil {
		return err
	}
	t := terminal.Table{Columns: []terminal.Column{
		{Title: "invitation", Name: "id", Right: true},
		{Title: "made", Name: "created"},
		{Title: "valid until", Name: "expires"},
		{Title: "names", Right: true},
		{Title: "taken", Right: true},
		{Name: "revoked"},
	}}
	for _, i := range all {
		t.Add(i.ID, timeCell(i.Created), timeCell(i.Expires), i.Names, i.Taken, revokedCell(i.Revoked))
	}
	return out.PrintTable(all, t, t)
}

// readInvitations returns the invitations of a database or of a running arena.
func readInvitations(c *cli.Context) ([]gate.Invitation, error) {
	remote, err := tokensElsewhere(c)
	if err != nil {
		return nil, err
	}
	if remote {
		return hosting.NewClient(c).Invitations(c.Context)
	}
	return recorded(c, func(store *results.Reader) ([]gate.Invitation, error) {
		stored, err := store.Tokens().Invitations(c.Context)
		all := []gate.Invitation{} // [] in JSON, not null
		for _, i := range stored {
			all = append(all, gate.Invitation(i))
		}
		return all, err
	})
}

func revokeInvitation(c *cli.Context) error {
	id, err := strconv.ParseInt(c.Args().First(), 10, 64)
	if err != nil {
		return cmdline.Usagef("%q is not the number of an invitation: arena invitation list has them", c.Args().First())
	}
	done, err := changeTokens(c, func(arena *server.Client) (bool, error) { return arena.RevokeInvitation(c.Context, id) },
		func(store *results.Store) (bool, error) { return store.Tokens().RevokeInvitation(c.Context, id) })
	if err == nil && !done {
		err = fmt.Errorf("there is no valid invitation %d", id)
	}
	return err
}
