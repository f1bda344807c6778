// Package backup copies a database while an arena plays on it, and puts such a copy back.
//
//	saved, err := backup.Write(ctx, "arena.db", "arena-backup.db.zst", backup.Options{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	restored, err := backup.Restore(ctx, saved.File, "other.db", backup.Options{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(saved.Events == restored.Events, saved.Games == restored.Games)
//
// A backup is a database, or one that is compressed by gzip or zstd if its name ends in .gz or .zst. It is
// complete and verified when it gets its name: until then it is in a hidden folder beside it, which the
// next backup removes if this one is killed. Beside it is a file with its SHA-256, as the program
// sha256sum reads it. Restore compares the two, and then does what Write does: it lets SQLite check the
// database's structure, and compares each game with its checksum. Who wants it plays all games again.
package backup
