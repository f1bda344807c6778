package botcmd

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"versus2048/internal/disk"
	"versus2048/protocol"
)

func runAs(ctx context.Context, client protocol.Client, keep bool) error {
	if !keep {
		return client.Run(ctx)
	}
	file := findSecret(client.URL, client.Hello.Name)
	client.Resume = file.read()
	client.Welcomed = func(resume string) { file.write(resume, client.Log) }
	err := client.Run(ctx)
	if err == nil || ctx.Err() != nil {
		file.remove() // the bot will not come back
	}
	return err
}

// maxNumber is how many names runNumbered tries.
const maxNumber = 1000

// runNumbered runs the client as kind-1, or if that name is taken as kind-2, and so on.
func runNumbered(ctx context.Context, client protocol.Client, kind string, keep bool) error {
	client.OtherNames = true
	for n := 1; ; n++ {
		client.Hello.Name = fmt.Sprintf("%s-%d", kind, n)
		err := runAs(ctx, client, keep)
		// A bot that is refused when it reconnects has another error, which wraps this one.
		refused, direct := err.(*protocol.RefusedError)
		if !direct || refused.Code != protocol.NameInUse && refused.Code != protocol.NameAlike || n == maxNumber {
			return err
		}
		client.Log.Info("the name is taken", "name", client.Hello.Name, "why", refused.Message)
	}
}

// secretFile keeps the secret that proves a bot's identity to an arena. A bot that was killed can be started again and
// gets its games back. path is "" if there is no folder for the file.
type secretFile struct{ path string }

// findSecret returns the file for a bot of that name on the arena at that address. Only this user can read the file.
func findSecret(url, name string) secretFile {
	cache, err := os.UserCacheDir()
	if err != nil {
		return secretFile{} // a user without a home
	}
	sum := sha256.Sum256([]byte(url + "\n" + name))
	return secretFile{filepath.Join(cache, "versus2048", "bots", hex.EncodeToString(sum[:8]))}
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
	err := os.MkdirAll(filepath.Dir(f.path), 0o700)
	if err == nil {
		err = os.WriteFile(f.path, []byte(secret), 0o600)
	}
	if err != nil {
		log.Warn("if this bot is killed, it has to wait for the end of its grace period", "why", err)
	}
}

func (f secretFile) remove() { _ = os.Remove(f.path) }
