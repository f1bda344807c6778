package hosting

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/disk"
	"versus2048/internal/server/webhook"
)

// WebhookCommand returns the command webhook, for hosts who want notices from an arena.
func WebhookCommand() *cli.Command {
	return &cli.Command{
		Name:  "webhook",
		Usage: "try the addresses that get an arena's notices, and make their secret",
		Subcommands: []*cli.Command{
			{
				Name:        "test",
				Usage:       "send a ping to addresses, and print their answers",
				ArgsUsage:   "URL...",
				Description: "URL is https://..., slack=https://... or discord=https://... (docs/WEBHOOKS.md). The exit code is 1 if an address does not take the ping.",
				Flags:       []cli.Flag{secretFileFlag("secret-file")},
				Action:      testWebhooks,
			},
			{
				Name:      "secret",
				Usage:     "write a new secret into a file that only its owner can read",
				ArgsUsage: "FILE",
				Action:    cmdline.WithArguments(newWebhookSecret),
			},
		},
	}
}

func secretFileFlag(name string) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: "sign messages to webhooks with the secret in `FILE` (arena webhook secret FILE)"}
}

// readHooks returns the addresses for notices, with the secret in the file that a flag names. Warnings go to standard
// error.
func readHooks(c *cli.Context, addresses []string, secretFlag string) (hooks webhook.Config, err error) {
	hooks = webhook.Config{Agent: "versus2048-arena/" + cmdline.Version(), Log: newLog(c.App.ErrWriter, slog.LevelWarn)}
	for _, address := range addresses {
		target, err := webhook.ParseTarget(address)
		if err != nil {
			return hooks, cmdline.WrongUsage(err)
		}
		hooks.Targets = append(hooks.Targets, target)
	}
	if file := c.String(secretFlag); file != "" {
		hooks.Secret, err = readSecret(file, hooks.Log)
	}
	return hooks, err
}

// readSecret reads a secret, and warns if everybody on this machine can read its file.
func readSecret(path string, log *slog.Logger) (webhook.Secret, error) {
	text, err := disk.ReadText(path)
	if err != nil {
		return nil, fmt.Errorf("the secret of webhooks: %w", err)
	}
	secret, err := webhook.ParseSecret(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o004 != 0 {
		log.Warn("everybody on this machine can read the secret of webhooks: chmod 600 it", "file", path)
	}
	return secret, nil
}

func testWebhooks(c *cli.Context) error {
	if c.NArg() == 0 {
		return cmdline.Usagef("webhook test: name an address")
	}
	config, err := readHooks(c, c.Args().Slice(), "secret-file")
	if err != nil {
		return err
	}
	teller := webhook.Teller{Version: cmdline.Version()}
	ping := teller.New(webhook.Ping, "a test of arena webhook test", webhook.ProgramData{Version: teller.Version})
	failed := false
	for _, result := range webhook.New(config).Ping(c.Context, ping) {
		what := "takes it"
		if result.Err != nil {
			what, failed = result.Err.Error(), true
		}
		if _, err := fmt.Fprintf(c.App.Writer, "%s: %s\n", result.Webhook, what); err != nil {
			return err
		}
	}
	return cmdline.FailIf(failed)
}

func newWebhookSecret(c *cli.Context) error {
	path := c.Args().First()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: receivers may know its secret; remove it first", path)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, webhook.NewSecret().Text())
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(path)) // so that the next call may make it
	}
	return nil
}
