// Package program has the programs that an arena plays with: bots that are commands of its host, and talk
// over their standard input and output (docs/STDIO.md).
//
//	commands, bots, err := program.Split([]string{"me=exec:python3 me.py", "greedy"})
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(bots, commands["me"])
//
// Only whoever starts the process that runs an arena authorises a command: Split takes the commands out of
// the bots that a command line or config file names, and leaves their names. The table is kept in memory.
// Everything else in an arena knows a program by its name alone, as it knows a bot that connects by itself:
// what comes over HTTP, from the database or from an import, can name an entry of the table, but no command.
//
// A Bot is a tournament.Bot whose seats are games of a process.Program.
package program
