package roster_test

import (
	"fmt"

	"versus2048/internal/server/roster"
)

func Example() {
	pool := roster.NewPool()
	league, ladder := pool.Allocate(), pool.Allocate()
	for _, event := range []*roster.Allocation{league, ladder} {
		event.Add("snake", func() int { return 1 })
	}
	fmt.Println("the league plays:", league.Take("snake"))
	fmt.Println("the ladder plays:", ladder.Take("snake"))
	ladder.Wait("snake")
	league.Give("snake")
	fmt.Println("the league plays again:", league.Free("snake"))
	<-ladder.Freed()
	fmt.Println("the ladder plays:", ladder.Take("snake"))
	// Output:
	// the league plays: true
	// the ladder plays: false
	// the league plays again: false
	// the ladder plays: true
}
