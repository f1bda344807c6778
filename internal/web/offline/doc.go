// Package offline is the pages of a site without an arena. deploy/release writes some of them as files. The program in
// internal/web/inbrowser/wasm makes the others in the visitor's browser.
//
//	site, err := offline.New(offline.Config{Static: "/static", Version: "1.0"})
//	if err != nil {
//		log.Fatal(err)
//	}
//	answer := site.Answer(offline.Request{Path: "/analysis", Query: "position=2,2/0,0+D"})
//	fmt.Println(answer.Status)
package offline
