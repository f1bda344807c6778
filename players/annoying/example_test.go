package annoying_test

import (
	"fmt"
	"log"

	"versus2048/players/annoying"
	"versus2048/rules"
)

func Example() {
	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		log.Fatal(err)
	}
	search := annoying.New(annoying.Config{Depth: 3})
	never := func() bool { return false }
	move := search.Choose(position, position.AppendMoves(nil), never, never)
	fmt.Println(move, search.Stats().Moves[0].Value)
	// Output: N 7974
}
