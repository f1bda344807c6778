package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"versus2048/internal/siege/stranger"
)

// load measures how much hostile bots slow honest bots down. All bots are connected to one arena, and the honest bots
// play a round-robin there. Half of the time the hostile bots only connect and are silent, half of the time they
// attack in the chosen ways.
type load struct {
	arena                        string // the program; "" to build it
	honest, hostile, concurrency int
	time                         time.Duration // of each phase
	rounds                       int
	share                        float64 // of all processors, for the attackers
	ways                         []string
}

// loadReport is the result of a load.
type loadReport struct {
	Honest  int      `json:"honest"`
	Hostile int      `json:"hostile"`
	Ways    []string `json:"ways"`
	Limit   string   `json:"limit"` // how the attackers' share is limited
	Share   float64  `json:"share"`
	// Silent and Attacked are plies a second of the honest bots, by round.
	Silent   []float64 `json:"plies_per_second_beside_silent"`
	Attacked []float64 `json:"plies_per_second_attacked"`
	Ratio    float64   `json:"ratio"` // the sum of Attacked divided by the sum of Silent
	Games    int       `json:"games"` // finished
	Lost     []string  `json:"lost"`  // games that an honest bot lost by a fault
	// Memory is the arena's largest resident set in bytes, 0 if it is unknown.
	Memory int64 `json:"arena_bytes"`
	Log    int64 `json:"log_bytes"` // the size of the arena's log
}

// run measures. It returns an error if the arena or the honest bots fail.
func (l load) run(ctx context.Context) (r loadReport, err error) {
	f, err := newTestArena(ctx, l.arena, nil)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	if err := f.startEvent(l.honest, eventFile(l.honest, l.concurrency, patientClock)); err != nil {
		return r, err
	}
	limit := stranger.NewLimit(l.share)
	defer limit.Close()
	r = loadReport{Honest: l.honest, Hostile: l.hostile, Ways: l.ways, Limit: limit.String(), Share: l.share, Lost: []string{}}
	for range l.rounds {
		for _, phase := range []struct {
			ways  []string
			speed *[]float64
		}{{[]string{silentName}, &r.Silent}, {l.ways, &r.Attacked}} {
			speed, err := l.measure(f, limit, phase.ways)
			if err != nil {
				return r, err
			}
			*phase.speed = append(*phase.speed, speed)
		}
	}
	r.Ratio = ratio(sum(r.Attacked), sum(r.Silent))
	r.Memory = f.memory()
	if err := f.stop(); err != nil {
		return r, err
	}
	r.Games, r.Lost, err = f.gamesAndFaults()
	r.Log = f.logSize()
	return r, err
}

func sum(x []float64) (total float64) {
	for _, v := range x {
		total += v
	}
	return total
}

// measure returns the honest bots' plies a second while attackers use these ways.
func (l load) measure(f *testArena, limit *stranger.Limit, ways []string) (float64, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	attackers := exec.Command(self, "hostile", "--url", f.url, "--bots", strconv.Itoa(l.hostile), "--ways", strings.Join(ways, ","))
	attackers.Stderr = os.Stderr
	if err := attackers.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = attackers.Process.Kill()
		_ = attackers.Wait() // it was killed
	}()
	if err := limit.Add(attackers.Process.Pid); err != nil {
		return 0, err
	}
	wait(f.ctx, l.time/5) // until all have connected
	speed, err := f.speed(l.time)
	fmt.Fprintf(os.Stderr, "%d hostile bots, %d ways: %.0f plies a second\n", l.hostile, len(ways), speed)
	return speed, err
}

// patientClock is a time for each move so long that no honest bot exceeds it, however busy the machine is.
const patientClock = 20 * time.Second

// eventFile describes a round-robin of the honest bots that is longer than any siege.
func eventFile(honest, concurrency int, perMove time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "name = \"siege\"\nmatches = 1000\nconcurrency = %d\ntime_per_move = %q\nbots = [\n", concurrency, perMove)
	for i := range honest {
		fmt.Fprintf(&b, "  %q,\n", honestName(i))
	}
	return b.String() + "]\n"
}
