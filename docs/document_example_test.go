package docs_test

import (
	"fmt"
	"log"

	"versus2048/docs"
)

func ExampleHTML() {
	html, err := docs.HTML("PROTOCOL.md", []byte("See [the records](RECORDS.md)."))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(html)
	// Output: <p>See <a href="/docs/RECORDS">the records</a>.</p>
}
