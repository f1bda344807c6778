package results

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// InUse reports whether an arena has the database at path open, in this or another process. It looks at the
// file that an arena locks beside the database, and creates nothing. For the moment of the look an arena
// that opens the database is refused.
func InUse(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	beside := path + ".lock"
	if _, err := os.Stat(beside); err != nil {
		return false
	}
	lock := flock.New(beside)
	locked, err := lock.TryRLock()
	if locked {
		err = lock.Unlock()
	}
	return err == nil && !locked
}
