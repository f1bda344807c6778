package backup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"versus2048/internal/disk"
	"versus2048/results"
)

// Options are the settings for making or restoring a backup.
type Options struct {
	Replace  bool                          // replace an existing file
	Full     bool                          // play all games again, besides comparing their checksums
	Accept   bool                          // Restore accepts a database with bad games
	KeepFree int64                         // bytes of the disk that Write leaves free; 0 to fill the disk
	Progress func(step Step, part float64) // receives the progress of a step, 0 to 1; may be nil
}

// Step is a step of the work.
type Step string

// The steps of a backup and of a restore. The progress of Checking is unknown.
const (
	Copying   Step = "copying"
	Checking  Step = "checking"
	Packing   Step = "packing"
	Unpacking Step = "unpacking"
)

func (o Options) progress(step Step, part float64) {
	if o.Progress != nil {
		o.Progress(step, part)
	}
}

// Summary describes a backup that was written or restored.
type Summary struct {
	File     string `json:"file"`
	Bytes    int64  `json:"bytes"`          // of the file
	Database int64  `json:"database_bytes"` // of the database in it
	SHA256   string `json:"sha256"`         // of the file, in hexadecimal
	Schema   int    `json:"schema"`         // version
	results.Counts
	Verified results.Verification `json:"verified"`
	Full     bool                 `json:"played_again"` // the games were played again
	Made     time.Time            `json:"made,omitzero"`
	Removed  []string             `json:"removed,omitempty"`  // older backups
	Replaced string               `json:"replaced,omitempty"` // the new path of the database that was replaced
}

// BadGamesError means that games of the database differ from their record or from their checksum.
type BadGamesError struct {
	Games int
	First error // the reason for one of them
}

func (e *BadGamesError) Error() string {
	return fmt.Sprintf("games that differ from their record: %d (%v): see arena verify", e.Games, e.First)
}

func (e *BadGamesError) Unwrap() error { return e.First }

// NoRoomError means that a disk would have too little room left.
type NoRoomError struct {
	Folder             string
	Free, Needed, Keep int64 // bytes
}

func (e *NoRoomError) Error() string {
	return fmt.Sprintf("the disk of %s has %d MiB free, up to %d MiB are needed, and %d MiB are to stay free: "+
		"make room, choose a folder on another disk, or let less stay free (--keep-free)", e.Folder, e.Free>>20, e.Needed>>20, e.Keep>>20)
}

// Write writes a backup of a database, even while an arena plays on it. It returns an error that wraps
// fs.ErrExist if the file exists and Replace is not set. It returns results.ErrForeign, results.ErrNewer or
// results.ErrAltered for a database that it cannot or must not read. Other errors are results.ErrDamaged and
// *NoRoomError. If it returns a *BadGamesError, it has written the backup, a faithful copy of a database with
// bad games. After any other error there is no new file, unless only the file of its checksum could not be written, or
// the hidden folder of the work could not be removed.
func Write(ctx context.Context, database, file string, o Options) (Summary, error) {
	s, err := write(ctx, database, file, o)
	if err != nil {
		return s, fmt.Errorf("backup of %s: %w", database, err)
	}
	return s, nil
}

func write(ctx context.Context, database, file string, o Options) (s Summary, err error) {
	if err := mayWrite(file, o.Replace); err != nil {
		return s, err
	}
	if err := room(database, file, o.KeepFree); err != nil {
		return s, err
	}
	w, err := newWorkspace(filepath.Dir(file))
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, w.remove()) }()
	s.Made = time.Now().UTC().Truncate(time.Second)
	whole := w.file("copy.db")
	counts, err := results.Copy(ctx, database, whole, func(done, total int64) { o.progress(Copying, float64(done)/float64(total)) })
	if err != nil {
		return s, err
	}
	bad, err := s.check(ctx, whole, o)
	if err == nil && s.Counts != counts {
		err = fmt.Errorf("the copy has %d events and %d games, the database %d and %d", s.Events, s.Games, counts.Events, counts.Games)
	}
	if err != nil {
		return s, err
	}
	if err := s.pack(ctx, w, whole, file, o); err != nil {
		return s, err
	}
	return s, bad
}

// mayWrite returns an error if the file must not be replaced or is no plain file, or if its folder does not exist.
func mayWrite(file string, replace bool) error {
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(file)); err != nil {
			return fmt.Errorf("make the folder first: %w", err)
		}
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: it is no plain file: choose another name", file)
	case !replace:
		return &disk.ExistsError{Path: file}
	}
	return nil
}

// room returns a *NoRoomError if the copy of a database could leave less than keep bytes free on the disk of the file.
// If keep is 0, room allows every copy.
func room(database, file string, keep int64) error {
	if real, err := filepath.EvalSymlinks(database); err == nil {
		database = real // the log is beside the file, not beside a link to it
	}
	needed := int64(0)
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(database + suffix); err == nil {
			needed += info.Size()
		}
	}
	if packingOf(file) != nil {
		needed *= 2 // both the copy and the compressed copy
	}
	folder := filepath.Dir(file)
	free, err := disk.Free(folder)
	if err != nil {
		return err
	}
	if keep > 0 && free-needed < keep {
		return &NoRoomError{folder, free, needed, keep}
	}
	return nil
}

// check verifies a copy of a database, which nobody else uses, and describes it in s. bad is a *BadGamesError or nil.
func (s *Summary) check(ctx context.Context, path string, o Options) (bad, err error) {
	o.progress(Checking, 0)
	if err := s.describe(path); err != nil {
		return nil, err
	}
	store, err := results.OpenReader(ctx, path)
	if err != nil {
		return nil, unnamed(err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if s.Counts, err = store.Counts(ctx); err != nil {
		return nil, err
	}
	verify := store.VerifySums
	if o.Full {
		verify = store.Verify
	}
	s.Full = o.Full
	var first error
	s.Verified, err = verify(ctx, results.Filter{}, func(g results.Stored, why error) {
		if first == nil {
			first = fmt.Errorf("game %d: %w", g.ID, why)
		}
	})
	if err == nil && s.Verified.Bad > 0 {
		bad = &BadGamesError{s.Verified.Bad, first}
	}
	return bad, err
}

// describe sets the schema and the length of a database in s.
func (s *Summary) describe(path string) error {
	file, length, err := disk.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	head, err := readHeader(bufio.NewReader(file))
	if err != nil {
		return err
	}
	s.Schema, s.Database = head.schema(), length
	return nil
}

// unnamed removes from an error the name of a file in a workspace.
func unnamed(err error) error {
	for _, known := range []error{results.ErrForeign, results.ErrNewer, results.ErrAltered, results.ErrDamaged} {
		if errors.Is(err, known) {
			return errors.Unwrap(err)
		}
	}
	return err
}
