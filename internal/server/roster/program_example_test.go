package roster_test

import (
	"fmt"
	"log"

	"versus2048/internal/server/roster"
)

func ExampleSplitCommands() {
	commands, bots, err := roster.SplitCommands([]string{"me=exec:python3 me.py", "greedy"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bots, commands["me"])
	// Output: [me greedy] [python3 me.py]
}
