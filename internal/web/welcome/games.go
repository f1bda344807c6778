package welcome

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"versus2048/rules/record"
	"versus2048/tournament"
)

//go:embed games/first.txt
var firstGames string

// Games returns the games that come with the program, for arenas that have none of their own: two matches of two games.
// Their file has the command that made them.
func Games() (games []tournament.Game, err error) {
	for in := record.NewReader(strings.NewReader(firstGames)); ; {
		r, err := in.Read()
		if errors.Is(err, io.EOF) {
			return games, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the games that come with the program: %w", err)
		}
		g := tournament.Game{Leg: 1 + len(games)%2, Record: r}
		g.Pairing = tournament.Pairing{Match: 1 + len(games)/2, Round: 1, Nth: 1, First: r.Defender, Second: r.Attacker}
		if g.Leg == 2 {
			g.Pairing.First, g.Pairing.Second = r.Attacker, r.Defender
		}
		games = append(games, g)
	}
}
