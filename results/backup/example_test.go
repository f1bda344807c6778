package backup_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"versus2048/results"
	"versus2048/results/backup"
)

func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "backup-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := os.Chdir(folder); err != nil {
		log.Fatal(err)
	}
	store, err := results.Open(ctx, "arena.db")
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	saved, err := backup.Write(ctx, "arena.db", "arena-backup.db.zst", backup.Options{})
	if err != nil {
		log.Fatal(err)
	}
	restored, err := backup.Restore(ctx, saved.File, "other.db", backup.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(saved.Events == restored.Events, saved.Games == restored.Games)
	// Output: true true
}
