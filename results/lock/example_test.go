package lock_test

import (
	"fmt"
	"log"
	"os"

	"versus2048/results/lock"
)

func Example() {
	folder, err := os.MkdirTemp("", "lock-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := os.Chdir(folder); err != nil {
		log.Fatal(err)
	}
	held, err := lock.Take("arena.db")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("in use:", lock.InUse("arena.db"))
	if err := held.Release(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("in use:", lock.InUse("arena.db"))
	// Output:
	// in use: true
	// in use: false
}
