// Package recipe writes an event down as what repeats it: a command line and a config file.
//
//	fmt.Println(recipe.Command(event, "http://127.0.0.1:2048"))
//	fmt.Print(recipe.TOML(event))
//
// The opposite, reading them, is in cmd/arena; a test there compares the two. Whoever reads an event, also from a request
// or a form, completes what it leaves out by [Unset] and [Complete].
package recipe
