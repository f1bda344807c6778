package opening_test

import (
	"log"
	"os"

	"versus2048/rules"
	"versus2048/tournament/opening"
)

func Example() {
	variant := opening.Variant{Rules: rules.GPCC2015, Size: rules.Size{Width: 3, Height: 3}}
	drawn := opening.Draw(variant, 5, 2, 1)
	if err := opening.Write(os.Stdout, drawn, "two openings of 5 plies"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ; two openings of 5 plies
	// 0,2,2/2,0,0/0,0,0 D 0 5
	// 2,0,2/2,0,0/0,0,0 D 0 5
}
