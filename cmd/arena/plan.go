package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/rating"
)

// planFlags say in which format an event is played.
func planFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Value: format.RoundRobin, Usage: strings.Join(format.Names(), ", ")},
		&cli.IntFlag{Name: "seeds", DefaultText: "1", Usage: "gauntlet: so many of the first bots meet all others"},
		&cli.IntFlag{Name: "rounds", DefaultText: "those that find a winner, and one more", Usage: "swiss: how many"},
		&cli.StringFlag{Name: "sprt", Usage: "sprt: what is tested of the first bot, such as elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized (or logistic)"},
		&cli.IntFlag{Name: "ahead", DefaultText: "8", Usage: "ladder, sprt: matches that may begin before one is decided"},
	}
}

// readPlan is the format that the flags ask for.
func readPlan(c *cli.Context) (tournament.Plan, error) {
	p := tournament.Plan{Kind: c.String("format"), Seeds: c.Int("seeds"), Rounds: c.Int("rounds"), Ahead: c.Int("ahead")}
	if p.Kind == format.RoundRobin {
		p.Kind = "" // as events had it before there were others
	}
	for _, name := range []string{"seeds", "rounds", "ahead"} {
		if c.IsSet(name) && c.Int(name) < 1 {
			return p, fmt.Errorf("--%s %d: want at least 1", name, c.Int(name))
		}
	}
	err := readHypotheses(c.String("sprt"), &p.SPRT)
	return p, err
}

// readHypotheses reads the value of --sprt.
func readHypotheses(text string, test *rating.SPRT) error {
	if text == "" {
		return nil
	}
	numbers := map[string]*float64{"elo0": &test.Elo0, "elo1": &test.Elo1, "alpha": &test.Alpha, "beta": &test.Beta}
	for part := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(part, "=")
		number, known := numbers[key]
		if key == "model" {
			test.Model = rating.Model(value)
			continue
		}
		if !known {
			return fmt.Errorf("--sprt %s: unknown %q: want elo0, elo1, alpha, beta, model", text, key)
		}
		var err error
		if *number, err = strconv.ParseFloat(value, 64); err != nil {
			return fmt.Errorf("--sprt %s: %s is %q: want a number", text, key, value)
		}
	}
	return nil
}
