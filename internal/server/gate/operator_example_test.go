package gate_test

import (
	"fmt"
	"os"
	"path/filepath"

	"versus2048/internal/server/gate"
)

func ExampleWriteOperatorFile() {
	folder, err := os.MkdirTemp("", "operator")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	database := filepath.Join(folder, "arena.db")
	f, err := gate.WriteOperatorFile(database, "127.0.0.1:2048")
	if err != nil {
		panic(err)
	}
	defer f.Remove()
	read, err := gate.ReadOperatorFile(f.Path)
	fmt.Println(read.Secret == f.Secret, err)
	// Output: true <nil>
}
