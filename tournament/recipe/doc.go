// Package recipe writes the text that repeats an event: a command line or a config file.
//
//	fmt.Println(recipe.Command(event, "http://127.0.0.1:2048"))
//	fmt.Print(recipe.TOML(event))
//
// The opposite, reading them, is in cmd/arena; a test there compares the two. Every reader of an
// event, also from a request or a form, calls [Prepare] and [Complete] to fill in missing values.
package recipe
