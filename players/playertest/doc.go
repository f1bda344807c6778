// Package playertest is the conformance suite that every Player passes, in
// this process or behind a socket.
//
//	spec, err := players.Parse("greedy")
//	if err != nil {
//		t.Fatal(err)
//	}
//	playertest.Run(t, playertest.Suite{
//		New: func(_ *testing.T, g playertest.Game) players.Player {
//			return spec.New(g.Seed)
//		},
//		Ended: true,
//	})
//
// The suite asks for moves and does nothing else: how a player is connected,
// told of a game and let go is the factory's business, for which it has
// t.Cleanup.
package playertest
