package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/internal/siege/stranger"
)

// visitors measures how the games of visitors slow an event down. The visitors move at once and let champion
// think.
type visitors struct {
	attackSetup
	numbers []int // the numbers of visitors to try, one after the other
	rounds  int   // how often each event is measured alone and then with visitors
}

// visitorsReport is the result of visitors.run.
type visitorsReport struct {
	Rows   []visitorsRow `json:"visitors"`
	Missed []string      `json:"missed"` // goals that were missed
}

// visitorsRow is the result for a number of visitors, by round.
type visitorsRow struct {
	Visitors int     `json:"visitors"`
	Quiet    []phase `json:"quiet"`    // without visitors
	Attacked []phase `json:"attacked"` // with visitors
	Ratio    float64 `json:"ratio"`    // the sum of the speeds with visitors, divided by the sum without
}

// run measures.
func (v visitors) run(ctx context.Context) (r visitorsReport, err error) {
	var remove func() error
	if v.attackSetup, remove, err = v.withProgram(ctx); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	limit := stranger.NewLimit(v.share)
	defer limit.Close()
	r.Missed = []string{}
	for _, n := range v.numbers {
		row, err := v.measure(ctx, limit, n)
		if err != nil {
			return r, fmt.Errorf("visitors: %d: %w", n, err)
		}
		r.Rows = append(r.Rows, row)
		r.Missed = append(r.Missed, row.missed()...)
	}
	return r, nil
}

// measure measures an event with n visitors, on a new arena. On a used arena, games of earlier visitors would still
// wait for these visitors to come back.
func (v visitors) measure(ctx context.Context, limit *stranger.Limit, n int) (row visitorsRow, err error) {
	f, err := v.open(ctx, 0)
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	row.Visitors = n
	for range v.rounds {
		quiet, err := f.measureUnder(v.time, limit)
		if err != nil {
			return row, err
		}
		attacked, err := f.measureUnder(v.time, limit, "visit", "--server", f.server, "--visitors", strconv.Itoa(n))
		if err != nil {
			return row, err
		}
		fmt.Fprintf(os.Stderr, "visitors: %2d: %6.0f -> %6.0f plies a second, %d games lost, %d moves of visitors\n",
			n, quiet.Speed, attacked.Speed, attacked.Lost, attacked.Answers[stranger.Moves])
		row.Quiet, row.Attacked = append(row.Quiet, quiet), append(row.Attacked, attacked)
	}
	row.Ratio = ratio(speeds(row.Attacked), speeds(row.Quiet))
	return row, nil
}

func speeds(phases []phase) (total float64) {
	for _, p := range phases {
		total += p.Speed
	}
	return total
}

// missed lists the goals that were missed.
func (r visitorsRow) missed() (missed []string) {
	what := fmt.Sprintf("visitors: %d", r.Visitors)
	if r.Ratio < leastOfQuiet {
		missed = append(missed, fmt.Sprintf("%s: an event keeps %.2f of its speed: want at least %.1f", what, r.Ratio, leastOfQuiet))
	}
	for i, attacked := range r.Attacked {
		if attacked.Answers[stranger.Moves] == 0 {
			missed = append(missed, what+": no visitor made a move")
		}
		missed = append(missed, missedGoals(what, r.Quiet[i], attacked)...)
	}
	return missed
}

func visitorsCommand() *cli.Command {
	return &cli.Command{
		Name:  "visitors",
		Usage: "compare the speed of honest bots alone and beside visitors who let champion think",
		Flags: append(attackFlags(4*time.Second),
			&cli.IntSliceFlag{Name: "visitors", Value: cli.NewIntSlice(1, 2, 4, 16), Usage: "the numbers of visitors, one after the other"},
			&cli.IntFlag{Name: "rounds", Value: 2, Usage: "how often to measure both phases in turn"},
		),
		Action: func(c *cli.Context) error {
			r, err := visitors{attackSetup: readAttackSetup(c), numbers: c.IntSlice("visitors"), rounds: c.Int("rounds")}.run(c.Context)
			if err = print(r, err); err != nil {
				return err
			}
			return missedError(r.Missed)
		},
	}
}

// attackFlags returns the flags of an attackSetup. d is the default time of each phase.
func attackFlags(d time.Duration) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "arena", Usage: "the program arena; by default it is built"},
		&cli.IntFlag{Name: "honest", Value: 32, Usage: "honest bots"},
		&cli.IntFlag{Name: "concurrency", Value: 16, Usage: "games at once"},
		&cli.DurationFlag{Name: "time-per-move", Value: 100 * time.Millisecond, Usage: "the time for a move of the honest bots"},
		&cli.DurationFlag{Name: "time", Value: d, Usage: "how long to measure each phase"},
		&cli.Float64Flag{Name: "share", Value: 0.2, Usage: "the strangers' share of all processors"},
	}
}

func readAttackSetup(c *cli.Context) attackSetup {
	return attackSetup{
		arena: c.String("arena"), honest: c.Int("honest"), concurrency: c.Int("concurrency"),
		perMove: c.Duration("time-per-move"), time: c.Duration("time"), share: c.Float64("share"),
	}
}
