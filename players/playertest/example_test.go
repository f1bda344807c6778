package playertest_test

import (
	"testing"

	"versus2048/players"
	"versus2048/players/playertest"
)

func Example() {
	var t *testing.T // the test that calls the suite

	spec, err := players.Parse("greedy")
	if err != nil {
		t.Fatal(err)
	}
	playertest.Run(t, playertest.Suite{
		New: func(_ *testing.T, g playertest.Setting) players.Player {
			return spec.New(players.Game{Seed: g.Seed})
		},
		Ended: true,
	})
}
