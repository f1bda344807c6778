//go:build !race

package main

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/testkit"
	"versus2048/players/searchtest"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// farmHost is a running arena with a farm.
type farmHost struct {
	*host
	nats string // the address of its NATS server
}

func newFarm(t *testing.T) *farmHost {
	f := &farmHost{newHost(t), freeAddress(t)}
	f.serve(t)
	return f
}

// serve starts the arena's process. A worker counts as lost after a second.
func (f *farmHost) serve(t *testing.T, flags ...string) {
	t.Helper()
	f.host.serve(t, append([]string{"--farm", "--farm-listen", f.nats, "--farm-lease", "1s"}, flags...)...)
	f.server.AwaitOutput(t, "farm open")
	f.await(t, 0)
}

// worker starts a worker's process and waits until it has found the farm: without one it exits.
func (f *farmHost) worker(t *testing.T, flags ...string) *testkit.Program {
	t.Helper()
	return f.workerOf(t, "arena", flags...)
}

// labWorker starts the process of a worker that does batches, too.
func (f *farmHost) labWorker(t *testing.T) *testkit.Program {
	t.Helper()
	return f.workerOf(t, "lab")
}

func (f *farmHost) workerOf(t *testing.T, program string, flags ...string) *testkit.Program {
	t.Helper()
	p := startProcess(t, program, append([]string{"worker", "--nats", "nats://" + f.nats, "--games", "2"}, flags...)...)
	p.AwaitOutput(t, "worker ready")
	return p
}

// play plays an event to its end and returns its games, which verify.
func (f *farmHost) play(t *testing.T, setup tournament.Event) map[gameName]record.Record {
	t.Helper()
	event, err := f.client.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	return f.finish(t, event)
}

// finish follows an event to its end and returns its games, which verify.
func (f *farmHost) finish(t *testing.T, event int64) map[gameName]record.Record {
	t.Helper()
	f.standings(t, event)
	games := f.games(t, event)
	f.verify(t, event, len(games))
	return games
}

// The games of an event do not depend on where they are played.
func TestWorkersPlayTheSameGames(t *testing.T) {
	t.Parallel()
	f := newFarm(t)
	f.worker(t)
	f.worker(t)
	setup := inProcess(killSetup(7))
	compareGames(t, expectedGames(t, setup), f.play(t, setup))
}

// An event without workers waits for them, and the log and the status say so.
func TestEventWaitsForWorkers(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	f := &farmHost{newHost(t), freeAddress(t)}
	f.serve(t, "--stalled-after", "200ms")
	setup := inProcess(killSetup(7))
	event, err := f.client.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	f.server.AwaitOutput(t, "msg=trouble kind=workers_missing")
	if stdout, stderr, code := run(t, "arena", "status", "--server", f.client.URL); code != 1 || !strings.Contains(stdout, "waits for workers") {
		t.Errorf("arena status exits with %d, want 1: %s%s", code, stdout, stderr)
	}
	f.worker(t)
	compareGames(t, expectedGames(t, setup), f.finish(t, event))
	f.server.AwaitOutput(t, `msg="trouble is over" kind=workers_missing`)
}

// Workers and the arena are killed while they play: no game is lost or doubled, and the games are the same as in an
// undisturbed event.
func TestKilledFarm(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	f := newFarm(t)
	workers := []*testkit.Program{f.worker(t), f.worker(t)}
	const seed, rounds = 2050, 2
	random := rand.New(rand.NewPCG(seed, 9))
	midGame := 0
	for round := range rounds {
		setup := inProcess(killSetup(uint64(round)))
		setup.Bots[2], setup.Matches = "cid=mcts:playouts=40", 2
		event, err := f.client.Start(t.Context(), setup)
		if err != nil {
			t.Fatal(err)
		}
		for _, victim := range random.Perm(3) {
			f.followFor(t, event, time.Duration(50+random.IntN(250))*time.Millisecond)
			if victim < len(workers) {
				workers[victim].Kill()
				workers[victim] = f.worker(t)
				continue
			}
			f.server.Kill()
			if resumedMidGame(f.games(t, event)) {
				midGame++
			}
			f.serve(t)                                                  // and resumes the event
			if err := f.client.Resume(t.Context(), event); err != nil { // the event may have been over
				t.Fatal(err)
			}
		}
		after := f.finish(t, event)
		compareGames(t, expectedGames(t, setup), after)
	}
	t.Logf("%d of %d kills of the arena (seed %d) left plies of unfinished games", midGame, rounds, seed)
}

