// Package verdict has the texts of pages for who has won or leads: in a game, in a match and in an event.
//
//	fmt.Println(verdict.Match(games...))
package verdict
