package main

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/players"
	"versus2048/tournament"
	"versus2048/tournament/opening"
)

// conditionFlags say how an event's games begin, what a move may take, and how
// games end other than by a mate.
func conditionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "openings", Usage: "where games start: a file (see: arena openings) or random:plies=8,seed=1; each opening is played by two matches, in both roles"},
		&cli.Uint64Flag{Name: "playouts", Usage: "playouts for each move, for bots that count them, whatever their specs say"},
		&cli.Uint64Flag{Name: "nodes", Usage: "positions that a search keeps at most, for bots that count them"},
		&cli.DurationFlag{Name: "margin", Usage: "how much later than its time a move still counts"},
		&cli.DurationFlag{Name: "lag", Usage: "how much of each move's time is given back at most for the network, as the arena measures it"},
		&cli.IntFlag{Name: "max-turns", Usage: "end games after so many turns; 0 for no limit"},
		&cli.IntFlag{Name: "max-tile", Usage: "end games when such a tile is made; 0 for no limit"},
		&cli.BoolFlag{Name: "early-decision", Usage: "end a match's second game once its score has passed the first one's"},
		&cli.BoolFlag{Name: "resign", Usage: "let bots resign: a defender keeps its score, an attacker forfeits the match"},
		&cli.IntFlag{Name: "strikes", Usage: "set a bot aside after so many faults; 0 for never"},
		&cli.StringFlag{Name: "struck-games", Usage: "the games of a bot that is set aside: count (its opponents win those that are left) or void"},
	}
}

// readConditions reads them into the setup, whose rules and size are known.
func readConditions(c *cli.Context, s *arena.Setup) error {
	for _, name := range []string{"margin", "lag"} {
		if c.Duration(name)%time.Millisecond != 0 {
			return fmt.Errorf("--%s %v: want whole milliseconds", name, c.Duration(name))
		}
	}
	s.Settings.Budget = players.Effort{Playouts: c.Uint64("playouts"), Nodes: c.Uint64("nodes")}
	s.Settings.Lenience = tournament.Lenience{Margin: arena.Millis(c.Duration("margin")), Lag: arena.Millis(c.Duration("lag"))}
	s.Settings.Adjudication = tournament.Adjudication{
		MaxTurns:      c.Int("max-turns"),
		MaxTile:       c.Int("max-tile"),
		EarlyDecision: c.Bool("early-decision"),
		Resign:        c.Bool("resign"),
	}
	s.Settings.Strikes = tournament.Strikes{Faults: c.Int("strikes"), Games: tournament.StruckGames(c.String("struck-games"))}
	if source := c.String("openings"); source != "" {
		starts, err := opening.Load(source, opening.Variant{Rules: s.Rules, Size: s.Size})
		if err != nil {
			return err
		}
		s.Settings.Openings = tournament.NewOpenings(source, starts)
	}
	return nil
}
