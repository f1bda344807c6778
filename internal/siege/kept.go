package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/internal/siege/stranger"
)

// kept measures how much keep-alive connections slow an event down. Each connection sends its next request as soon as
// it has read the answer. For one route after the other, the connections first ask another arena on the same machine,
// and then the event's own.
type kept struct {
	attackSetup
	page        string   // the document with the tables of all routes
	patterns    []string // of the routes to ask for; nil for all routes
	connections int
}

// keptReport is the result of the measurement.
type keptReport struct {
	Connections int       `json:"connections"`
	Quiet       []phase   `json:"quiet"` // without connections, at the beginning and at the end
	Rows        []keptRow `json:"routes"`
	Missed      []string  `json:"missed"` // goals that were missed
}

// keptRow is the result of a route.
type keptRow struct {
	Route    string  `json:"route"`
	Beside   phase   `json:"beside"`          // the event while the other arena is attacked
	Attacked phase   `json:"attacked"`        // the event while its own arena is attacked
	Ratio    float64 `json:"ratio"`           // the speed of Attacked divided by the speed of Beside
	Again    bool    `json:"again,omitempty"` // whether this is a second, longer measurement
}

// keptRun is the measurement with its arenas.
type keptRun struct {
	kept
	event, beside *testArena // the event's arena and the one beside it
	limit         *stranger.Limit
}

// run opens the two arenas and measures.
func (k kept) run(ctx context.Context) (r keptReport, err error) {
	routes, err := stranger.Routes(k.page)
	if err == nil {
		routes, err = stranger.Choose(routes, k.patterns)
	}
	if err != nil {
		return r, err
	}
	var remove func() error
	if k.attackSetup, remove, err = k.withProgram(ctx); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	event, err := k.open(ctx, 0)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, event.close()) }()
	beside, err := k.open(ctx, besidePause)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, beside.close()) }()
	limit := stranger.NewLimit(k.share)
	defer limit.Close()
	return keptRun{k, event, beside, limit}.sweep(routes)
}

// besidePause is how long the bots of the other arena wait before each move, so that its event uses next to no
// processor time.
const besidePause = 200 * time.Millisecond

// sweep measures each route between two quiet phases.
func (k keptRun) sweep(routes []stranger.Route) (r keptReport, err error) {
	r = keptReport{Connections: k.connections, Missed: []string{}}
	quiet := func() error {
		p, err := k.event.measureUnder(3*k.time, k.limit)
		r.Quiet = append(r.Quiet, p)
		return err
	}
	if err := quiet(); err != nil {
		return r, err
	}
	for _, route := range routes {
		row, err := k.measure(route, k.time)
		if err == nil && len(row.missed()) > 0 { // other load of the machine may be the cause
			row, err = k.measure(route, 3*k.time)
			row.Again = true
		}
		if err != nil {
			return r, fmt.Errorf("%s: %w", route.Pattern, err)
		}
		r.Rows = append(r.Rows, row)
		r.Missed = append(r.Missed, row.missed()...)
	}
	err = quiet()
	return r, err
}

// measure measures the event while connections ask for a route, first on the other arena and then on the event's.
func (k keptRun) measure(route stranger.Route, d time.Duration) (row keptRow, err error) {
	requests, err := route.Requests()
	if err != nil {
		return row, err
	}
	row.Route = route.Pattern
	attack := func(target *testArena) []string {
		return keepArgs(target.server, route.Method(), k.connections, requests)
	}
	if row.Beside, err = k.event.measureUnder(d, k.limit, attack(k.beside)...); err != nil {
		return row, err
	}
	if row.Attacked, err = k.event.measureUnder(d, k.limit, attack(k.event)...); err != nil {
		return row, err
	}
	row.Ratio = ratio(row.Attacked.Speed, row.Beside.Speed)
	fmt.Fprintf(os.Stderr, "%-36s %6.0f beside, %6.0f attacked: %.2f, %d games lost (%d beside), %d MB, %v\n", route.Pattern, row.Beside.Speed,
		row.Attacked.Speed, row.Ratio, row.Attacked.Lost, row.Beside.Lost, row.Attacked.Memory/1e6, row.Attacked.Answers)
	return row, nil
}

// missed lists the goals that were missed.
func (r keptRow) missed() (missed []string) {
	if r.Ratio < leastOfBeside {
		missed = append(missed, fmt.Sprintf("%s: an event keeps %.2f of its speed beside the same attack on another arena: want at least %.1f",
			r.Route, r.Ratio, leastOfBeside))
	}
	if r.Attacked.Answers[stranger.NoAnswer] == total(r.Attacked.Answers) {
		missed = append(missed, fmt.Sprintf("%s: no request was answered", r.Route))
	}
	return append(missed, missedGoals(r.Route, r.Beside, r.Attacked)...)
}

func total(count map[string]int) (all int) {
	for _, n := range count {
		all += n
	}
	return all
}

func keptCommand() *cli.Command {
	return &cli.Command{
		Name:  "kept",
		Usage: "compare the speed of honest bots while keep-alive connections ask for all routes, on another arena and on the bots' own",
		Flags: append(attackFlags(1200*time.Millisecond),
			&cli.IntFlag{Name: "connections", Value: 50, Usage: "the number of keep-alive connections"},
			&cli.StringFlag{Name: "routes", Value: "docs/SECURITY.md", Usage: "the page with the list of all routes"},
			&cli.StringSliceFlag{Name: "route", Usage: "ask only for this route, such as \"GET /play\"; repeat it for each"},
		),
		Action: func(c *cli.Context) error {
			k := kept{attackSetup: readAttackSetup(c), page: c.String("routes"), patterns: c.StringSlice("route"), connections: c.Int("connections")}
			r, err := k.run(c.Context)
			if err = print(r, err); err != nil {
				return err
			}
			return missedError(r.Missed)
		},
	}
}
