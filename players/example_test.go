package players_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/players"
	"versus2048/rules"
)

func Example() {
	spec, err := players.Parse("greedy:seed=7")
	if err != nil {
		log.Fatal(err)
	}
	defender := spec.New(players.Game{Seed: 2015})
	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		log.Fatal(err)
	}
	move, err := defender.Choose(context.Background(), position)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(position.Next(move).Score() - position.Score())
	// Output: 16
}
