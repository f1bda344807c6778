// Package recipe writes an event down as what repeats it: a command line and a config file.
//
//	fmt.Println(recipe.Command(event, "http://127.0.0.1:2048"))
//	// arena tournament run --server http://127.0.0.1:2048 --bot ann=greedy --bot bob --seed 7 ...
//
// The opposite, reading them, is in cmd/arena; a test there compares the two.
package recipe
