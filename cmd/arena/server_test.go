package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"versus2048/rules/record"
	"versus2048/tournament/report"
)

func TestTournamentOnARunningArena(t *testing.T) {
	h := newHost(t)
	h.serve(t)
	h.bot(t, "ann", "random")
	h.bot(t, "bob", "greedy", "--slots", "1")
	h.bot(t, "cid", "evminimax:depth=1", "--author", "somebody")
	h.await(t, 3)
	if bots, _, code := run(t, "arena", "bots", "--server", h.client.URL); code != 0 || !strings.Contains(bots, "cid") {
		t.Fatalf("arena bots exits with %d: %s", code, bots)
	}

	stdout, stderr, code := run(t, "arena", "tournament", "run", "--server", h.client.URL, "--json",
		"--bot", "ann", "--bot", "bob", "--bot", "cid", "--bot", "dan=random:seed=3", "--matches", "1", "--size", "3x3")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	var report struct {
		Event      int64
		Crosstable report.Crosstable
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatal(err)
	}
	games := h.games(t, report.Event)
	if len(games) != 12 {
		t.Fatalf("%d games, want 12", len(games))
	}
	checkPoints(t, report.Crosstable, games)
	h.verify(t, report.Event, 12)
	if list, _, code := run(t, "arena", "tournament", "list", "--server", h.client.URL); code != 0 || !strings.Contains(list, "finished  12 of 12") {
		t.Errorf("arena tournament list exits with %d: %s", code, list)
	}
	for _, id := range []string{"1", "12"} {
		if text, stderr, code := run(t, "arena", "replay", id, "--db", h.db); code != 0 || !strings.Contains(text, "mate:") {
			t.Errorf("replay of game %s exits with %d: %s%s", id, code, text, stderr)
		}
	}
}

// checkPoints counts the points anew from the games' records alone.
func checkPoints(t *testing.T, table report.Crosstable, games map[gameName]record.Record) {
	t.Helper()
	points := map[string]float64{}
	for name, a := range games {
		if name.leg == 2 {
			continue
		}
		b := games[gameName{name.match, 2}]
		lastA, _ := a.Replay()
		lastB, _ := b.Replay()
		switch {
		case lastA.Score() > lastB.Score():
			points[a.Defender]++
		case lastA.Score() < lastB.Score():
			points[b.Defender]++
		default:
			points[a.Defender] += 0.5
			points[b.Defender] += 0.5
		}
	}
	for i, s := range table.Standings {
		if s.Points != points[s.Name] || s.Played != 3 {
			t.Errorf("%s has %v points of %d matches, want %v of 3", s.Name, s.Points, s.Played, points[s.Name])
		}
		if i > 0 && table.Standings[i-1].Points < s.Points {
			t.Errorf("rank %d has fewer points than rank %d", i, i+1)
		}
	}
}

// resumeLine is where an interrupted command says how to go on.
var resumeLine = regexp.MustCompile(`(?m)^resume: (.+)$`)

func TestInterruptedTournamentSaysHowToGoOn(t *testing.T) {
	h := newHost(t)
	h.serve(t)
	h.bot(t, "ann", "random")
	h.bot(t, "bob", "random:seed=2")
	h.await(t, 2)
	for name, where := range map[string][]string{
		"arena of its own": {"--db", t.TempDir() + "/own.db", "--bot", "random", "--bot", "greedy"},
		"running arena":    {"--server", h.client.URL, "--bot", "ann", "--bot", "bob"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"tournament", "run", "--matches", "40"}, where...)
			stdout, stderr, code := interruptedRun(t, args, func(p *process) error { return p.Process.Signal(os.Interrupt) })
			if code != 1 || stdout != "" {
				t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
			}
			found := resumeLine.FindStringSubmatch(stderr)
			if found == nil {
				t.Fatalf("no command that resumes in: %s", stderr)
			}
			words := strings.Fields(found[1])
			stdout, stderr, code = run(t, words[0], append(words[1:], "--quiet")...)
			if code != 0 || !strings.Contains(stdout, "40") {
				t.Fatalf("%s exits with %d: %s%s", found[1], code, stdout, stderr)
			}
		})
	}
}

// interruptedRun runs arena in a group of its own and interrupts it as soon as
// it says that games are being played.
func interruptedRun(t *testing.T, args []string, interrupt func(*process) error) (stdout, stderr string, code int) {
	t.Helper()
	p := &process{Cmd: exec.Command("arena", args...)}
	ownGroup(p)
	p.Stdout = &p.output
	progress, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	lines := bufio.NewScanner(progress)
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "playing") {
			break
		}
	}
	if err := interrupt(p); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(progress)
	if err != nil {
		t.Fatal(err)
	}
	_ = p.Wait() // the exit code says it
	return p.output.String(), said.String() + string(rest), p.ProcessState.ExitCode()
}

func TestTokensAreRequiredWhereTheArenaSaysSo(t *testing.T) {
	h := newHost(t)
	made, _, _ := run(t, "arena", "token", "new", "ann", "--db", h.db)
	token := strings.TrimSpace(made)
	h.serve(t, "--require-tokens")
	h.bot(t, "ann", "random", "--token", token)
	h.await(t, 1)
	for name, flags := range map[string][]string{
		"token_required": {"--name", "bob"},
		"bad_token":      {"--name", "bob", "--token", token},
		"name_in_use":    {"--name", "ann", "--token", token},
	} {
		args := append([]string{"run", "random", "--url", "ws://" + h.address + "/bot"}, flags...)
		if _, stderr, code := run(t, "bot", args...); code != 1 || !strings.Contains(stderr, name) {
			t.Errorf("%v exits with %d, want 1 and %s: %s", flags, code, name, stderr)
		}
	}
	// A token that is made while the arena runs is good at once.
	made, _, _ = run(t, "arena", "token", "new", "bob", "--db", h.db)
	h.bot(t, "bob", "greedy", "--token", strings.TrimSpace(made))
	h.await(t, 2)
	if _, stderr, code := run(t, "arena", "tournament", "run", "--server", h.client.URL, "--bot", "ann", "--bot", "bob",
		"--bot", "own=random", "--matches", "1", "--size", "2x2", "--quiet"); code != 0 {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestASecondArenaOnTheSameDatabase(t *testing.T) {
	h := newHost(t)
	h.serve(t)
	h.await(t, 0)
	if _, stderr, code := run(t, "arena", "serve", "--db", h.db, "--addr", "127.0.0.1:0"); code != 1 || !strings.Contains(stderr, "another arena is using it") {
		t.Errorf("same database: exit code %d: %s", code, stderr)
	}
	if _, stderr, code := run(t, "arena", "serve", "--db", t.TempDir()+"/other.db", "--addr", h.address); code != 1 || !strings.Contains(stderr, "listening on "+h.address) {
		t.Errorf("same port: exit code %d: %s", code, stderr)
	}
}

func TestServeEndsInOrder(t *testing.T) {
	h := newHost(t)
	h.serve(t)
	h.await(t, 0)
	bot := h.bot(t, "ann", "random", "--reconnect", "0s")
	h.await(t, 1)
	h.server.interrupt(t)
	if err := h.server.Wait(); err != nil {
		t.Errorf("serve after an interrupt: %v", err)
	}
	if err := bot.Wait(); err == nil || !strings.Contains(bot.output.String(), "shutting down") {
		t.Errorf("the bot ends with %v: %s", err, bot.output.String())
	}
}
