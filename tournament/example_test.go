package tournament_test

import (
	"context"
	"fmt"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func Example() {
	ctx := context.Background()
	random, err := players.Parse("random")
	if err != nil {
		panic(err)
	}
	greedy, err := players.Parse("greedy")
	if err != nil {
		panic(err)
	}

	attacker := &tournament.LocalBot{ID: tournament.Identity{Name: "ann"}, Games: 1, New: random.New}
	defender := &tournament.LocalBot{ID: tournament.Identity{Name: "bob"}, Games: 1, New: greedy.New}
	game := tournament.Game{Record: record.Record{
		Start:  rules.NewPosition(rules.GPCC2015, rules.Full),
		Ending: record.Unfinished,
	}}
	game, err = tournament.Referee{}.Play(ctx, game,
		attacker.Sit(tournament.Assignment{Game: game, Side: rules.Attacker, Seed: 1}),
		defender.Sit(tournament.Assignment{Game: game, Side: rules.Defender, Seed: 2}))

	fmt.Println(game.Record.Ending, err)
	// Output: mate <nil>
}
