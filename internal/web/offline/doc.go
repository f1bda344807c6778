// Package offline is the pages of a site without an arena. The program in the folder wasm answers with them in the
// visitor's browser; deploy/release writes the first of them as files.
//
//	site, err := offline.New(offline.Config{Static: "/static", Version: "1.0"})
//	if err != nil {
//		log.Fatal(err)
//	}
//	answer := site.Answer(offline.Request{Path: "/analysis", Query: "position=2,2/0,0+D"})
//	fmt.Println(answer.Status)
package offline
