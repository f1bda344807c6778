package welcome_test

import (
	"fmt"

	"versus2048/internal/web/welcome"
)

func Example() {
	show := func() error {
		games, err := welcome.Games()
		if err != nil {
			return err
		}
		for _, scene := range welcome.NewScenes(&games[0].Record) {
			fmt.Println(scene.Story)
		}
		return nil
	}
	if err := show(); err != nil {
		fmt.Println(err)
	}
	// Output: alphabeta defends and makes a 2048, the largest tile of the game. alphabeta scores 22 484.
}
