// Package fulldisk makes the writes of SQLite fail as on a full disk, in tests: the nth write to the files
// of a folder, in the middle, and all after it.
//
//	disk := fulldisk.New(t)
//	disk.Fill(folder, 3)
//	err := play(filepath.Join(folder, "arena.db")) // database or disk is full (13)
//	disk.Free()
//
// It needs Linux.
package fulldisk
