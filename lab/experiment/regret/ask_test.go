package regret

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"versus2048/rules"
)

// The answers depend on the sample, not on the number of workers.
func TestAskDependsOnTheSample(t *testing.T) {
	s := drawn(t, solve(t, rules.GPCC2016, smallest), 10, 2)
	bot := spec(t, "mcts:playouts=20")
	one, err := s.Ask(t.Context(), bot, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	four, err := s.Ask(t.Context(), bot, 4, func(done, _ int) { last = done })
	if err != nil || !reflect.DeepEqual(one, four) || last != len(one) {
		t.Errorf("four workers get other answers, or %d of %d were reported: %v", last, len(one), err)
	}
}

func TestAskFails(t *testing.T) {
	table := solve(t, rules.GPCC2016, smallest)
	s := drawn(t, table, 2, 1)
	if _, err := s.Ask(t.Context(), broken{}, 2, nil); err == nil || !strings.Contains(err.Error(), "out of ideas") {
		t.Errorf("a bot that fails: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Ask(ctx, worst(table), 2, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	other := perfectBot(t, solve(t, rules.Solo, smallest)).Spec
	if _, err := s.Ask(t.Context(), other, 2, nil); err == nil || !strings.Contains(err.Error(), "its table is of solo on 2x2") {
		t.Errorf("a bot of another game: %v", err)
	}
}
