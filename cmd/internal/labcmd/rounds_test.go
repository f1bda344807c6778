package labcmd

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"versus2048/internal/server"
	"versus2048/lab/chore"
	"versus2048/lab/experiment/regret"
	"versus2048/lab/retrograde"
	"versus2048/players"
	"versus2048/rules"
)

// smallSample returns the settings of some batches on 2x2.
func smallSample(t *testing.T) []chore.MovesSettings {
	t.Helper()
	solution, err := retrograde.Solve(t.Context(), rules.GPCC2016, rules.Size{Width: 2, Height: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sample, err := regret.Draw(t.Context(), solution.Table, regret.Config{Positions: 40, Seed: 1, Workers: 1}, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	return chore.SplitMoves(sample)
}

// farmOf returns work for an arena with two workers, w0 and w1 by turns. answer makes the workers' results of the right
// ones.
func farmOf(t *testing.T, share float64, answer func(batch int, right chore.MovesResult) any) work {
	t.Helper()
	w := work{kind: chore.Regret, bot: "greedy", local: "greedy", title: "greedy", share: share, quiet: true, messages: io.Discard}
	arena := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		var asked server.Round
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		bot, err := players.Parse(asked.Bot)
		if err != nil {
			t.Error(err)
			return
		}
		lines := json.NewEncoder(out)
		for i, settings := range asked.Batches {
			text, err := chore.All()[chore.Regret].Do(r.Context(), bot, settings)
			if err != nil {
				t.Error(err)
			}
			var right chore.MovesResult
			if err := json.Unmarshal(text, &right); err != nil {
				t.Error(err)
			}
			said, err := json.Marshal(answer(i, right))
			if err == nil {
				err = lines.Encode(server.RoundNews{Done: i + 1, Total: len(asked.Batches), Workers: 2, Batch: i, Result: said, Worker: []string{"w0", "w1"}[i%2]})
			}
			if err != nil {
				t.Error(err)
			}
		}
		_ = lines.Encode(server.RoundNews{Done: len(asked.Batches), Total: len(asked.Batches), Over: true})
	}))
	t.Cleanup(arena.Close)
	w.client = &server.Client{URL: arena.URL}
	return w
}

func TestRoundOfHonestWorkers(t *testing.T) {
	settings := smallSample(t)
	results, err := do[chore.MovesSettings, chore.MovesResult](t.Context(), farmOf(t, 1, func(_ int, right chore.MovesResult) any { return right }), settings)
	if err != nil || len(results) != len(settings) {
		t.Fatalf("%d results, error %v", len(results), err)
	}
	for i, r := range results {
		if len(r.Moves) != len(settings[i].Positions) {
			t.Errorf("batch %d: %v", i, r)
		}
	}
}

// A result that cannot be right ends the command, which names the worker.
func TestWrongResultIsRefused(t *testing.T) {
	settings := smallSample(t)
	for name, wrong := range map[string]any{"fewer": chore.MovesResult{}, "no result": []int{}, "more": map[string]any{"moves": []string{}, "x": 1}} {
		t.Run(name, func(t *testing.T) {
			_, err := do[chore.MovesSettings, chore.MovesResult](t.Context(), farmOf(t, 0, func(batch int, right chore.MovesResult) any {
				if batch == 3 {
					return wrong
				}
				return right
			}), settings)
			if found := (*wrongResultError)(nil); !errors.As(err, &found) || found.worker != "w1" || found.batch != 3 || !strings.Contains(err.Error(), "cannot be right") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A wrong result that could be right is found out when this process does the batch again: the first batch of each
// worker, or a batch of the sample.
func TestOtherResultIsFoundOut(t *testing.T) {
	settings := smallSample(t)
	for batch, share := range map[int]float64{0: 1e-9, 1: 1e-9, 4: 1} {
		_, err := do[chore.MovesSettings, chore.MovesResult](t.Context(), farmOf(t, share, func(i int, right chore.MovesResult) any {
			if i == batch {
				right.Moves[0] = otherMove(t, settings[i].Positions[0].Position, right.Moves[0])
			}
			return right
		}), settings)
		if found := (*wrongResultError)(nil); !errors.As(err, &found) || found.batch != batch || !strings.Contains(err.Error(), "differs from the result of this process") {
			t.Errorf("batch %d: error %v", batch, err)
		}
	}
}

// The batches of a bot that is not here, or that need not play alike, are not done again, and the command says so.
func TestBatchesThatCannotBeChecked(t *testing.T) {
	settings := smallSample(t)
	for local, why := range map[string]string{"perfect:table=none": "cannot play the bot", "mcts:time=1": "may play otherwise"} {
		var said strings.Builder
		w := farmOf(t, 1, func(_ int, right chore.MovesResult) any { return right })
		w.local, w.quiet, w.messages = local, false, &said
		if _, err := do[chore.MovesSettings, chore.MovesResult](t.Context(), w, settings); err != nil || !strings.Contains(said.String(), why) {
			t.Errorf("%s: error %v, it says %q", local, err, said.String())
		}
	}
}

// otherMove returns another legal move of a position that has a choice.
func otherMove(t *testing.T, position string, not rules.Move) rules.Move {
	t.Helper()
	p, err := rules.ParsePosition(rules.GPCC2016, position)
	if err != nil {
		t.Error(err) // not t.Fatal: an HTTP handler calls this
		return not
	}
	for _, m := range p.AppendMoves(nil) {
		if m != not {
			return m
		}
	}
	t.Errorf("%s has no other move", position)
	return not
}
