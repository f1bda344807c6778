package offline_test

import (
	"fmt"
	"log"

	"versus2048/internal/web/offline"
)

func Example() {
	site, err := offline.New(offline.Config{Static: "/static", Version: "1.0"})
	if err != nil {
		log.Fatal(err)
	}
	answer := site.Answer(offline.Request{Path: "/analysis", Query: "position=2,2/0,0+D"})
	fmt.Println(answer.Status)
	// Output: 200
}
