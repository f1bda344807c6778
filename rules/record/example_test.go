package record_test

import (
	"fmt"
	"log"

	"versus2048/rules/record"
)

func Example() {
	game, err := record.Parse(`
[Attacker "Ada"]
[Defender "Bob"]
[Size "2x2"]

1. (1,1) S 2. (1,1) N 3. (2,1) S 4. (1,1) N 5. (2,2) N 6. (2,2)
`)
	if err != nil {
		log.Fatal(err)
	}
	position, err := game.Replay()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(position, position.Over(), game.Ending)
	// Output: 2,4/4,2 D 8 11 true mate
}
