package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"versus2048/internal/disk"
)

// workspace is a hidden folder that holds a file until it is complete. The file then gets its final name, on the same
// disk. Other users cannot read the folder.
type workspace struct {
	path string
	lock *flock.Flock // held until remove, or until the process ends
}

// workspaceName is the pattern of the names of workspaces; * stands for a random number.
const workspaceName = ".arena-backup-*"

// newWorkspace makes a workspace in a folder, and removes the workspaces of processes that were killed.
func newWorkspace(folder string) (*workspace, error) {
	if err := removeStale(folder); err != nil {
		return nil, err
	}
	path, err := os.MkdirTemp(folder, workspaceName)
	if err != nil {
		return nil, err
	}
	w := &workspace{path, flock.New(lockOf(path))}
	locked, err := w.lock.TryLock()
	if err == nil && !locked {
		err = errors.New("another backup begins there at the same time: try again")
	}
	if err != nil {
		return nil, errors.Join(err, w.remove())
	}
	return w, nil
}

func lockOf(path string) string { return filepath.Join(path, "lock") }

// removeStale removes the workspaces in a folder that no process has locked. It may remove a workspace that another
// process is making: then that process reports an error.
func removeStale(folder string) error {
	found, err := fs.Glob(os.DirFS(folder), workspaceName)
	if err != nil {
		return err
	}
	for _, name := range found {
		path := filepath.Join(folder, name)
		lock := flock.New(lockOf(path))
		locked, err := lock.TryLock()
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || err == nil && !locked {
			continue
		}
		if err == nil {
			err = errors.Join(lock.Unlock(), os.RemoveAll(path))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *workspace) file(name string) string { return filepath.Join(w.path, name) }

func (w *workspace) remove() error { return errors.Join(w.lock.Unlock(), os.RemoveAll(w.path)) }

// publish gives a file of the workspace its final name, once the file is on disk. Without replace it returns a
// *disk.ExistsError if another process has taken the name.
func publish(temporary, path string, replace bool) error {
	if err := disk.Sync(temporary); err != nil {
		return err
	}
	if replace {
		return os.Rename(temporary, path)
	}
	return disk.Name(temporary, path)
}

// syncFolder writes the names in a folder to the disk, where the system can do that.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync() // some systems and file systems cannot do that
		_ = folder.Close()
	}
}
