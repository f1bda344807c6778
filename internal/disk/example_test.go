package disk_test

import (
	"fmt"

	"versus2048/internal/disk"
)

func Example() {
	free, err := disk.Free(".")
	if err != nil {
		panic(err)
	}
	fmt.Println(free >= 0)
	// Output: true
}