// An event that is stopped and resumed plays on where it was, on workers that were told to stop meanwhile.
func TestStoppedFarmResumes(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	f := newFarm(t)
	first := f.worker(t)
	setup := inProcess(killSetup(3))
	setup.Bots[2], setup.Matches = "cid=mcts:playouts=20", 2
	event, err := f.client.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	f.followOn(t, event, 100*time.Millisecond)
	var over *server.RequestError // it has ended by itself
	if err := f.client.Stop(t.Context(), event); err != nil && !errors.As(err, &over) {
		t.Fatal(err)
	}
	before := f.games(t, event)
	first.Interrupt(t)
	if err := first.Wait(); err != nil {
		t.Errorf("the interrupted worker: %v", err)
	}
	f.worker(t)
	if err := f.client.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	after := f.finish(t, event)
	compareMoves(t, before, after)
	compareGames(t, expectedGames(t, setup), after)
}

// A connected bot plays on the arena, the others on workers, in one event.
func TestFarmWithAConnectedBot(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	f := newFarm(t)
	f.worker(t)
	f.bot(t, "ann", killSpecs["ann"], "--slots", "2", "--quiet")
	f.await(t, 1)
	setup := inProcess(killSetup(5))
	expected := expectedGames(t, setup)
	setup.Bots[0] = "ann"
	compareMoves(t, expected, f.play(t, setup))
}

