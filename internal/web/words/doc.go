// Package words says in words what pages show: numbers, times, how games and matches ended.
//
//	fmt.Println(words.Number(-12345), words.Count(2, "ply", "plies"), words.Ordinal(12))
package words
