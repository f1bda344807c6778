package analysis_test

import (
	"fmt"
	"log"
	"net/url"

	"versus2048/internal/web/analysis"
)

func Example() {
	position, err := analysis.PositionIn(url.Values{"position": {"2,2/0,0 D"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range analysis.NewPage(nil, position).Moves {
		fmt.Println(m.Text)
	}
	// Output:
	// slide down
	// slide left
	// slide right
}