// A program plays on the worker that allows it, and not on another one; its games are the same as elsewhere.
func TestProgramOnAWorker(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	f := &farmHost{newHost(t), freeAddress(t)}
	f.serve(t, "--farm-exec", "--bot", "ann=exec:bot stdio random")
	f.worker(t, "--name", "careful")
	f.worker(t, "--name", "trusting", "--allow-exec")
	setup := inProcess(killSetup(5))
	expected := expectedGames(t, setup)
	setup.Bots[0] = "ann"
	after := f.play(t, setup)
	compareMoves(t, expected, after)
	store, err := results.OpenReader(t.Context(), f.db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	err = store.Games(t.Context(), results.Filter{Event: 1, Bot: "ann"}, func(g results.Stored) error {
		from, err := store.Origin(t.Context(), g.ID)
		if from.Worker != "trusting" || g.Identities == [2]tournament.Identity{} && g.Bots == [2]int64{} {
			t.Errorf("game %d was played by %+v", g.ID, from)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A worker that is refused gets the reason in one line.
func TestUnwelcomeWorkers(t *testing.T) {
	f := newFarm(t)
	const nothing = "127.0.0.1:1"
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(strings.Repeat("x", 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		flags      []string
	}{
		{"no NATS", "no NATS answers at nats://" + nothing, []string{"--nats", "nats://" + nothing}},
		{"several with passwords", "no NATS answers at nats://" + nothing + ", nats://" + nothing + ":", []string{"--nats", "nats://u:secret@" + nothing + ",u:secret@" + nothing}},
		{"a token", "no NATS answers at nats://" + nothing, []string{"--nats", "nats://secret@" + nothing}},
		{"no URL", "NATS at an address: want a URL", []string{"--nats", "nats://u:secret/x@" + nothing}},
		{"another farm", "no arena with this farm", []string{"--nats", "nats://" + f.nats, "--farm-name", "other"}},
		{"wrong token", "refuses the credential", []string{"--nats", "nats://" + f.nats, "--farm-token", token}},
	} {
		stdout, stderr, code := run(t, "arena", append([]string{"worker", "--quiet"}, c.flags...)...)
		if code != 1 || stdout != "" || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "secret") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d, it prints %q%q, want %q", c.name, code, stdout, stderr, c.want)
		}
	}
}

// A farm on this machine asks for a secret, too. The arena writes it for its own user alone: a worker finds it by
// itself, also after the arena has started again with another secret. Nobody else is let in.
func TestFarmOnThisMachineAsksForASecret(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	f := newFarm(t)
	path := f.db + ".farm" + gate.OperatorSuffix
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Fatalf("the secret's file has the mode %v, error %v", info.Mode(), err)
	}
	if _, err := nats.Connect("nats://" + f.nats); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("a stranger is let in: %v", err)
	}
	first, err := gate.ReadOperatorFile(path)
	if err != nil || first.Address != f.nats {
		t.Errorf("the file is for %q, error %v", first.Address, err)
	}
	f.worker(t, "--name", "w1", "--cache", t.TempDir())
	if _, stderr, code := run(t, "arena", "worker", "--nats", "nats://"+f.nats, "--name", "w1", "--cache", t.TempDir()); code != 1 || !strings.Contains(stderr, "another worker already has the name of --name") {
		t.Errorf("a worker with another one's name: exit code %d, it prints %q", code, stderr)
	}
	f.server.Kill()
	f.serve(t)
	if next, err := gate.ReadOperatorFile(path); err != nil || next.Secret == first.Secret {
		t.Errorf("the secret has not changed, error %v", err)
	}
	f.play(t, inProcess(killSetup(7)))
	f.server.Interrupt(t)
	_ = f.server.Wait()
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the secret is left behind: %v", err)
	}
}

// Another arena cannot have a farm of the same name.
func TestTwoArenasOneFarm(t *testing.T) {
	f := newFarm(t)
	_, stderr, code := run(t, "arena", "serve", "--db", filepath.Join(t.TempDir(), "other.db"), "--addr", "127.0.0.1:0", "--farm-listen", f.nats)
	if code != 1 || !strings.Contains(stderr, "address already in use") {
		t.Errorf("a second server: exit code %d, it prints %q", code, stderr)
	}
	if _, stderr, code = run(t, "arena", "serve", "--db", f.db, "--addr", "127.0.0.1:0", "--farm-listen", freeAddress(t)); code != 1 || !strings.Contains(stderr, "another arena is using it") {
		t.Errorf("a second arena on the database: exit code %d, it prints %q", code, stderr)
	}
}

func TestFarmFlags(t *testing.T) {
	for want, flags := range map[string][]string{
		"other machines reach that":  {"--farm-listen", "0.0.0.0:0"},
		"give both":                  {"--farm", "--farm-cert", "x"},
		"these are for a NATS":       {"--farm", "--nats", "nats://127.0.0.1:1"},
		"want a second or more":      {"--farm", "--farm-lease", "1ms"},
		"--farm-name":                {"--farm", "--farm-name", "a.b"},
		"--farm-check nan":           {"--farm", "--farm-check", "nan"},
		"--grace -5s: want 0":        {"--grace", "-5s"},
		"only with --farm or --nats": {"--farm-token", "x"},
		"or --farm-token: these":     {"--nats", "nats://127.0.0.1:1", "--farm-token", "x"},
	} {
		_, stderr, code := run(t, "arena", append([]string{"serve", "--addr", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "x.db")}, flags...)...)
		if code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit code %d, it prints %q, want %q", flags, code, stderr, want)
		}
	}
}

