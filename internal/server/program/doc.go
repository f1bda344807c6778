// Package program runs the programs that play in an arena: bots that are commands of its host, and talk over their
// standard input and output (docs/STDIO.md).
//
//	commands, bots, err := program.Split([]string{"me=exec:python3 me.py", "greedy"})
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(bots, commands["me"])
//
// Only the user who starts the process of an arena can authorise a command: Split takes the commands out of the bots
// that a command line or config file names, and leaves their names. The table is kept in memory. The rest of the arena
// knows a program only by its name, as it knows a bot that connects by itself: a text from HTTP, from the database or
// from an import can name an entry of the table, but not a command.
//
// A Bot is a tournament.Bot; its seats are games of a process.Program.
package program
