package study_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/internal/study"
	"versus2048/rules/record"
)

func Example() {
	ctx := context.Background()
	game, err := record.Parse(`
[Attacker "Ada"]
[Defender "Bob"]
[Size "2x2"]
[Ending "resigned"]

1. (1,1) S 2. (1,1) N 3. (2,1) S
`)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range study.Of(&game, ctx.Err).List {
		fmt.Println(m.Ply, m.Why)
	}
	// Output:
	// 6 Ada resigned as attacker
}
