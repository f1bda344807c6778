// Package document makes pages of the documents in docs.
//
//	html, err := document.HTML("PROTOCOL.md", []byte("See [the records](RECORDS.md)."))
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Print(html)
package document
