// Package players holds the bots and the specs that name them.
//
//	spec, err := players.Parse("greedy:seed=7")
//	if err != nil {
//		log.Fatal(err)
//	}
//	defender := spec.New(2015)
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
// A Player chooses moves in one game; it may sit in this process or behind a
// socket. A Spec such as "mcts:playouts=10000,seed=7" makes the players of
// this package, whose kinds and options Kinds lists. Any kind plays both roles
// on every board size under every rule set, but for perfect, which plays the game
// that its table has solved: see Spec.Plays.
//
// What a bot plays depends on its spec, the game's seed and the position
// alone: no clock, no memory of the game. The exceptions are asked for: a search
// that time cuts short plays what it has found by then, one with reuse goes on
// from the search before, and with several threads no two searches are alike.
package players
