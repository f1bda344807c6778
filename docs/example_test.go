package docs_test

import (
	"bytes"
	"fmt"

	"versus2048/docs"
)

func Example() {
	text, err := docs.Files.ReadFile("PROTOCOL.md")
	if err != nil {
		panic(err)
	}
	title, _, _ := bytes.Cut(text, []byte("\n"))
	fmt.Printf("%s\n", title)
	// Output: # The protocol between arena and bot, version 1
}
