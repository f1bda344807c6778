// Package stdio reads and writes the line protocol between an arena and a bot that it talks to over the
// bot's standard input and output, as docs/STDIO.md describes it.
//
//	request, err := stdio.ParseRequest("go 2,0/0,0 D ply=1 score=0 rules=gpcc2015 left_ms=1000 last=(1,1)")
//	if err != nil {
//		log.Fatal(err)
//	}
//	turn := request.(stdio.Go)
//	legal := turn.Position.AppendMoves(nil)
//	fmt.Println(stdio.Move{Text: legal[0].String()})
//
// What the arena says is a Request: Hello, Set, New, Go, Over or Quit. What the bot says is an Answer: ID,
// Option, Plays, Ready, Info, Move, Resign or Error. ParseRequest and ParseAnswer read a line, and String writes
// it. A line that nobody knows is Unknown, which both sides ignore; unknown keys are ignored, too. A
// Reader bounds the length of lines.
//
// A Search collects the Info lines before a move into the report that is recorded. Bot serves a
// players.Player over two streams; the counterpart, which runs a program as a player, is package
// players/process.
package stdio
