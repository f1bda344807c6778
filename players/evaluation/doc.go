// Package evaluation rates positions: with the evaluation function of Oka, Matsuzaki and Haraguchi 2015, with the one
// of ov3y's 2048-AI, and with gradients along rows and columns.
//
//	position, err := rules.ParsePosition(rules.GPCC2015, "2,0/0,4 D 4")
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(evaluation.Variant{}.Position(position))
//
// The value of a position by Oka et al. is twice its score minus the sum of |a-b| over all pairs of adjacent cells
// with the values a and b. High values are good for the defender.
//
// A Variant of this function evaluates single positions. A search of many boards of one size makes an Evaluator,
// which looks up whole rows and columns in tables.
//
// A Gradient holds the weights of an evaluation that knows more about the game: whether tiles fall or rise
// along lines, and whether equal tiles can still be merged. Its On makes a Directed, which looks up lines like
// an Evaluator.
package evaluation
