package disk_test

import (
	"errors"
	"fmt"
	"io"
	"os"

	"versus2048/internal/disk"
)

func Example() {
	folder, err := os.MkdirTemp("", "disk-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	defer chdir(folder)()
	write()
	write()
	// Output: report.md was there before
}

func write() {
	err := disk.Write("report.md", false, func(w io.Writer) error {
		_, err := io.WriteString(w, "# Report\n")
		return err
	})
	var exists *disk.ExistsError
	if errors.As(err, &exists) {
		fmt.Println(exists.Path, "was there before")
	}
}

// chdir enters a folder and returns a function that leaves it.
func chdir(folder string) (back func()) {
	before, err := os.Getwd()
	if err == nil {
		err = os.Chdir(folder)
	}
	if err != nil {
		panic(err)
	}
	return func() { _ = os.Chdir(before) }
}
