// Package recipe writes the text that repeats an event: a command line or a config file.
//
//	fmt.Println(recipe.Command(event, "http://127.0.0.1:2048"))
//	fmt.Print(recipe.TOML(event))
//
// cmd/arena reads such texts; a test there checks that it reads the texts of this package. Every reader of an
// event, also from a request or a form, calls [Prepare] and [Complete] to fill in missing values.
//
// # Openings
//
// Openings are the positions at the start of an event's games: [DrawOpenings] draws them, [BalanceOpenings] chooses the
// fair ones, [ReadOpenings] and [WriteOpenings] read and write files. A file is text in UTF-8. A ; starts a comment,
// and blank lines are ignored. Each other line is one opening, in one of two forms, which may be mixed:
//
//	0,2,0,0/0,0,0,2/0,0,0,0/0,0,2,0 D 0 5    a position as rules.Position writes it
//	1. (2,2) N 2. (4,3) W 3. (1,1)           moves from the empty board
//
// A text with a line that starts with [ consists of records instead, in the format of
// [versus2048/rules/record]. Then each game's last position is an opening.
package recipe
