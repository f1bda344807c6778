package main

import (
	"fmt"
	"os/exec"
	"testing"

	"versus2048/arena"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// foreignClient was written from docs/PROTOCOL.md alone, with none of our code.
const foreignClient = "../../docs/example/client.py"

func TestAForeignClientPlaysWholeMatches(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 to run a bot in another language with")
	}
	h := newHost(t)
	h.serve(t)
	h.await(t, 0)
	startProcess(t, python, foreignClient, "ws://"+h.address+"/bot", "snake", "--slots", "2")
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
				last, err := h.client.Follow(t.Context(), event, func(arena.Progress) {})
				if err != nil || last.State != arena.Finished {
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
