package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"versus2048/analysis/shortest"
	"versus2048/rules"
	"versus2048/rules/record"
)

// shortestGames are the shortest games from a position, as arena shortest
// reports them: its own JSON.
type shortestGames struct {
	Rules rules.Ruleset `json:"rules"`
	Start string        `json:"start"`
	Plies int           `json:"plies"` // that were looked at
	Turns []endingTurn  `json:"turns"` // in which games end
}

// endingTurn is a turn in which games end. Numbers of lines are strings, as most
// readers of JSON know no numbers so large.
type endingTurn struct {
	Plies     int          `json:"plies"`
	Positions int          `json:"positions"` // with the attacker to move before it
	Mated     int          `json:"mated"`
	Ended     string       `json:"ended"`
	Lines     string       `json:"lines"`
	Games     []endingGame `json:"games"`
}

// endingGame is one game to a mated position.
type endingGame struct {
	Lines  string        `json:"lines"` // that end in this position
	Record record.Record `json:"record"`
	last   rules.Position
}

// add adds a turn, with games to its first mated positions.
func (s *shortestGames) add(search *shortest.Search, t shortest.Turn, positions int) error {
	s.Plies = t.Plies
	if len(t.Mated) == 0 {
		return nil
	}
	turn := endingTurn{t.Plies, t.Positions, len(t.Mated), t.Ended.String(), t.Lines.String(), []endingGame{}}
	for i, m := range t.Mated[:min(positions, len(t.Mated))] {
		game, err := newEndingGame(search, m)
		if err != nil {
			return err
		}
		game.Record.Detail = fmt.Sprintf("mated position %d of %d after %d plies, in which %v lines end", i+1, len(t.Mated), t.Plies, m.Lines)
		turn.Games = append(turn.Games, game)
	}
	s.Turns = append(s.Turns, turn)
	return nil
}

func newEndingGame(search *shortest.Search, m shortest.Mated) (g endingGame, err error) {
	g.Lines = m.Lines.String()
	if g.Record, err = search.Record(m); err != nil {
		return g, err
	}
	g.Record.Event = "the shortest games"
	g.last, err = g.Record.Replay()
	return g, err
}

// report prints the table and the games; these go into the file of --out if there
// is one.
func (s *shortestGames) report(c *cli.Context) error {
	out := c.String("out")
	if out != "" {
		if err := writeFile(out, s.writeRecords); err != nil {
			return fmt.Errorf("writing the games: %w", err)
		}
	}
	if c.Bool("json") {
		return writeJSON(c.App.Writer, s)
	}
	if err := s.writeTable(c.App.Writer); err != nil || out != "" {
		return err
	}
	return s.writeGames(c.App.Writer)
}

func (s *shortestGames) writeTable(w io.Writer) error {
	if len(s.Turns) == 0 {
		_, err := fmt.Fprintf(w, "%v, from %s: no game ends within %d plies\n", s.Rules, s.Start, s.Plies)
		return err
	}
	fmt.Fprintf(w, "%v, from %s: the shortest game lasts %d plies\n\n", s.Rules, s.Start, s.Turns[0].Plies)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "plies\tpositions\tmated\tlines that end\tall lines\t")
	for _, t := range s.Turns {
		fmt.Fprintf(table, "%d\t%d\t%d\t%s\t%s\t\n", t.Plies, t.Positions, t.Mated, t.Ended, t.Lines)
	}
	return table.Flush()
}

// writeGames shows the games with the boards on which they end.
func (s *shortestGames) writeGames(w io.Writer) error {
	fmt.Fprintln(w)
	return s.eachGame(func(g endingGame) error {
		if _, err := fmt.Fprintf(w, "%s\n", boardText(g.last)); err != nil {
			return err
		}
		return g.Record.WriteText(w)
	})
}

// writeRecords writes the games one after another.
func (s *shortestGames) writeRecords(w io.Writer) error {
	return s.eachGame(func(g endingGame) error { return g.Record.WriteText(w) })
}

func (s *shortestGames) eachGame(write func(endingGame) error) error {
	for _, t := range s.Turns {
		for _, g := range t.Games {
			if err := write(g); err != nil {
				return err
			}
		}
	}
	return nil
}
