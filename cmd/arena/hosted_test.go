package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/check"
	"versus2048/internal/server"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

// connect connects a bot until the test ends.
func connect(t *testing.T, h *host, games rules.Variants, play func(protocol.Start) players.Player) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	bot := protocol.Client{
		URL: h.BotURL(), Hello: protocol.Hello{Name: "tiny", Slots: 4, Plays: games}, Margin: 20 * time.Millisecond,
		New: func(s protocol.Start) (players.Player, error) { return play(s), nil },
	}
	done := make(chan error, 1)
	go func() { done <- bot.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	h.await(t, 1)
}

// slack is the extra time of a bot on a loaded machine.
const slack = 10 * time.Second

// huge is greedy, but takes two 65536s for mergeable.
type huge struct{ players.Player }

func (h huge) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	if p.HasHuge() && p.SideToMove() == rules.Defender {
		for _, m := range []rules.Move{rules.North, rules.South, rules.West, rules.East} {
			if !slices.Contains(p.AppendMoves(nil), m) {
				return m, nil
			}
		}
	}
	return h.Player.Choose(ctx, p)
}

// An honest bot passes all possible checks, and a bot with one fault fails one check.
func TestRun(t *testing.T) {
	spec, err := players.Parse("greedy")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		failed []string
		play   func(protocol.Start) players.Player
	}{
		{nil, func(s protocol.Start) players.Player { return spec.New(s.Setup()) }},
		{[]string{"moves.huge"}, func(s protocol.Start) players.Player { return huge{spec.New(s.Setup())} }},
	} {
		t.Run(strings.Join(test.failed, " "), func(t *testing.T) {
			t.Parallel()
			h := serveHere(t, func(*server.Config) {})
			connect(t, h, rules.Variants{}, test.play)
			report, err := checkConnected(t.Context(), h.client, "tiny", slack)
			if err != nil {
				t.Fatal(err)
			}
			if got := report.Failures(); !slices.Equal(got, test.failed) || len(report.Results) != 11 {
				t.Errorf("failed %v of %d, want %v: %+v", got, len(report.Results), test.failed, report)
			}
		})
	}
}

// A bot is checked in the games that it plays.
func TestSomeGames(t *testing.T) {
	spec, err := players.Parse("greedy")
	if err != nil {
		t.Fatal(err)
	}
	for games, skipped := range map[string]int{"2x2": 5, "defender": 11} {
		t.Run(games, func(t *testing.T) {
			t.Parallel()
			h := serveHere(t, func(*server.Config) {})
			plays := rules.ParseVariants(nil, []string{games}, nil)
			if games == "defender" {
				plays = rules.ParseVariants(nil, nil, []string{games})
			}
			connect(t, h, plays, func(s protocol.Start) players.Player { return spec.New(s.Setup()) })
			report, err := checkConnected(t.Context(), h.client, "tiny", slack)
			if err != nil {
				t.Fatal(err)
			}
			if n := report.Count("", check.Skipped); n != skipped || n+report.Count("", check.Passed) != 11 || report.Limits != "the bot plays only "+plays.String() {
				t.Errorf("%d are skipped, want %d: %+v", n, skipped, report)
			}
		})
	}
}

// A bot that is not there cannot be checked.
func TestNobody(t *testing.T) {
	h := serveHere(t, func(*server.Config) {})
	if _, err := checkConnected(t.Context(), h.client, "nobody", slack); err == nil || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("error %v", err)
	}
}
