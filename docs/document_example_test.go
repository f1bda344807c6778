package document_test

import (
	"fmt"
	"log"

	"versus2048/internal/web/document"
)

func Example() {
	html, err := document.HTML("PROTOCOL.md", []byte("See [the records](RECORDS.md)."))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(html)
	// Output: <p>See <a href="/docs/RECORDS.md">the records</a>.</p>
}
