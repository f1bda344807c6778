package botcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/protocol"
)

// BotURL returns an arena's address for bots. arena is the arena's own address, such as http://127.0.0.1:2048.
func BotURL(arena string) string {
	return "ws" + strings.TrimPrefix(strings.TrimSuffix(arena, "/"), "http") + "/bot"
}

// ReadInvitation returns the code in --invitation, "" for none. If --invitation is a link, it also has the arena's
// address. ReadInvitation then sets the flag with the name address, unless the user has set this flag. The parameter
// from is a function that turns the arena's address into the flag's value.
func ReadInvitation(c *cli.Context, address string, from func(arena string) string) (code string, err error) {
	text := strings.TrimSpace(c.String("invitation"))
	if text == "" {
		return "", nil
	}
	if c.String("token") != "" {
		return "", cmdline.Usagef("--invitation and --token: give only one of them")
	}
	if c.String("name") == "" {
		return "", cmdline.Usagef("--invitation: --name is missing, the name to register")
	}
	code, arena, err := protocol.ParseInvitation(text)
	if err != nil {
		return "", cmdline.Usagef("--invitation %w", err)
	}
	if arena != "" && !c.IsSet(address) {
		err = c.Set(address, from(arena))
	}
	return code, err
}

// ownToken has the two files for the token by which a bot of this user registers a name on an arena. The token is
// needed for ever, unlike the secret of findSecret, so the files are not in a cache. A pending token may have
// registered the name: the arena has neither welcomed a bot with the token nor called the token wrong.
type ownToken struct{ kept, pending secretFile }

// findToken returns the files for a bot of that name on the arena at that address. Only this user can read the files.
func findToken(address, name string) ownToken {
	path := userFile(os.UserConfigDir, address, name)
	if path == "" {
		return ownToken{}
	}
	return ownToken{secretFile{path}, secretFile{path + ".pending"}}
}

// runner runs a client until it has left the arena.
type runner func(context.Context, protocol.Client) error

// RunRegistered runs a client with the secrets that this user keeps for the client's name: the token of its
// registration, and the secret of its last welcome. If the name has no valid token, it registers the name by the code
// of an invitation.
func RunRegistered(ctx context.Context, client protocol.Client, code string) error {
	return registered(ctx, client, code, returning)
}

// registered runs a client with the token in its hello, or else with the pending token of its name. Without either
// token, or if the arena calls the pending token wrong, registered presents the kept token. A welcome with the token in
// the hello replaces the tokens in the files.
func registered(ctx context.Context, client protocol.Client, code string, run runner) error {
	token := findToken(client.URL, client.Hello.Name)
	pending := token.pending.read()
	if client.Hello.Token != "" {
		if pending != "" || token.kept.read() != "" { // the host or the owner has made a new one
			client.Admitted = both(client.Admitted, func(bool) { token.replace(client.Hello.Token, client.Log) })
		}
		return run(ctx, client)
	}
	if pending != "" {
		if err := token.apply(ctx, client, pending, run); !isBadToken(err) {
			return err
		}
	}
	return token.present(ctx, client, code, run)
}

// present runs a client with the kept token, if there is one. With the code of an invitation, present registers the
// name if the kept token is missing, or if the arena calls the kept token wrong and the token begins with another code.
func (t ownToken) present(ctx context.Context, client protocol.Client, code string, run runner) error {
	kept := t.kept.read()
	switch {
	case kept == "" && code == "":
		return run(ctx, client)
	case kept == "":
		return t.register(ctx, client, code, run)
	}
	client.Hello.Token = kept
	err := run(ctx, client)
	switch {
	case !isBadToken(err):
		return err
	case code != "" && !strings.HasPrefix(kept, code): // another arena at this address
		return t.register(ctx, client, code, run)
	}
	return fmt.Errorf("%w (the token is from %s: give another one with --token, or remove the file)", err, t.kept.path)
}

// register runs a client with a new token of its own.
func (t ownToken) register(ctx context.Context, client protocol.Client, code string, run runner) error {
	token := protocol.OwnToken(code)
	if err := t.pending.save(token); err != nil { // saved before the arena knows the token, so that it cannot be lost
		return fmt.Errorf("keeping the token of %q: %w; choose a token yourself, CODE-SECRET with the code of the invitation, and give it with --token", client.Hello.Name, err)
	}
	return t.apply(ctx, client, token, run)
}

// apply runs a client with the pending token. The first welcome turns it into the kept token. If the arena calls the
// token wrong, apply drops the token. After any other end the token stays pending: the arena registers a name before it
// looks for room, and a welcome can be lost on its way.
func (t ownToken) apply(ctx context.Context, client protocol.Client, token string, run runner) error {
	client.Hello.Token = token
	client.Admitted = both(client.Admitted, func(bool) { t.keep(client.Hello.Name, client.Log) })
	err := run(ctx, client)
	if isBadToken(err) {
		t.pending.remove()
	}
	return err
}

// keep turns the pending token into the kept token, after the first welcome.
func (t ownToken) keep(name string, log *slog.Logger) {
	switch err := os.Rename(t.pending.path, t.kept.path); {
	case errors.Is(err, fs.ErrNotExist): // an earlier welcome has kept it
	case err != nil:
		log.Warn("the token of the name stays pending, until the next welcome", "name", name, "why", err)
	default:
		log.Info("the name is yours now", "name", name, "token", t.kept.path)
	}
}

// replace keeps another token of the name in place of the tokens in the files. A failure is logged, and the files stay.
func (t ownToken) replace(token string, log *slog.Logger) {
	if token != t.kept.read() {
		if err := t.kept.save(token); err != nil {
			log.Warn("the token is not kept for the next time: give it again with --token", "why", err)
			return
		}
	}
	t.pending.remove()
}

// isBadToken reports whether an arena has refused a client because its token is wrong for its name.
func isBadToken(err error) bool {
	refused := (*protocol.RefusedError)(nil)
	return errors.As(err, &refused) && refused.Code == protocol.BadToken
}

// both returns a function that calls two. The first may be nil.
func both(first, second func(bool)) func(bool) {
	return func(registered bool) {
		if first != nil {
			first(registered)
		}
		second(registered)
	}
}
