//go:build !linux

package results

import "os"

// lockDatabase does nothing: other systems have no locks that go with an open file and leave those of
// SQLite alone. There the file beside the database has to do, which follows symbolic links.
func lockDatabase(string) (*os.File, error) { return nil, nil }

// checkNames does nothing on these systems.
func checkNames(string) error { return nil }
