package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// A program that knows only its standard input and output plays a whole event: its process is killed, then
// the arena is, and the event is resumed.
func TestKilledProgramPlaysOn(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	me := loner{path: goTemplate(t), events: filepath.Join(t.TempDir(), "events")}
	h := host{db: filepath.Join(t.TempDir(), "arena.db")}
	h.server = startProcess(t, "arena", "event", "run", "--bot", me.bot(), "--bot", "greedy", "--bot", "random",
		"--matches", strconv.Itoa(lonerMatches), "--size", "3x3", "--concurrency", "2", "--db", h.db, "--events", me.events, "--quiet")
	me.awaitGames(t, record.Mate, 1)
	killed := me.killUntilFault(t)
	h.server.KillWhen(t, me.hasGames(t, record.Mate, me.games(t, record.Mate)+5), 0)
	me.awaitEnd(t)
	before := h.games(t, 1)
	if n := finished(before); n == 0 || n >= lonerGames {
		t.Fatalf("%d games were over when the arena was killed", n)
	}

	_, stderr, code := run(t, "arena", "event", "resume", "1", "--db", h.db, "--quiet")
	if code == 0 || !strings.Contains(stderr, "the database has no commands") || !strings.Contains(stderr, "--bot 'me=exec:COMMAND'") {
		t.Errorf("without the command it exits with %d: %s", code, stderr)
	}
	stdout, stderr, code := run(t, "arena", "event", "resume", "1", "--bot", me.bot(), "--db", h.db, "--quiet", "--json")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	after := h.games(t, 1)
	compareMoves(t, before, after)
	compareTimes(t, before, after)
	h.verify(t, 1, lonerGames)
	onlyKillsLose(t, after, killed)
	completeStandings(t, stdout)
	me.awaitEnd(t)
}

const lonerGames = 3 * 2 * lonerMatches // three pairings, two games a match

// goTemplate builds the bot in Go that bot new writes, and returns its path.
func goTemplate(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "loner")
	if _, stderr, code := run(t, "bot", "new", "go", folder); code != 0 {
		t.Fatal(stderr)
	}
	build := exec.Command("go", "build", "-o", "bot", ".")
	build.Dir, build.Env = folder, append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(folder, "bot")
}

// loner is a program that plays as "me", with the file of its events.
type loner struct{ path, events string }

func (l loner) bot() string { return "me=exec:" + l.path }

// games counts the games of the program that have ended in a way.
func (l loner) games(t *testing.T, e record.Ending) (n int) {
	t.Helper()
	text, err := os.ReadFile(l.events)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, `"game_finished"`) && strings.Contains(line, `"me"`) && strings.Contains(line, fmt.Sprintf(`"ending":%q`, e)) {
			n++
		}
	}
	return n
}

// hasGames is the condition that a number of games of the program, or more, have ended in a way.
func (l loner) hasGames(t *testing.T, e record.Ending, least int) func() bool {
	return func() bool { return l.games(t, e) >= least }
}

func (l loner) awaitGames(t *testing.T, e record.Ending, least int) {
	t.Helper()
	testkit.Await(t, fmt.Sprintf("%d games that end by %v", least, e), l.hasGames(t, e, least))
}

// killUntilFault kills the program's processes until it has lost a game by that. It returns how many it killed.
func (l loner) killUntilFault(t *testing.T) (killed int) {
	t.Helper()
	testkit.Await(t, "a game that is lost by a kill", func() bool {
		if l.games(t, record.Disconnect) > 0 {
			return true
		}
		for _, pid := range l.processes(t) {
			if syscall.Kill(pid, syscall.SIGKILL) == nil {
				killed++
			}
		}
		return false
	})
	return killed
}

// awaitEnd waits until the program has no process.
func (l loner) awaitEnd(t *testing.T) {
	t.Helper()
	testkit.Await(t, "the end of the program's processes", func() bool { return len(l.processes(t)) == 0 })
}

// processes returns the numbers of the program's processes.
func (l loner) processes(t *testing.T) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		command, _ := os.ReadFile(file) // it may have ended
		if strings.HasPrefix(string(command), l.path+"\x00") {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// onlyKillsLose checks that all games ended by mate, except at most one game for each process that was killed.
func onlyKillsLose(t *testing.T, games map[gameName]record.Record, killed int) {
	t.Helper()
	lost := 0
	for name, r := range games {
		if r.Ending == record.Mate {
			continue
		}
		lost++
		mine := rules.Attacker
		if r.Defender == "me" {
			mine = rules.Defender
		}
		if winner, decided := r.Winner(); r.Ending != record.Disconnect || !decided || winner == mine || !strings.Contains(r.Detail, "signal: killed") {
			t.Errorf("match %d game %d of %s and %s ended by %v: %s", name.match, name.leg, r.Attacker, r.Defender, r.Ending, r.Detail)
		}
	}
	if lost == 0 || lost > killed {
		t.Errorf("%d games are lost after %d kills", lost, killed)
	}
}

// completeStandings checks the output of a command: every bot has played all its matches.
func completeStandings(t *testing.T, text string) {
	t.Helper()
	var report struct{ Standings tournament.Standings }
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Standings.Places) != 3 {
		t.Fatalf("standings %+v", report.Standings)
	}
	for _, place := range report.Standings.Places {
		if place.Played != 2*lonerMatches {
			t.Errorf("%s has played %d matches, want %d", place.Name, place.Played, 2*lonerMatches)
		}
	}
}
