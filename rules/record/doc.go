// Package record holds the record of a game: its start, its moves and its players, in a text form and a JSON form,
// together with the players' reports on their searches.
//
//	game, err := record.Parse(`
//	[Attacker "Ada"]
//	[Defender "Bob"]
//	[Size "2x2"]
//
//	1. (1,1) S 2. (1,1) N 3. (2,1) S 4. (1,1) N 5. (2,2) N 6. (2,2)
//	`)
//	if err != nil {
//		log.Fatal(err)
//	}
//	position, err := game.Replay()
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(position, position.Over(), game.Ending)
//
// Record is one game. Its score and its largest tile follow from its start and its moves. WriteText writes the text
// form, Parse and Reader read it; encoding/json writes and reads the JSON form. SearchReport is a player's report on
// the search behind one move. docs/RECORDS.md describes both forms.
package record
