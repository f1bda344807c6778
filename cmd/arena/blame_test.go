package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// alwaysWrong plays illegal moves until the connection ends.
func alwaysWrong(b *rawBot) {
	b.from(0, func(b *rawBot, r map[string]any) { with(b, r, "move", "up") })
}

// Games that are lost by a fault are named where one looks: at the end of run, in its JSON, in status
// and in the server's log.
func TestFaultsAreTold(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	go alwaysWrong(dial(t, h.BotURL(), "bad", ""))
	h.bot(t, "good", "random", "--quiet")
	h.await(t, 2)
	play := []string{"event", "run", "--server", h.client.URL, "--bot", "bad", "--bot", "good", "--matches", "6", "--size", "2x2", "--concurrency", "1"}
	want := []string{
		"12 of 12 games were lost by a fault:\n  game 1 (match 1): bad, illegal-move: ",
		"\n  game 10 (match 5): bad, illegal-move: ",
		"\n  and 2 more\nwarning: most games were lost by a fault, so that the results say little about how well the bots play\nlook at one: arena replay 1 --server " + h.client.URL + "\n",
	}
	stdout, stderr, code := run(t, "arena", play...)
	if code != 0 || !containsAll(stdout, want...) || !strings.Contains(stderr, ", 12 lost by a fault") {
		t.Errorf("run exits with %d: %s%s", code, stdout, stderr)
	}
	stdout, stderr, code = run(t, "arena", "event", "status", "1", "--server", h.client.URL)
	if code != 0 || !containsAll(stdout, want...) {
		t.Errorf("status exits with %d: %s%s", code, stdout, stderr)
	}
	stdout, stderr, code = run(t, "arena", "event", "status", "1", "--db", h.db)
	if code != 0 || !containsAll(stdout, append(want[:2:2], "look at one: arena replay 1 --db "+h.db+"\n")...) {
		t.Errorf("status of the database exits with %d: %s%s", code, stdout, stderr)
	}
	h.server.AwaitOutput(t, `msg="event ended"`)
	log := h.server.Output.String()
	if n := strings.Count(log, `msg="game lost by a fault"`); n != 10 || !containsAll(log, "game=1 match=1 bot=bad fault=illegal-move why=", "counted, not logged", "faults=12") {
		t.Errorf("%d games are logged, want 10", n)
	}

	stdout, stderr, code = run(t, "arena", append(play, "--json")...)
	var result struct{ Faults server.Faults }
	if err := json.Unmarshal([]byte(stdout), &result); err != nil || code != 0 {
		t.Fatalf("run --json exits with %d, error %v: %s", code, err, stderr)
	}
	if f := result.Faults; f.Games != 12 || len(f.First) != 10 || f.First[0].Bot != "bad" || f.First[0].Fault != record.IllegalMove {
		t.Errorf("faults in JSON: %+v", f)
	}
}

func containsAll(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

// With the default clock and grace, a bot that loses its connection during its turn does not lose after five seconds:
// the list of bots, the status and the progress show that it is away, and it plays on when it is back.
func TestBotComesBackAfterItsTime(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	url := "ws://" + h.Address + "/bot"
	bot := dial(t, url, "lost", "")
	h.bot(t, "good", "random", "--quiet")
	h.await(t, 2)
	event, err := h.client.Start(t.Context(), tournament.Event{
		Bots: []string{"lost", "good"}, Matches: 1, Concurrency: 1, Size: rules.Size{Width: 2, Height: 2}, Clock: tournament.Clock{PerMove: 5 * time.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	bot.next("request")
	closed := time.Now()
	bot.Close()
	p := h.after(t, event, func(p server.Progress) bool { return len(p.Away) == 1 && p.Away[0].Bot == "lost" })
	known := time.Now()
	if left, least := time.Duration(p.Away[0].Left), 30*time.Second-known.Sub(closed); left < least-time.Millisecond || left > 30*time.Second {
		t.Errorf("it may stay away for %v, want %v or more, and not over 30 s", left, least)
	}
	for _, args := range [][]string{{"bots"}, {"event", "status", fmt.Sprint(event)}} {
		stdout, stderr, code := run(t, "arena", append(args, "--server", h.client.URL)...)
		if code != 0 || !containsAll(stdout, "lost", "away", "for 0:") {
			t.Errorf("%v exits with %d: %s%s", args, code, stdout, stderr)
		}
	}
	<-time.After(time.Until(known.Add(6 * time.Second))) // longer than the time for a move
	back := dial(t, url, "lost", "")
	if r := back.next("request"); r["left_ms"].(float64) <= 0 {
		t.Errorf("%v ms are left", r["left_ms"])
	} else {
		back.answer(r)
	}
	go back.from(0, (*rawBot).answer)
	last, err := h.client.Follow(t.Context(), event, func(server.Progress) {})
	if err != nil || last.State != server.Finished || last.Faults != nil || last.Away != nil {
		t.Fatalf("the event is %s, faults %+v, away %v, error %v", last.State, last.Faults, last.Away, err)
	}
	var away time.Duration
	for _, r := range h.games(t, event) {
		for _, pause := range r.Pauses {
			away = max(away, pause.Away)
		}
	}
	if away < 6*time.Second || away > 30*time.Second {
		t.Errorf("an absence of %v is on record", away)
	}
}
