// Package process runs a program as a player: it talks to processes of the program over their standard input
// and output, by the line protocol of docs/STDIO.md.
//
//	program, err := process.Start(ctx, process.Config{Command: []string{"python3", "me.py"}})
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer program.Close()
//	game := program.Play(ctx, stdio.New{Game: "1", Role: rules.Attacker, Rules: rules.GPCC2015, Size: rules.Full, Seed: 7})
//	move, err := game.Choose(ctx, rules.NewPosition(rules.GPCC2015, rules.Full))
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(move)
//	game.Over(stdio.Over{})
//
// A Program has as many processes as games are played at once. A process that has played a game to its end
// plays further ones. One that has died, kept silent, or written too much is ended, and the next game gets a
// new one. Each process has a process group of its own where the system has these, so that it ends together
// with the processes that it has started. On Linux it ends when we are killed, too.
//
// A Game is a players.Searcher. Its Ask does the same with the referee's clock. What the program writes to
// standard error during the game is its Log, with remarks on lines that it should not have written.
package process
