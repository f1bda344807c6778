package labcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"versus2048/lab/chore"
	"versus2048/players"
)

// wrongResultError means that the result of a worker is wrong.
type wrongResultError struct {
	worker string
	batch  int
	why    string
}

func (e *wrongResultError) Error() string {
	return fmt.Sprintf("worker %q is not to be trusted: its result of batch %d %s; stop it, and give the command again", e.worker, e.batch, e.why)
}

// ownBot returns the bot that does batches again in this process, or nil if no batch is to be done again. If batches
// cannot be done again here, it prints the reason and returns nil.
func (j *job) ownBot() *players.Spec {
	if j.work.share == 0 {
		return nil
	}
	bot, err := players.Parse(j.work.local)
	why := "the bot may play otherwise on another machine"
	switch {
	case err != nil:
		why = "this process cannot play the bot: " + err.Error()
	case bot.Repeatable():
		return &bot
	}
	if !j.work.quiet {
		fmt.Fprintf(j.work.messages, "%s: no batch is done again to check it: %s\n", j.work.title, why)
	}
	return nil
}

// check returns an error for a result that cannot be right, or that differs from the result of own. own is the bot of
// this process that does the batches of sample again, or nil.
func (j *job) check(ctx context.Context, own *players.Spec) error {
	c := chore.All()[j.work.kind]
	for i, result := range j.results {
		if err := c.Check(j.batches[i], result); err != nil {
			return &wrongResultError{j.workers[i], i, "cannot be right: " + err.Error()}
		}
	}
	if own == nil {
		return nil
	}
	for _, i := range j.sample() {
		j.show("some batches are done again here")
		again, err := c.Do(ctx, *own, j.batches[i])
		if err != nil {
			return fmt.Errorf("batch %d, which is to be checked: %w", i, err)
		}
		if !bytes.Equal(compact(again), compact(j.results[i])) {
			return &wrongResultError{j.workers[i], i, "differs from the result of this process"}
		}
	}
	return nil
}

// sample draws the batches that are done again: the first batch of each worker, and a random part of the others.
func (j *job) sample() (numbers []int) {
	known := map[string]bool{}
	for i, worker := range j.workers {
		if !known[worker] || rand.Float64() < j.work.share { // drawn without the seed, since no result depends on the draw
			known[worker] = true
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// compact returns JSON without white space.
func compact(text json.RawMessage) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		return text
	}
	return out.Bytes()
}