// An experiment that a running arena plays on its workers has the table of an experiment without an arena, and can get
// more matches.
func TestExperimentOnWorkers(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	f := newFarm(t)
	f.worker(t)
	alone := filepath.Join(t.TempDir(), "alone.db")
	for _, matches := range []int{2, 3} {
		want, problems, code := run(t, "lab", table1Args(alone, matches)...)
		if code != 0 {
			t.Fatal(problems)
		}
		args := append(table1Args(f.db, matches), "--server", f.client.URL)
		if got, problems, code := run(t, "lab", args...); code != 0 || got != want {
			t.Errorf("it exits with %d: %s%s\nwant %s", code, got, problems, want)
		}
	}
	other := append(table1Args(alone, 2), "--server", f.client.URL)
	if _, problems, code := run(t, "lab", other...); code != 1 || !strings.Contains(problems, "is not the arena's own database") {
		t.Errorf("with another database it exits with %d: %s", code, problems)
	}
}

// timedExperiments are experiments at equal time a move, small ones. The event of the first one is extended on the way.
var timedExperiments = [][]string{
	{"improvements", "edges", "--matches", "6", "--concurrency", "2"},
	{"contest", "greedy", "random", "--matches", "3"},
	{"strength", "random", "greedy", "mcts", "--matches", "2"},
}

// The experiments at equal time a move are played by workers, too, and resumed after a stop by the same command.
func TestTimedExperimentsOnWorkers(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	f := newFarm(t)
	f.worker(t)
	for _, words := range timedExperiments {
		args := append([]string{"experiment"}, words...)
		args = append(args, "--size", "2x2", "--time", "1", "--server", f.client.URL)
		p := startProcess(t, "lab", args...)
		p.AwaitOutput(t, "[") // it has begun
		if err := p.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		interrupted := p.Wait()
		got, problems, code := run(t, "lab", args...)
		if code != 0 || got == "" {
			t.Errorf("%v: after the first one, which ended with %v, it exits with %d: %s", words, interrupted, code, problems)
		}
		again, problems, code := run(t, "lab", append(args, "--report-only")...)
		if code != 0 || again != got {
			t.Errorf("%v: --report-only exits with %d: %s%s\nwant %s", words, code, again, problems, got)
		}
	}
	events, err := f.client.Events(t.Context())
	if err != nil || len(events) != len(timedExperiments) {
		t.Fatalf("%d events, want %d: %v", len(events), len(timedExperiments), err)
	}
	for _, e := range events {
		f.verify(t, e.Event, len(f.games(t, e.Event)))
	}
}

// lab regret has the same report on workers as in one process, byte for byte. Without a worker it says that it waits,
// and a worker that dies changes nothing. A table that a bot needs travels to the workers.
func TestRegretOnWorkers(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	table := writeTable(t)
	f := &farmHost{newHost(t), freeAddress(t)}
	f.serve(t, "--tables", filepath.Dir(table))
	args := []string{
		"regret", "--table", table, "--positions", "30", "--seed", "3", "--json",
		"--bot", "random", "--bot", "mcts:playouts=300", "--bot", "perfect:table=" + table,
	}
	want, problems, code := run(t, "lab", args...)
	if code != 0 {
		t.Fatal(problems)
	}
	args = append(args, "--server", f.client.URL)
	out := filepath.Join(t.TempDir(), "report")
	p := startProcess(t, "lab", append(args, "--out", out)...)
	p.AwaitOutput(t, "no worker is there")
	first := f.labWorker(t)
	p.AwaitOutput(t, "mcts:playouts=300 (2 of 3) [=")
	first.Kill()
	f.labWorker(t)
	f.labWorker(t)
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(out, "regret.json")); err != nil || string(got) != want {
		t.Errorf("the report is %s, error %v\nwant %s", got, err, want)
	}
	if got, problems, code := run(t, "lab", args...); code != 0 || got != want {
		t.Errorf("another one exits with %d: %s%s\nwant %s", code, got, problems, want)
	}
	for why, bot := range map[string]string{
		"opens only files in the folder": "perfect:table=" + filepath.Join(t.TempDir(), "other.table"),
		"no such file":                   "perfect:table=" + filepath.Join(filepath.Dir(table), "none.table"),
	} {
		_, problems, code := run(t, "lab", "regret", "--table", table, "--bot", bot, "--server", f.client.URL)
		if code != 1 || !strings.Contains(problems, why) {
			t.Errorf("%s: it exits with %d: %s, want %q", bot, code, problems, why)
		}
	}
}

