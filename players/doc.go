// Package players holds the bots and the specs that name them.
//
//	spec, err := players.Parse("greedy:seed=7")
//	if err != nil {
//		log.Fatal(err)
//	}
//	defender := spec.New(players.Game{Seed: 2015})
//	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	move, err := defender.Choose(context.Background(), position)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(position.Next(move).Score() - position.Score())
//
// A Player chooses moves in one game. It may be in this process or at the other end of a connection. A
// Spec such as "mcts:playouts=10000,seed=7" makes players of this package; Kinds lists their kinds and
// options. Every kind plays both roles on every size of board under every rule set, except perfect,
// which plays the game that its table has solved or its proof is about, and a bot with a network, which
// plays the game that the network is for: see Spec.Plays.
//
// The searches themselves are in packages below this one, which know nothing of players, clocks and
// records: mcts, alphabeta, annoying, expectimax, and what these use, playout and evaluation. This
// package maps the options of a spec to the configuration of a search, and what the search reports to
// a record.
//
// The moves of a bot depend on its spec, the game's seed and the position alone, not on a clock or on
// earlier moves. Some options give that up: a search with a time limit plays what it has found by then,
// one with reuse or keep continues from the search before, and with several threads no two searches are
// alike. champion has a time limit by default, and keeps its table. It attacks with an n-tuple network that is
// part of the program.
package players
