package main

import (
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func TestRequireTokens(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t, "--require-tokens")
	made, _, _ := run(t, "arena", "token", "new", "ann", "--db", h.db)
	token := strings.TrimSpace(made)
	h.bot(t, "ann", "random", "--token", token)
	h.await(t, 1)
	for name, flags := range map[string][]string{
		"token_required": {"--name", "bob"},
		"bad_token":      {"--name", "bob", "--token", token},
		"name_in_use":    {"--name", "ann", "--token", token},
	} {
		args := append([]string{"run", "random", "--url", "ws://" + h.Address + "/bot", "--reconnect", "0s"}, flags...)
		want := 3 // refused for good
		if name == "name_in_use" {
			want = 1
		}
		if _, stderr, code := run(t, "bot", args...); code != want || !strings.Contains(stderr, name) {
			t.Errorf("%v exits with %d, want %d and %s: %s", flags, code, want, name, stderr)
		}
	}
	// A token that is made while the arena runs is valid at once.
	made, _, _ = run(t, "arena", "token", "new", "bob", "--db", h.db)
	h.bot(t, "bob", "greedy", "--token", strings.TrimSpace(made))
	h.await(t, 2)
	if _, stderr, code := run(t, "arena", "event", "run", "--server", h.client.URL, "--bot", "ann", "--bot", "bob",
		"--bot", "own=random", "--matches", "1", "--size", "2x2", "--quiet"); code != 0 {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestSecondArenaOnSameDatabase(t *testing.T) {
	h := newHost(t)
	h.serve(t)
	if _, stderr, code := run(t, "arena", "serve", "--db", h.db, "--addr", "127.0.0.1:0"); code != 1 || !strings.Contains(stderr, "another arena is using it") {
		t.Errorf("same database: exit code %d: %s", code, stderr)
	}
	if _, stderr, code := run(t, "arena", "serve", "--db", t.TempDir()+"/other.db", "--addr", h.Address); code != 1 || !strings.Contains(stderr, "listening on "+h.Address) {
		t.Errorf("same port: exit code %d: %s", code, stderr)
	}
}

func TestServeShutsDownInOrder(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	bot := h.bot(t, "ann", "random", "--reconnect", "0s")
	h.await(t, 1)
	h.server.Interrupt(t)
	if err := h.server.Wait(); err != nil {
		t.Errorf("serve after an interrupt: %v", err)
	}
	if err := bot.Wait(); err == nil || !strings.Contains(bot.Output.String(), "shutting down") {
		t.Errorf("the bot ends with %v: %s", err, bot.Output.String())
	}
}

// The arena is responsible for the bots that it starts: the death of such a bot is no fault and loses no game.
func TestDeathOfStartedBotStopsEvent(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	var mu sync.Mutex
	started := map[string]*exec.Cmd{}
	h := serveHere(t, func(config *server.Config) {
		config.Launch = func(l roster.Own) *exec.Cmd {
			mu.Lock()
			defer mu.Unlock()
			c := exec.Command("bot", "run", "--url", l.URL, "--name", l.Name, "--slots", "4", "--token", l.Token, "--quiet", l.Spec)
			c.Env = environment(t)
			started[l.Name] = c
			return c
		}
	})
	setup := tournament.Event{Bots: []string{"random", "greedy"}, Size: rules.Full, Matches: 40, Concurrency: 4}
	event, err := h.client.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	killed := false
	last, err := h.client.Follow(t.Context(), event, func(p server.Progress) {
		if p.Done == 0 || killed {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		killed = true
		if err := started["greedy"].Process.Kill(); err != nil {
			t.Error(err)
		}
	})
	if err != nil || last.State != server.Failed || !strings.Contains(last.Message, `bot "greedy": its process ended`) {
		t.Fatalf("the event is %s: %s %v", last.State, last.Message, err)
	}
	for name, r := range h.games(t, event) {
		if r.Ending.Fault() {
			t.Errorf("match %d game %d ended by %s: %s", name.match, name.leg, r.Ending, r.Detail)
		}
	}
	if err := h.client.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if last, err = h.client.Follow(t.Context(), event, func(server.Progress) {}); err != nil || last.State != server.Finished {
		t.Fatalf("after the resume the event is %s: %s %v", last.State, last.Message, err)
	}
	h.verify(t, event, 80)
}

func TestForeignClientPlaysWholeMatches(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	python := pythonProgram(t)
	h := newHost(t)
	h.serve(t)
	startProcess(t, python, foreignClient, h.BotURL(), "snake", "--slots", "2")
	h.bot(t, "ann", "random", "--quiet")
	h.await(t, 2)
	for _, r := range rules.Rulesets() {
		for _, size := range []string{"2x2", "3x2", "4x4"} {
			t.Run(fmt.Sprint(r, " ", size), func(t *testing.T) {
				s, err := rules.ParseSize(size)
				if err != nil {
					t.Fatal(err)
				}
				event, err := h.client.Start(t.Context(), tournament.Event{Bots: []string{"snake", "ann"}, Rules: r, Size: s, Matches: 1, Concurrency: 2, Search: true})
				if err != nil {
					t.Fatal(err)
				}
				last, err := h.client.Follow(t.Context(), event, func(server.Progress) {})
				if err != nil || last.State != server.Finished {
					t.Fatalf("the event is %s: %s %v", last.State, last.Message, err)
				}
				for name, game := range h.games(t, event) {
					if game.Ending != record.Mate {
						t.Errorf("game %d ended by %s: %s", name.leg, game.Ending, game.Detail)
					}
				}
				h.verify(t, event, 2)
			})
		}
	}
}

// A bot that connects by itself says which games its table covers: an event of other games is refused with the reason.
func TestPerfectRefusesOtherGames(t *testing.T) {
	t.Parallel()
	table := writeTable(t)
	h := newHost(t)
	h.serve(t)
	h.bot(t, "oracle", "perfect:table="+table, "--quiet")
	h.await(t, 1)
	play := func(ruleset string) (problems string, code int) {
		_, problems, code = run(t, "arena", "event", "run", "--server", h.client.URL, "--bot", "oracle", "--bot", "random",
			"--matches", "1", "--size", "2x2", "--rules", ruleset, "--quiet")
		return problems, code
	}
	if problems, code := play("gpcc2016"); code != 0 {
		t.Fatal(problems)
	}
	for _, g := range h.games(t, 1) {
		if g.Ending != record.Mate {
			t.Errorf("its own game ends with %v: %s", g.Ending, g.Detail)
		}
	}
	if problems, code := play("gpcc2015"); code != cmdline.Failed || !strings.Contains(problems, "it plays only rules=gpcc2016 size=2x2, and is asked for rules=gpcc2015") {
		t.Errorf("another game: exit code %d: %s", code, problems)
	}
}
