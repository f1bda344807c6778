package main

import (
	"testing"
	"time"

	"versus2048/arena"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// under plays an event of a raw bot, "bad", and our client's "good", over
// sockets, and returns its games and standings.
func under(t *testing.T, matches int, settings tournament.Settings, bad func(*rawBot)) (map[gameName]record.Record, map[string]report.Standing) {
	t.Helper()
	a := newTestArena(t)
	bot := dial(t, a.botURL, "bad", "")
	go bad(bot)
	a.clientBot(t, "good", "random")
	a.await(t, 2)
	event, err := a.client.Start(t.Context(), tournament.Event{
		Bots: []string{"bad", "good"}, Matches: matches, Concurrency: 1, Size: rules.Size{Width: 3, Height: 3},
		Clock: tournament.Clock{PerMove: 5 * time.Second}, Settings: settings,
	})
	if err != nil {
		t.Fatal(err)
	}
	last, err := a.client.Follow(t.Context(), event, func(arena.Progress) {})
	if err != nil || last.State != arena.Finished {
		t.Fatalf("the event is %s: %s, %v", last.State, last.Message, err)
	}
	a.verify(t, event, last.Done)
	table, err := a.client.Crosstable(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	standings := map[string]report.Standing{}
	for _, s := range table.Standings {
		standings[s.Name] = s
	}
	return a.games(t, event), standings
}

// The games begin with the defender's slide; the start tells the bot all of it.
func TestOpeningsAndResigningOverSockets(t *testing.T) {
	t.Parallel()
	const opening = "0,0,0/0,2,0/2,0,0 D 0 3"
	want := tournament.Settings{
		Openings:     tournament.Openings{Starts: []string{opening}},
		Budget:       players.Effort{Playouts: 17},
		Adjudication: tournament.Adjudication{MaxTurns: 50, MaxTile: 512, Resign: true},
	}
	starts := make(chan map[string]any, 2)
	games, standings := under(t, 1, want, func(b *rawBot) {
		for range 2 {
			start := b.next("start")
			starts <- start
			for r := b.next("request"); r != nil; r = b.next("request") {
				if r["ply"].(float64) >= 9 {
					b.send(map[string]any{"type": "resign", "game": r["game"], "ply": r["ply"]})
					break
				}
				b.answer(r)
			}
		}
	})
	for range 2 {
		start := <-starts
		budget, _ := start["budget"].(map[string]any)
		if start["ply"] != 3.0 || start["resumed"] != false || start["resign"] != true || start["max_turns"] != 50.0 || start["max_tile"] != 512.0 || budget["playouts"] != 17.0 {
			t.Errorf("the bot is told %v", start)
		}
	}
	for name, r := range games {
		winner, lost := r.Winner()
		if r.Start.String() != opening || r.Ending != record.Resigned || !lost || winner == sideOf(r, "bad") {
			t.Errorf("%v: from %v, %s, won by %v", name, r.Start, r.Ending, winner)
		}
	}
	if len(games) != 2 || standings["good"].Points != 1 {
		t.Errorf("%d games, standings %+v", len(games), standings)
	}
}

// A bot that fails again and again is set aside, and the event goes on to its end.
func TestStrikesOverSockets(t *testing.T) {
	t.Parallel()
	strikes := tournament.Settings{Strikes: tournament.Strikes{Faults: 3}}
	games, standings := under(t, 20, strikes, func(b *rawBot) {
		b.from(4, func(b *rawBot, r map[string]any) { with(b, r, "move", "up") })
	})
	if len(games) != 4 {
		t.Errorf("%d games are played, want the 4 up to the third fault", len(games))
	}
	if s := standings["bad"]; s.SetAside != 2 || s.Points != 0 || s.Played != 20 || standings["good"].Points != 20 {
		t.Errorf("standings %+v", standings)
	}
}
