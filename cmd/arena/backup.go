package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/disk"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/results/backup"
)

func backupCommand() *cli.Command {
	return &cli.Command{
		Name:      "backup",
		Usage:     "copy the database, also while an arena plays on it",
		ArgsUsage: "FILE",
		Description: "The backup is a whole database, compressed if its name ends in .zst or .gz. It gets its name only\n" +
			"when it is complete, and when its structure and the checksum of each game are verified.\n" +
			"Its SHA-256 is beside it in FILE.sha256. arena restore puts it back.\n" +
			"With --to FOLDER in place of FILE the name has the date, as arena-20261122-033000.db.zst. With\n" +
			"--keep N only the N newest such backups of this database stay in the folder.",
		Flags: append([]cli.Flag{
			hosting.DatabaseFlag(),
			&cli.StringFlag{Name: "to", Usage: "write into this folder, under a name with the date (UTC)"},
			&cli.IntFlag{Name: "keep", DefaultText: "all", Usage: "with --to: keep the newest N backups of this database, and remove the others once the new one is verified"},
			&cli.StringFlag{Name: "pack", Value: "zst", Usage: "with --to: compress as zst, gz or none"},
			&cli.StringFlag{Name: "keep-free", Value: "512MiB", Usage: "the room that must stay free on the backup's disk; 0B for none"},
		}, backupFlags()...),
		Action: backUp,
	}
}

func restoreCommand() *cli.Command {
	return &cli.Command{
		Name:      "restore",
		Usage:     "verify a backup, and put it in the place of the database",
		ArgsUsage: "BACKUP",
		Description: "No arena may have the database open. With --force, a database that is there already stays in the\n" +
			"same folder, under another name. A backup of an older version is brought up to date by arena serve.",
		Flags: append([]cli.Flag{
			hosting.DatabaseFlag(),
			&cli.BoolFlag{Name: "accept-bad-games", Usage: "restore the backup although games differ from their checksums"},
		}, backupFlags()...),
		Action: cmdline.WithArguments(restoreBackup),
	}
}

func backupFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "verify", Value: quickVerification, Usage: "compare the games with their checksums (" + quickVerification + "), or also play them all again (" + fullVerification + ")"},
		cmdline.ForceFlag(),
		cmdline.QuietFlag(),
		&cli.BoolFlag{Name: "json", Usage: "print a summary as JSON"},
	}
}

// The ways to verify a backup.
const (
	quickVerification = "quick"
	fullVerification  = "full"
)

// readBackupFlags reads backupFlags. The caller calls end when the work is done.
func readBackupFlags(c *cli.Context) (o backup.Options, end func(), err error) {
	verify := c.String("verify")
	if verify != quickVerification && verify != fullVerification {
		return o, nil, cmdline.Usagef("--verify %s: want %s or %s", verify, quickVerification, fullVerification)
	}
	shown := cmdline.NewComputation(c.App.ErrWriter, c.Bool("quiet"))
	o = backup.Options{Replace: c.Bool("force"), Full: verify == fullVerification}
	o.Progress = func(step backup.Step, part float64) {
		percent := int(100 * part)
		line := fmt.Sprintf("%s %s %d %%", step, cmdline.Bar(percent, 100), percent)
		if step == backup.Checking {
			line = string(step)
		}
		shown.Draw([2]any{step, percent / 10}, line)
	}
	return o, shown.End, nil
}

func backUp(c *cli.Context) error {
	o, end, err := readBackupFlags(c)
	if err != nil {
		return err
	}
	if o.KeepFree, err = cmdline.ParseBytes(c.String("keep-free")); err != nil {
		return cmdline.Usagef("--keep-free: %w", err)
	}
	write, err := backupTarget(c)
	if err != nil {
		return err
	}
	s, err := write(o)
	end()
	// A backup with bad games is kept, and its summary is printed before the error.
	if bad := (*backup.BadGamesError)(nil); err == nil || errors.As(err, &bad) {
		err = errors.Join(tellBackup(c, s, backupLines(s)), err)
	}
	return cmdline.Existing(err)
}

