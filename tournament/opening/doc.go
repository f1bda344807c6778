// Package opening draws, balances, reads and writes the positions at the start of an event's games.
//
//	variant := opening.Variant{Rules: rules.GPCC2015, Size: rules.Size{Width: 3, Height: 3}}
//	drawn := opening.Draw(variant, 5, 2, 1)
//	if err := opening.Write(os.Stdout, drawn, "two openings of 5 plies"); err != nil {
//		log.Fatal(err)
//	}
//
// # The file format
//
// A file is text in UTF-8. A ; starts a comment, and blank lines are ignored. Each other
// line is one opening, in one of two forms, which may be mixed:
//
//	0,2,0,0/0,0,0,2/0,0,0,0/0,0,2,0 D 0 5    a position as rules.Position writes it
//	1. (2,2) N 2. (4,3) W 3. (1,1)           moves from the empty board
//
// A text with a line that starts with [ consists of records instead, in the format of
// [versus2048/rules/record]. Then each game's last position is an opening.
package opening
