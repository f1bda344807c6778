package ntuple_test

import (
	"fmt"
	"log"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

func Example() {
	network, err := ntuple.Open("4x4-gpcc2015.ntuple")
	if err != nil {
		log.Fatal(err)
	}
	defer network.Close()
	position, err := rules.ParsePosition(network.Rules(), "2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2 A")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(network.Of(position.Board()), "points are still to come")
}
