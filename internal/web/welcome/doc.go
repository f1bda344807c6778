// Package welcome has the parts of the pages that strangers see first: games that come with the program, the scenes of
// games that are worth a look, opponents of three strengths, the examples of the rules, and the documents.
//
//	games, err := welcome.Games()
//	if err != nil {
//		return err
//	}
//	for _, scene := range welcome.NewScenes(&games[0].Record) {
//		fmt.Println(scene.Story)
//	}
package welcome