// A round outlives its arena: the command asks again for the missing results.
func TestRegretOutlivesTheArena(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	table := writeTable(t)
	f := newFarm(t)
	worker := f.labWorker(t)
	args := []string{"regret", "--table", table, "--positions", "60", "--json", "--bot", "mcts:playouts=3000", "--bot", "mcts:playouts=3000,c=1"}
	want, problems, code := run(t, "lab", args...)
	if code != 0 {
		t.Fatal(problems)
	}
	out := filepath.Join(t.TempDir(), "report")
	p := startProcess(t, "lab", append(args, "--server", f.client.URL, "--out", out)...)
	p.AwaitOutput(t, "(1 of 2) [=")
	worker.Kill() // so that the arena dies before the second bot's batches are done
	f.server.Kill()
	p.AwaitOutput(t, "does not answer")
	f.serve(t)
	f.labWorker(t)
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(out, "regret.json")); err != nil || string(got) != want {
		t.Errorf("the report is %s, error %v\nwant %s", got, err, want)
	}
}

// Games for a learner are the same on workers as in one process, byte for byte.
func TestSelfPlayOnWorkers(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	weights := searchtest.WriteNetwork(t, "az", rules.GPCC2016, rules.Size{Width: 3, Height: 2}, 5)
	f := &farmHost{newHost(t), freeAddress(t)}
	f.serve(t, "--tables", filepath.Dir(weights))
	f.labWorker(t)
	f.labWorker(t)
	games := func(flags ...string) string {
		out := filepath.Join(t.TempDir(), "games.st")
		args := append([]string{"train", "az-games", "--weights", weights, "--games", "50", "--first", "7", "--simulations", "8", "--out", out}, flags...)
		if _, problems, code := run(t, "lab", args...); code != 0 {
			t.Fatal(problems)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if want, got := games(), games("--server", f.client.URL); got != want {
		t.Errorf("%d bytes of games differ from %d", len(got), len(want))
	}
	other := filepath.Join(t.TempDir(), filepath.Base(weights))
	if err := os.Rename(searchtest.WriteNetwork(t, "az", rules.GPCC2016, rules.Size{Width: 3, Height: 2}, 6), other); err != nil {
		t.Fatal(err)
	}
	_, problems, code := run(t, "lab", "train", "az-games", "--weights", other, "--games", "5", "--out", filepath.Join(t.TempDir(), "x"), "--server", f.client.URL)
	if code != 1 || !strings.Contains(problems, "give the worker the arena") {
		t.Errorf("with another network it exits with %d: %s", code, problems)
	}
}

// The workers are listed by the command, as JSON, and on a page.
func TestWorkersAreListed(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	f := &farmHost{newHost(t), freeAddress(t)}
	f.serve(t, "--farm-lease", "1m", "--farm-check", "0") // the worker may be slow, and no other one can check it
	if stdout, _, code := run(t, "arena", "workers", "--server", f.client.URL); code != 0 || !strings.Contains(stdout, "no worker plays") {
		t.Errorf("without workers: exit code %d, %q", code, stdout)
	}
	f.worker(t, "--name", "wren", "--games", "3")
	f.play(t, inProcess(killSetup(7)))
	stdout, _, code := run(t, "arena", "workers", "--server", f.client.URL)
	if code != 0 || !strings.Contains(stdout, "wren") || !strings.Contains(stdout, " of ") {
		t.Errorf("exit code %d, %q", code, stdout)
	}
	workers, err := f.client.Workers(t.Context())
	if err != nil || len(workers) != 1 || workers[0].Name != "wren" || workers[0].Games < 1 || workers[0].Games > 3 || workers[0].Speed <= 0 {
		t.Errorf("%+v, %v", workers, err)
	}
	if page := fetch(t, f.client.URL+"/workers"); !strings.Contains(page, "wren</th>") || !strings.Contains(page, "1 worker with") {
		t.Errorf("the page: %s", page)
	}
}
