// Package advantage tells how a game stands: the final score to which a position leads, and the share that it has in
// the points of both games of a match.
//
//	values := advantage.Values(tables)
//	score, exact, ok := values.Expected(position)
//	if ok {
//		fmt.Println("The defender makes", score, "points; by a table:", exact)
//	}
//
// Tables of exact values know it where they are loaded. On 4x4 the networks that come with the program expect it: those
// that the champion searches with, but without a search, so that a value takes half a microsecond.
package advantage
