// Package document reads the pages of docs, for tests that compare them with the code.
//
//	text := document.Read(t, "../../docs/PROTOCOL.md")
//	for _, example := range document.Blocks(text, "json") {
//		fmt.Println(example)
//	}
package document
