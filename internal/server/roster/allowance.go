package roster

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"versus2048/players"
	"versus2048/tournament"
)

// Allowance limits the use of the machine by the bots that an arena starts, for operators and visitors alike. The zero
// Allowance lets the bots open no file and limits nothing else.
type Allowance struct {
	// AnyFile lets specs name any file: for an arena that has only one operator, the user that started it.
	AnyFile bool
	// Folder is the absolute path of a folder, "" for none. Without AnyFile specs may name only files in it, by paths
	// that are absolute or relative to it. Links in it may not lead out of it.
	Folder string
	// Memory is the number of bytes that the bots of all events and visitors together may need, 0 for no limit.
	Memory uint64
	// Threads is the number of threads that a bot may search with in one game, 0 for no limit.
	Threads int
}

// CheckEvent returns an error if one of the bots of an event may not be started. The event may be a request or on
// record.
func (a Allowance) CheckEvent(e tournament.Event) error {
	if n := len(e.Bots) + len(e.Entries); n > tournament.MaxBots {
		return fmt.Errorf("%d bots: want at most %d", n, tournament.MaxBots)
	}
	for _, bot := range e.Bots {
		if err := a.Check(bot); err != nil {
			return err
		}
	}
	for _, entry := range e.Entries {
		if err := cmp.Or(a.Check(entry.Name), a.Check(entry.Spec)); err != nil {
			return err
		}
	}
	return nil
}

// Check returns an error if a bot, given as SPEC or NAME=SPEC, names a file that it may not open, or has too many
// threads. For a command the error is ErrCommandRefused, also if an operator has sent it. Check looks at no file
// outside of the folder: otherwise specs would reveal which files exist. It accepts a text that is neither a spec nor
// a command.
func (a Allowance) Check(bot string) error {
	if IsCommand(bot) {
		return fmt.Errorf("bot %.100q: %w", bot, ErrCommandRefused)
	}
	_, text := SplitName(bot)
	spec, err := players.ParseClosed(players.InFolder(text, a.RelativeTo()))
	if err != nil {
		return nil // resolving the event reports the error
	}
	if threads := spec.Need().Threads; a.Threads > 0 && threads > a.Threads {
		return fmt.Errorf("bot %.100q: %d threads: this arena allows %d", bot, threads, a.Threads)
	}
	for _, path := range spec.Files() {
		switch {
		case a.AnyFile:
		case a.Folder == "":
			return fmt.Errorf("bot %.100q: this arena opens no files for its bots: its host has to name their folder, arena serve --tables FOLDER", bot)
		case !a.holds(path):
			return fmt.Errorf("bot %.100q: this arena opens only files in the folder of arena serve --tables", bot)
		}
	}
	return nil
}

// RelativeTo returns the folder that relative paths in specs are in, "" for the folder of the process.
func (a Allowance) RelativeTo() string {
	if a.AnyFile {
		return ""
	}
	return a.Folder
}

// holds reports whether an absolute path is in the folder, and does not lead out of it by a link. A file that does not
// exist counts as in the folder: opening it reports the error.
func (a Allowance) holds(path string) bool {
	if !within(a.Folder, path) {
		return false
	}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	folder, noFolder := filepath.EvalSymlinks(a.Folder)
	return err == nil && noFolder == nil && within(folder, target)
}

// within reports whether a path is in a folder. It compares the texts and looks at no file.
func within(folder, path string) bool {
	inside, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(inside)
}
