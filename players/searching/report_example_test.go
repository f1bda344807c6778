package searching_test

import (
	"fmt"
	"log"
	"time"

	"versus2048/players/alphabeta"
	"versus2048/players/searching"
	"versus2048/rules"
)

func ExampleResult_Report() {
	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		log.Fatal(err)
	}
	search := alphabeta.New(alphabeta.Config{})
	search.Choose(position, position.AppendMoves(nil), searching.Budget{Depth: 2})
	report := search.Result().Report(20 * time.Millisecond)
	fmt.Println(report.Nodes, report.Variation[0])
	// Output: 116 N
}
