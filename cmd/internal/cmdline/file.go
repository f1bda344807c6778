package cmdline

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"versus2048/internal/disk"
)

// ForceFlag returns --force, for commands that write files with names from the user.
func ForceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Usage: "replace files that are there already"}
}

// WriteFile writes a file whole or not at all. Without force it refuses to replace one.
func WriteFile(path string, force bool, write func(io.Writer) error) error {
	return Existing(disk.Write(path, force, write))
}

// CheckFile returns the error that WriteFile would return for an existing file, so that a command can fail before its
// work. It returns nil for "", no file.
func CheckFile(path string, force bool) error {
	if path == "" {
		return nil
	}
	return Existing(disk.Check(path, force))
}

// Existing adds advice to the error for an existing file.
func Existing(err error) error {
	if exists := (*disk.ExistsError)(nil); errors.As(err, &exists) {
		return fmt.Errorf("%w: choose another name, or replace it with --force", err)
	}
	return err
}
