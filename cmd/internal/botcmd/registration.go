package botcmd

import (
	"context"
	"errors"
	"fmt"
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

// ownToken returns the file with the token by which a bot of this user has registered a name on an arena. Unlike the
// secret of findSecret the token is needed for ever, so the file is not in a cache.
func ownToken(address, name string) secretFile {
	return secretFile{userFile(os.UserConfigDir, address, name)}
}

// RunRegistered runs a client with the secrets that this user keeps for the client's name: the token of its
// registration, and the secret of its last welcome. If the name has no valid token, it registers the name by the code
// of an invitation.
func RunRegistered(ctx context.Context, client protocol.Client, code string) error {
	return registered(ctx, client, code, returning)
}

// registered runs a client with its own token, or else with the token of its registration, if this user keeps one. With
// the code of an invitation, it registers the name if this token is missing, or is invalid and has another code.
func registered(ctx context.Context, client protocol.Client, code string, run func(context.Context, protocol.Client) error) error {
	file := ownToken(client.URL, client.Hello.Name)
	kept := file.read()
	switch {
	case client.Hello.Token != "":
		if kept != "" { // the host or the owner has made a new one
			client.Admitted = both(client.Admitted, func(bool) { file.write(client.Hello.Token, client.Log) })
		}
		return run(ctx, client)
	case kept == "" && code == "":
		return run(ctx, client)
	case kept == "":
		return register(ctx, client, code, file, run)
	}
	client.Hello.Token = kept
	err := run(ctx, client)
	if refused := (*protocol.RefusedError)(nil); !errors.As(err, &refused) || refused.Code != protocol.BadToken {
		return err
	}
	if code != "" && !strings.HasPrefix(kept, code) { // another arena at this address, or the name was never registered
		return register(ctx, client, code, file, run)
	}
	return fmt.Errorf("%w (the token is from %s: give another one with --token, or remove the file)", err, file.path)
}

// register runs a client with a new token of its own, and keeps the token if the arena takes it.
func register(ctx context.Context, client protocol.Client, code string, file secretFile, run func(context.Context, protocol.Client) error) error {
	before := file.read()
	token := protocol.OwnToken(code)
	if err := file.save(token); err != nil { // saved before the arena knows the token, so that it cannot be lost
		return fmt.Errorf("keeping the token of %q: %w; choose a token yourself, CODE-SECRET with the code of the invitation, and give it with --token", client.Hello.Name, err)
	}
	admitted := false
	client.Hello.Token = token
	client.Admitted = both(client.Admitted, func(registered bool) {
		admitted = true
		if registered {
			client.Log.Info("the name is yours now", "name", client.Hello.Name, "token", file.path)
		}
	})
	err := run(ctx, client)
	if admitted {
		return err
	}
	if before == "" {
		file.remove()
		return err
	}
	if failed := file.save(before); failed != nil {
		return errors.Join(err, failed)
	}
	return err
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
