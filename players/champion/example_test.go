package champion_test

import (
	"fmt"
	"log"

	"versus2048/players/champion"
	"versus2048/players/ntuple"
	"versus2048/players/searching"
	"versus2048/rules"
)

func Example() {
	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		log.Fatal(err)
	}
	search := champion.New(champion.Config{Table: 18, Keep: true, Network: ntuple.Own})
	move := search.Choose(position, position.AppendMoves(nil), searching.Budget{Depth: 3})
	fmt.Println(move, search.Result().Depth)
	// Output: N 3
}
