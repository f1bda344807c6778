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
// A Player chooses moves in one game. It may be in this process or at the other end of a connection. A Spec such as
// "mcts:playouts=10000,seed=7" makes players of this package; Kinds lists their kinds and options. Every kind plays
// both roles on every size of board under every rule set, with three exceptions. The bot perfect plays the game of its
// table or its proof. A bot with a network plays on boards of its network's size. A bot with the program's own neural
// networks plays only the games of these networks. See Spec.Plays.
//
// The searches themselves are in packages below this one: mcts, alphabeta, annoying, expectimax and puct. They use
// other packages below this one, such as playout and evaluation, and know nothing of players, clocks and records.
// This package maps the options of a spec to the configuration of a search, and the results of the search to a
// report in the game's record.
//
// The moves of a bot depend on its spec, the game's seed and the position alone, not on a clock or on earlier moves.
// There are exceptions. A search with a time limit plays the best move that it has found when its time is up. A search
// with reuse or keep continues from the previous search. With several threads, the same search may choose another move.
// The values of a neural network may differ between processors. The bot champion has a time limit by default, and keeps
// its table. On 4x4 it searches with n-tuple networks that are part of the program: under gpcc2015 as the attacker, and
// under gpcc2016 in both roles.
package players
