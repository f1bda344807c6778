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
// A Program has a process for each game in progress. A process that has played a game to its end plays further ones.
// A process that has died, kept silent, or written too much is ended, and the next game gets a new one. Each process
// has a process group of its own, if the system has them, so that it ends together with the processes that it has
// started. On Linux it also ends when this process is killed.
//
// A Game is a players.Searcher. Its Ask asks for a move with the referee's clock. Its Log is the program's
// output to standard error during the game, with remarks on lines that the program should not have written.
package process