// backupTarget reads the target of the backup, and returns a function that writes the backup there.
func backupTarget(c *cli.Context) (write func(backup.Options) (backup.Summary, error), err error) {
	database, folder := c.String("db"), c.String("to")
	if folder == "" {
		for _, flag := range []string{"keep", "pack"} {
			if c.IsSet(flag) {
				return nil, cmdline.Usagef("--%s: it needs --to FOLDER", flag)
			}
		}
		return func(o backup.Options) (backup.Summary, error) {
			return backup.Write(c.Context, database, c.Args().First(), o)
		}, cmdline.Arguments(c)
	}
	r := backup.Rotation{Folder: folder, Keep: c.Int("keep")}
	switch pack := c.String("pack"); {
	case c.Args().Present():
		return nil, cmdline.Usagef("--to %s and %s: give only one of them", folder, c.Args().First())
	case c.IsSet("keep") && r.Keep < 1:
		return nil, cmdline.Usagef("--keep %d: want at least 1", r.Keep)
	case pack == "zst" || pack == "gz":
		r.Packing = "." + pack
	case pack != "none":
		return nil, cmdline.Usagef("--pack %s: want zst, gz or none", pack)
	}
	return func(o backup.Options) (backup.Summary, error) { return r.Next(c.Context, database, o) }, nil
}

func restoreBackup(c *cli.Context) error {
	o, end, err := readBackupFlags(c)
	if err != nil {
		return err
	}
	o.Accept = c.Bool("accept-bad-games")
	s, err := backup.Restore(c.Context, c.Args().First(), c.String("db"), o)
	end()
	if exists := (*disk.ExistsError)(nil); errors.As(err, &exists) {
		return fmt.Errorf("%w: name another database with --db, or replace this one with --force, which keeps the old one under another name", err)
	}
	if err != nil {
		return err
	}
	return tellBackup(c, s, restoreLines(s, c.String("db")))
}

func tellBackup(c *cli.Context, s backup.Summary, lines []string) error {
	if c.Bool("json") {
		return cmdline.WriteJSON(c.App.Writer, s)
	}
	for i := range lines {
		lines[i] = plain.Line(lines[i])
	}
	_, err := io.WriteString(c.App.Writer, strings.Join(lines, "\n")+"\n")
	return err
}

func backupLines(s backup.Summary) []string {
	size := cmdline.FormatBytes(s.Bytes)
	if s.Bytes != s.Database {
		size += ", unpacked " + cmdline.FormatBytes(s.Database)
	}
	lines := []string{fmt.Sprintf("%s (%s): %s", s.File, size, backupContent(s))}
	for _, path := range s.Removed {
		lines = append(lines, "removed: "+path)
	}
	return lines
}

func restoreLines(s backup.Summary, database string) []string {
	lines := []string{fmt.Sprintf("%s: %s, from %s", database, backupContent(s), s.File)}
	if s.Verified.Bad > 0 {
		lines = append(lines, terminal.Count(s.Verified.Bad, "game differs from its record", "games differ from their records")+": see arena verify")
	}
	if s.Replaced != "" {
		lines = append(lines, "the database that was there is now "+s.Replaced)
	}
	return lines
}

// backupContent returns a text such as "2 events, 24 games, 2 of them in progress; 22 compared with their checksums".
func backupContent(s backup.Summary) string {
	events, games := int(s.Events), int(s.Games)
	text := terminal.Count(events, "event", "events") + ", " + terminal.Count(games, "game", "games")
	if unfinished := games - s.Verified.Games; unfinished > 0 {
		text += fmt.Sprintf(", %d of them in progress", unfinished)
	}
	how := "compared with their checksums"
	if s.Full {
		how = "played again"
	}
	return fmt.Sprintf("%s; %d %s", text, s.Verified.Games, how)
}
