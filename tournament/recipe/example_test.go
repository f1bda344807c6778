package recipe_test

import (
	"fmt"
	"time"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/recipe"
)

func Example() {
	event := tournament.Event{
		Name: "it's on", Rules: rules.GPCC2015, Size: rules.Full, Seed: 7, Matches: 10, Concurrency: 2,
		Entries: []tournament.Entry{{Name: "ann", Spec: "greedy"}, {Name: "bob"}}, Clock: tournament.Clock{PerMove: time.Second},
	}
	fmt.Println(recipe.Command(event, "http://127.0.0.1:2048"))
	fmt.Print(recipe.TOML(event))
	// Output:
	// arena event run --server http://127.0.0.1:2048 --bot ann=greedy --bot bob --name 'it'\''s on' --concurrency 2 --matches 10 --rules gpcc2015 --size 4x4 --seed 7 --time-per-move 1s
	// name = "it's on"
	// concurrency = 2
	// matches = 10
	// rules = "gpcc2015"
	// size = "4x4"
	// seed = 7
	// time_per_move = "1s"
	//
	// [[bot]]
	// name = "ann"
	// spec = "greedy"
	//
	// [[bot]]
	// name = "bob"
	// spec = ""
}
