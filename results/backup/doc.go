// Package backup copies a database while an arena plays on it, and restores the copy.
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
// A backup is a database, compressed by gzip or zstd if its name ends in .gz or .zst. A backup gets its name
// when it is complete and verified. Until then it is in a hidden folder beside its final path; if the process
// is killed, the next backup removes that folder. The backup's SHA-256 is in a file beside it, in the format of
// the program sha256sum. Restore compares the two, and then does the checks of Write: SQLite checks the
// database's structure, and each game is compared with its checksum. The option Full plays all games again.
package backup
