// Package fulldisk makes the writes of SQLite fail as on a full disk, in tests: after some writes to the files of
// a folder, the next one stops in the middle, and all later ones write nothing.
//
//	disk := fulldisk.New(t)
//	disk.Fill(folder, 3)
//	err := play(filepath.Join(folder, "arena.db")) // database or disk is full (13)
//	disk.Free()
//
// It needs Linux.
package fulldisk
