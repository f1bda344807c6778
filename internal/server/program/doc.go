// Package program has the bots that an arena starts: how a user names one ([Resolver]), what it may use of the machine
// ([Allowance], [Memory]), and its process. A bot is started from a spec, or it is a program: a command of the arena's
// host, which talks over its standard input and output (docs/STDIO.md).
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
