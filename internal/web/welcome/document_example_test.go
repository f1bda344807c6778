package welcome_test

import (
	"fmt"
	"log"

	"versus2048/internal/web/welcome"
)

func ExampleHTML() {
	html, err := welcome.HTML("PROTOCOL.md", []byte("See [the records](RECORDS.md)."))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(html)
	// Output: <p>See <a href="/docs/RECORDS">the records</a>.</p>
}
