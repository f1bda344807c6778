package recipe_test

import (
	"log"
	"os"

	"versus2048/rules"
	"versus2048/tournament/recipe"
)

func ExampleDrawOpenings() {
	variant := recipe.Variant{Rules: rules.GPCC2015, Size: rules.Size{Width: 3, Height: 3}}
	drawn := recipe.DrawOpenings(variant, 5, 2, 1)
	if err := recipe.WriteOpenings(os.Stdout, drawn, "two openings of 5 plies"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ; two openings of 5 plies
	// 0,2,2/2,0,0/0,0,0 D 0 5
	// 2,0,2/2,0,0/0,0,0 D 0 5
}
