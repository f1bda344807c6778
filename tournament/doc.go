// Package tournament plays events of versus 2048 between bots. A [Referee] plays one game, a match
// consists of two games, and a [Runner] plays the matches of an event in the order of its [Format].
//
//	attacker := &tournament.LocalBot{ID: tournament.Identity{Name: "ann"}, Games: 1, New: random.New}
//	defender := &tournament.LocalBot{ID: tournament.Identity{Name: "bob"}, Games: 1, New: greedy.New}
//	game := tournament.Game{Record: record.Record{
//		Start:  rules.NewPosition(rules.GPCC2015, rules.Full),
//		Ending: record.Unfinished,
//	}}
//	game, err = tournament.Referee{}.Play(ctx, game,
//		attacker.Sit(tournament.Assignment{Game: game, Side: rules.Attacker, Seed: 1}),
//		defender.Sit(tournament.Assignment{Game: game, Side: rules.Defender, Seed: 2}))
//
// The package uses neither sockets nor databases: a [Bot] may be local or at the other end of a
// connection, and a [Journal] stores the games. The formats are in tournament/format, statistics
// and their tables in tournament/report.
package tournament
