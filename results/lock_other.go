//go:build !linux

package results

import "os"

// lockDatabase does nothing, since other systems have no locks that belong to an open file and do
// not disturb SQLite's locks. There only the file beside the database is locked.
func lockDatabase(string) (*os.File, error) { return nil, nil }

// checkNames does nothing on these systems.
func checkNames(string) error { return nil }
