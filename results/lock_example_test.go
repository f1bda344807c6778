package results_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"versus2048/results"
)

func ExampleTakeLock() {
	folder, err := os.MkdirTemp("", "lock-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "arena.db")
	held, err := results.TakeLock(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("in use:", results.InUse(path))
	if err := held.Release(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("in use:", results.InUse(path))
	// Output:
	// in use: true
	// in use: false
}
