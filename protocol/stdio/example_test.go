package stdio_test

import (
	"fmt"
	"log"

	"versus2048/protocol/stdio"
)

func Example() {
	request, err := stdio.ParseRequest("go 2,0/0,0 D ply=1 score=0 rules=gpcc2015 left_ms=1000 last=(1,1)")
	if err != nil {
		log.Fatal(err)
	}
	turn := request.(stdio.Go)
	legal := turn.Position.AppendMoves(nil)
	fmt.Println(stdio.Move{Text: legal[0].String()})
	// Output: move S
}
