package botcmd

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/disk"
	"versus2048/protocol"
)

// identity describes the secrets by which a bot proves to an arena that a name is its own.
type identity struct {
	code string // of an invitation, with which the bot registers its name; "" for none
	keep bool   // keeps its secrets in files of this user
}

// ended returns the error of a command whose client has ended with err. It is nil after an interrupt: the client has said
// goodbye then. A refusal for good has an exit code of its own.
func ended(ctx context.Context, err error) error {
	refused := (*protocol.RefusedError)(nil)
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &refused) && !refused.Temporary():
		return cmdline.Refusal(err)
	}
	return err
}

// run runs a client under a name with its secrets.
func (i identity) run(ctx context.Context, client protocol.Client) error {
	if !i.keep {
		return client.Run(ctx)
	}
	return registered(ctx, client, i.code, returning)
}

// returning runs a client and keeps the secret of the client's last welcome. So a client that is killed and started
// again gets its games back.
func returning(ctx context.Context, client protocol.Client) error {
	file := findSecret(client.URL, client.Hello.Name)
	client.Resume = file.read()
	client.Welcomed = func(resume string) { file.write(resume, client.Log) }
	err := client.Run(ctx)
	if err == nil || ctx.Err() != nil {
		file.remove() // the bot will not come back
	}
	return err
}

// maxNumber is the number in the last name that runNumbered tries.
const maxNumber = 1000

// runNumbered runs the client as kind-1, or as kind-2 if that name is taken, and so on.
func (i identity) runNumbered(ctx context.Context, client protocol.Client, kind string) error {
	client.OtherNames = true
	for n := 1; ; n++ {
		client.Hello.Name = fmt.Sprintf("%s-%d", kind, n)
		err := i.run(ctx, client)
		// A refusal on reconnecting is wrapped in another error, and ends the loop.
		refused, direct := err.(*protocol.RefusedError)
		if !direct || refused.Code != protocol.NameInUse && refused.Code != protocol.NameAlike || n == maxNumber {
			return err
		}
		client.Log.Info("the name is taken", "name", client.Hello.Name, "why", refused.Message)
	}
}

// secretFile keeps a secret that proves a bot's identity to an arena: the secret of its last welcome, or its own token.
// path is "" if there is no folder for the file.
type secretFile struct{ path string }

// findSecret returns the file for a bot of that name on the arena at that address. Only this user can read the file.
func findSecret(url, name string) secretFile {
	return secretFile{userFile(os.UserCacheDir, url, name)}
}

// userFile returns the path of a file about a bot of that name on the arena at that address, in a folder of this user.
// It returns "" if there is no such folder.
func userFile(folder func() (string, error), url, name string) string {
	parent, err := folder()
	if err != nil {
		return "" // a user without a home
	}
	sum := sha256.Sum256([]byte(url + "\n" + name))
	return filepath.Join(parent, "versus2048", "bots", hex.EncodeToString(sum[:8]))
}

// read returns the secret, "" if there is none.
func (f secretFile) read() string {
	text, err := disk.Read(f.path)
	if err != nil {
		return "" // no file yet, or it could not be written
	}
	return string(text)
}

// write keeps a secret. A failure is logged: the bot plays without the file, too.
func (f secretFile) write(secret string, log *slog.Logger) {
	if f.path == "" || secret == "" || secret == f.read() {
		return
	}
	if err := f.save(secret); err != nil {
		log.Warn("if this bot is killed, it has to wait for the end of its grace period", "why", err)
	}
}

// save keeps a secret. If that fails, as on a full disk, the old secret stays.
func (f secretFile) save(secret string) error {
	if f.path == "" {
		return errors.New("this user has no folder for it")
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	return disk.WriteSecret(f.path, true, []byte(secret))
}

func (f secretFile) remove() { _ = os.Remove(f.path) }
