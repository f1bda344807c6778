// Package stdio reads and writes the line protocol between an arena and a bot, over the bot's
// standard input and output. docs/STDIO.md describes it.
//
//	request, err := stdio.ParseRequest("go 2,0/0,0 D ply=1 score=0 rules=gpcc2015 left_ms=1000 last=(1,1)")
//	if err != nil {
//		log.Fatal(err)
//	}
//	turn := request.(stdio.Go)
//	legal := turn.Position.AppendMoves(nil)
//	fmt.Println(stdio.Move{Text: legal[0].String()})
//
// A line from the arena is a Request: Hello, Set, New, Go, Over or Quit. A line from the bot is an
// Answer: ID, Option, Plays, Ready, Info, Move, Resign or Error. ParseRequest and ParseAnswer read
// a line, and String writes it. A line with an unknown first word is Unknown; both sides ignore
// such lines, and unknown keys. A Reader bounds the length of lines.
//
// A Search collects the Info lines before a move into the report that is recorded. A Bot serves a players.Player over
// two streams. Its counterpart is package players/process, which runs a program as a player.
package stdio
