// Package roster has the bots that are connected to an arena or play on it: a [Slot] for each name on the [Roster], an
// [Engagement] for each event or game of a bot, and the [RemoteBot] that plays there.
//
// A [Pool] divides the slots of bots that play in several events at once.
//
//	pool := roster.NewPool()
//	league, ladder := pool.Allocate(), pool.Allocate()
//	for _, event := range []*roster.Allocation{league, ladder} {
//		event.Add("snake", func() int { return 1 })
//	}
//	fmt.Println("the league plays:", league.Take("snake"))
//	fmt.Println("the ladder plays:", ladder.Take("snake"))
//	ladder.Wait("snake")
//	league.Give("snake")
//	fmt.Println("the league plays again:", league.Free("snake"))
//	<-ladder.Freed()
//	fmt.Println("the ladder plays:", ladder.Take("snake"))
//
// A bot never has more games than slots. A game takes a slot of each of its bots or none, so no two events wait for
// each other. An event that cannot start a game requests slots of its bots. A request has priority over events that do
// not wait; among requests, the event with the fewest games of these bots is first, then the one that has waited
// longest. A request keeps no slot idle while another of its bots is busy, unless others have taken slots of all of its
// bots several times meanwhile. So every request is served in the end. See docs/adr/0022-sharing.md.
//
// The package also starts bots. A [Resolver] turns the bots that a user names into entries, an [Allowance] and a
// [MemoryBudget] limit their share of the machine, and no two bots share a process. A bot is started from a spec, or it
// is a program: a command of the arena's host, which talks over its standard input and output (docs/STDIO.md). A
// [ProgramBot] is a tournament.Bot; its seats are games of a process.Program.
//
// Only the user who starts the process of an arena can authorise a command: [SplitCommands] takes the commands out of
// the bots that a command line or config file names, and leaves their names. The [Commands] are kept in memory. The
// rest of the arena knows a program only by its name, as it knows a bot that connects by itself: a text from HTTP, from
// the database or from an import can name a program, but not a command.
package roster
