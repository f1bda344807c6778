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

// wrongResultError means that a worker has found what it should not have.
type wrongResultError struct {
	worker string
	batch  int
	why    string
}

func (e *wrongResultError) Error() string {
	return fmt.Sprintf("worker %q is not to be trusted: its result of batch %d %s; stop it, and give the command again", e.worker, e.batch, e.why)
}

// check returns an error for a result that cannot be right, or that this process finds otherwise: it does a sample of the
// batches again, which no worker can know. Bots that may play otherwise on another machine are not asked again, and neither
// are bots whose files are not here.
func (j *job) check(ctx context.Context) error {
	c := chore.All()[j.work.kind]
	for i, result := range j.results {
		if err := c.Check(j.batches[i], result); err != nil {
			return &wrongResultError{j.workers[i], i, "cannot be right: " + err.Error()}
		}
	}
	bot, err := players.Parse(j.work.local)
	if j.work.share == 0 || err != nil || !bot.Repeatable() {
		return nil
	}
	for _, i := range j.sample() {
		j.show("some are done again here")
		own, err := c.Do(ctx, bot, j.batches[i])
		if err != nil {
			return fmt.Errorf("batch %d, which is to be checked: %w", i, err)
		}
		if !bytes.Equal(compact(own), compact(j.results[i])) {
			return &wrongResultError{j.workers[i], i, "is not what this process finds"}
		}
	}
	return nil
}

// sample draws the batches that are done again: the first one of each worker, and a share of the others.
func (j *job) sample() (numbers []int) {
	known := map[string]bool{}
	for i, worker := range j.workers {
		if !known[worker] || rand.Float64() < j.work.share { // no result depends on it
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
