package players

import (
	"context"
	"testing"
	"time"

	"versus2048/rules"
)

// counting reports how often it has chosen.
type counting struct{ choices int64 }

func (c *counting) choose(_ context.Context, _ rules.Position, moves []rules.Move, _ *generator) rules.Move {
	c.choices++
	return moves[0]
}

func (c *counting) report() *rules.SearchReport { return &rules.SearchReport{Nodes: c.choices} }

func TestLastSearch(t *testing.T) {
	player := WithMargin(&bot{chooser: &counting{}}, time.Second)
	if got := player.LastSearch(); got != nil {
		t.Errorf("before the first move: %+v", got)
	}
	for _, step := range []struct {
		position string
		nodes    int64 // 0: no report
	}{
		{"2,0/0,2 A", 1},
		{"2,0/4,0 D", 0}, // forced
		{"2,0/0,2 D", 2},
	} {
		p, err := rules.ParsePosition(rules.GPCC2015, step.position)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := player.Choose(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		got := player.LastSearch()
		if step.nodes == 0 && got != nil || step.nodes > 0 && (got == nil || got.Nodes != step.nodes) {
			t.Errorf("after %s: %+v, want %d nodes (0: no report)", step.position, got, step.nodes)
		}
	}
}

func TestLastSearchOfWhoDoesNotSearch(t *testing.T) {
	for name, player := range map[string]Player{"a bot": Chance(1), "another player": &waiting{}} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		early := WithMargin(player, 0)
		if _, err := early.Choose(ctx, rules.NewPosition(rules.GPCC2015, rules.Full)); err != nil {
			t.Fatal(err)
		}
		if got := early.LastSearch(); got != nil {
			t.Errorf("%s reports %+v", name, got)
		}
	}
}
