package annoying_test

import (
	"fmt"
	"log"

	"versus2048/players/annoying"
	"versus2048/players/searching"
	"versus2048/rules"
)

func Example() {
	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		log.Fatal(err)
	}
	search := annoying.New(annoying.Config{})
	move := search.Choose(position, position.AppendMoves(nil), searching.Budget{Depth: 3})
	fmt.Println(move, search.Result().Moves[0].Value)
	// Output: N 7974
}
