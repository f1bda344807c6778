// Package playertest is the conformance suite that every Player passes, in this process or behind a connection.
//
//	spec, err := players.Parse("greedy")
//	if err != nil {
//		t.Fatal(err)
//	}
//	playertest.Run(t, playertest.Suite{
//		New: func(_ *testing.T, g playertest.Setting) players.Player {
//			return spec.New(players.Game{Seed: g.Seed})
//		},
//		Ended: true,
//	})
//
// The suite only asks for moves. The function that makes a player also connects it, announces the game
// to it and, with t.Cleanup, disconnects it.
package playertest
