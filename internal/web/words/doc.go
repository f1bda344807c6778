// Package words has the texts of pages for numbers, times, pauses and the ends of games.
//
//	fmt.Println(words.Number(-12345), words.Count(2, "ply", "plies"), words.Ordinal(12))
package words
