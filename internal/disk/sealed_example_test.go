package disk_test

import (
	"bytes"
	"fmt"

	"versus2048/internal/disk"
)

func ExampleSealed() {
	kind := disk.Sealed{Magic: "shopping list\n", Version: 1, Name: "a shopping list", Remedy: "write it again"}
	var file bytes.Buffer
	if err := kind.Write(&file, []string{"milk"}, []byte("two bottles")); err != nil {
		panic(err)
	}
	var header []string
	body, err := kind.Read(file.Bytes(), &header)
	if err != nil {
		panic(err)
	}
	fmt.Println(header, string(body))
	// Output: [milk] two bottles
}
