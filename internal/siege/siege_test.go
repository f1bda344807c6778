package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"versus2048/internal/siege/stranger"
	"versus2048/internal/testkit"
)

// TestMain lets the test's own program play the honest and the hostile bots, and the crowd of workers.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{"honest", "hostile", "crowd", "slow-bot", "nats", "keep", "visit"}, os.Args[1]) {
		main()
		return
	}
	status := m.Run()
	if err := removeArena(); err != nil {
		log.Fatal(err)
	}
	os.Exit(status)
}

// removeArena removes the program that buildArena has built, once for all tests.
var removeArena = func() error { return nil }

var buildArena = sync.OnceValues(func() (string, error) {
	s, remove, err := attackSetup{}.withProgram(context.Background())
	if err == nil {
		removeArena = remove
	}
	return s.arena, err
})

// builtArena returns the arena's program.
func builtArena(t *testing.T) string {
	t.Helper()
	program, err := buildArena()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// No honest game is lost while every kind of attacker does its worst.
func TestLoad(t *testing.T) {
	testkit.Long(t)
	l := load{
		arena: builtArena(t), honest: 12, hostile: len(wayNames()), concurrency: 6,
		time: 3 * time.Second, rounds: 1, share: 0.2, ways: wayNames(),
	}
	r, err := l.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Lost) > 0 || r.Games == 0 {
		t.Errorf("%d games, lost: %v", r.Games, r.Lost)
	}
	t.Logf("%.0f plies a second beside silent connections, %.0f when attacked; %d MiB", sum(r.Silent), sum(r.Attacked), r.Memory>>20)
}

// Strangers who may do whatever a page does lose no game of honest bots that have time enough.
func TestStrangers(t *testing.T) {
	testkit.Long(t)
	s := attackSetup{arena: builtArena(t), honest: 6, concurrency: 3, perMove: patientClock, time: 300 * time.Millisecond, share: 0.2}
	v, err := visitors{attackSetup: s, numbers: []int{2}, rounds: 1}.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k, err := kept{attackSetup: s, page: "../../docs/SECURITY.md", patterns: []string{"GET /{$}", "POST /api/play"}, connections: 20}.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Rows) != 1 || len(k.Rows) != 2 {
		t.Fatalf("%+v, %+v", v, k)
	}
	for what, p := range map[string]phase{"visitors": v.Rows[0].Attacked[0], k.Rows[0].Route: k.Rows[0].Attacked, k.Rows[1].Route: k.Rows[1].Attacked} {
		if p.Lost > 0 {
			t.Errorf("%s: honest bots lost %d games", what, p.Lost)
		}
		t.Logf("%s: %+v", what, p)
	}
	t.Run("they get answers", func(t *testing.T) { answered(t, s) })
}

// A raid that is over as soon as it has begun reports its answers.
func TestShortRaid(t *testing.T) {
	limit := stranger.NewLimit(0.2)
	defer limit.Close()
	for range 5 {
		r, err := newRaid(t.Context(), limit, keepArgs("http://127.0.0.1:1", "GET", 1, []string{"/"})...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.end(); err != nil {
			t.Error(err)
		}
	}
}

// Honest bots that a signal ends have not failed.
func TestHonestBotsEndWithASignal(t *testing.T) {
	ctx, end := context.WithCancelCause(t.Context())
	end(fmt.Errorf("interrupt signal received: %w", context.Canceled)) // signal.NotifyContext has this kind of cause
	if err := serveHonest(ctx, "", 0, 0, nil); err != nil {
		t.Error(err)
	}
}

// An event without a ply during its measurement meets no goal, and has a report.
func TestNothingPlayed(t *testing.T) {
	k, v := keptRow{Route: "GET /", Ratio: ratio(0, 0)}, visitorsRow{Ratio: ratio(0, 0)}
	if len(k.missed()) == 0 || len(v.missed()) == 0 {
		t.Errorf("missed %v and %v", k.missed(), v.missed())
	}
	if _, err := json.Marshal([]any{k, v}); err != nil {
		t.Error(err)
	}
}

// answered fails unless visitors play and kept connections are answered.
func answered(t *testing.T, s attackSetup) {
	f, err := s.open(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.close(); err != nil {
			t.Error(err)
		}
	}()
	for what, attack := range map[string]func(context.Context, *stranger.Tally){
		stranger.Moves: func(ctx context.Context, t *stranger.Tally) { stranger.Visit(ctx, f.server, 2, t) },
		"400": func(ctx context.Context, t *stranger.Tally) {
			stranger.Keep(ctx, f.server, "POST", []string{"/api/play {"}, 2, t)
		},
		"200": func(ctx context.Context, t *stranger.Tally) {
			stranger.Keep(ctx, f.server, "GET", []string{"/api/tv"}, 4, t)
		},
	} {
		ctx, stop := context.WithCancel(t.Context())
		got, over := stranger.NewTally(), make(chan struct{})
		go func() {
			defer close(over)
			attack(ctx, got)
		}()
		err := f.await(func() bool { return got.Count(what) >= 3 })
		stop()
		<-over
		if err != nil {
			t.Errorf("%s: %v: %v", what, err, got)
		}
	}
}

// An arena that plays for a while uses no more files than before, and keeps no goroutines for bots that have gone.
func TestSoak(t *testing.T) {
	testkit.Long(t)
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Log("this system does not say what a process uses")
		return
	}
	s := soak{arena: builtArena(t), bots: 8, concurrency: 4, time: 4 * time.Second, interval: 100 * time.Millisecond}
	r, err := s.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Lost) > 0 || r.Plies == 0 {
		t.Errorf("%d plies, lost: %v", r.Plies, r.Lost)
	}
	if r.Descriptors.Last > r.Descriptors.First+8 || r.Goroutines > 30 {
		t.Errorf("descriptors %+v, %d goroutines left", r.Descriptors, r.Goroutines)
	}
}

// Whichever process of a farm is killed, the games are the same as in the same events in one process.
func TestFarmFaults(t *testing.T) {
	testkit.Long(t)
	r, err := farmFaults{arena: builtArena(t), kills: 10, matches: 3, seed: 2048, only: []string{embeddedKills}}.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Stages {
		if len(s.Wrong) > 0 || s.Games == 0 {
			t.Errorf("%+v", s)
		}
	}
}

// A crowd of workers plays without a fault, and its use of resources is known.
func TestFarmLoad(t *testing.T) {
	testkit.Long(t)
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Log("this system does not say what a process uses")
		return
	}
	for _, pause := range []time.Duration{0, time.Millisecond} {
		r, err := farmLoad{arena: builtArena(t), workers: 5, pause: pause, time: 4 * time.Second}.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Lost) > 0 || r.Playing.Games == 0 || r.Games < r.Playing.Games || r.Playing.Plies == 0 || r.Idle.Games != 0 {
			t.Errorf("with a pause of %v: %+v", pause, r)
		}
		if r.Playing.Arena <= 0 || r.Playing.Crowd <= 0 || r.Possible <= 0 || r.Database == 0 || r.Streams == 0 {
			t.Errorf("what it costs with a pause of %v: %+v", pause, r)
		}
	}
}

// A worker's match is played on by another one after its death.
func TestFarmTimes(t *testing.T) {
	testkit.Long(t)
	r, err := farmTimes{arena: builtArena(t), rounds: 1, seed: 1, lease: time.Second}.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.First.All) != 1 || r.First.Median <= 0 || len(r.AfterDeaths.All) != 1 || r.AfterDeaths.Median <= 0 {
		t.Errorf("%+v", r)
	}
}
