package players

import (
	"context"
	"testing"
	"time"

	"versus2048/players/playout"
	"versus2048/players/searchtest"
	"versus2048/rules"
	"versus2048/rules/record"
)

// counting is a chooser that reports the number of its choices as its nodes.
type counting struct{ choices int64 }

func (c *counting) choose(_ context.Context, _ rules.Position, moves []rules.Move, _ *playout.Generator) rules.Move {
	c.choices++
	return moves[0]
}

func (c *counting) report() *record.SearchReport { return &record.SearchReport{Nodes: c.choices} }

func TestLastSearch(t *testing.T) {
	player := WithMargin(&bot{chooser: &counting{}}, time.Second)
	if got := player.LastSearch(); got != nil {
		t.Errorf("before the first move: %+v", got)
	}
	for _, step := range []struct {
		position string
		nodes    int64 // 0 for no report
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

// deep reports a variation of 100 plies from the empty board, and 100 depths.
type deep struct{ counting }

func (*deep) report() *record.SearchReport {
	s := &record.SearchReport{Expanded: make([]int64, 100)}
	for p := rules.NewPosition(rules.GPCC2015, rules.Full); len(s.Variation) < 100; p = p.Next(s.Variation[len(s.Variation)-1]) {
		s.Variation = append(s.Variation, p.AppendMoves(nil)[0])
	}
	return s
}

func TestLastSearchDepth(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2015, rules.Full)
	player := &bot{chooser: &deep{}}
	if _, err := player.Choose(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	s := player.LastSearch()
	if err := s.Check(p); err != nil || len(s.Expanded) != record.MaxSearchDepth || len(s.Variation) != record.MaxSearchDepth {
		t.Errorf("%d depths, %d moves, %v: want the most that a report may have, %d", len(s.Expanded), len(s.Variation), err, record.MaxSearchDepth)
	}
}

func TestLastSearchWithoutSearch(t *testing.T) {
	for name, player := range map[string]Player{"a bot": Chance(Game{Seed: 1}), "another player": &waiting{}} {
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

func TestGameOver(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, "2,4/4,2 D")
	if m, err := Chance(Game{Seed: 1}).Choose(t.Context(), p); err == nil {
		t.Errorf("chose %v in a game that is over", m)
	}
}
