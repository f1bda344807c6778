// Package gametree draws the complete game on a board that is small enough: every
// position, its value under perfect play, and the moves between positions.
//
//	tree, err := gametree.New(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(tree.Summary())
//	if err := tree.WritePicture(os.Stdout, picture.SVG); err != nil {
//		log.Fatal(err)
//	}
//
// The picture is a layered graph as in Figure 4.2 of Yamashita's thesis on small
// boards (2023): the sum of the tiles grows from top to bottom, and perfect moves and
// mated positions are highlighted. The values are computed here by plain backward
// induction, as a reference for package exact.
package gametree
