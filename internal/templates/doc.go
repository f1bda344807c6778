// Package templates has small bots in several languages, each ready to play and to be changed.
//
//	python, err := templates.Find("python")
//	if err != nil {
//		log.Fatal(err)
//	}
//	if err := python.Write("mybot", folder); err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(python.Run)
//
// A template has the rules of the game, a greedy choice of a move, and the line protocol over stdin and stdout, in at
// most 150 lines; some connect over WebSocket, too. None needs more than its language's standard library. Write puts in
// the bot's name, and takes the suffix .txt off the names of files. Nothing else has to change in the sources.
package templates
