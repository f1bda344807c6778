package labcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/farm"
	"versus2048/internal/server"
)

// roundFlags returns the flags that name a running arena with workers. verb describes the work of the workers.
func roundFlags(verb string) []cli.Flag {
	return []cli.Flag{
		cmdline.ServerFlag("", "the running arena with the workers that "+verb+" (arena serve --farm, lab worker; default: this process does); files of bots are in the folder of its --tables"),
		hosting.OperatorFlag(),
		&cli.Float64Flag{Name: "check", Value: 2, Usage: "with --server, the `PERCENT` of the batches that this process does again, besides the first batch of each worker; both results must be equal; 0 for none"},
	}
}

// readWork reads roundFlags. It returns nil without --server.
func readWork(c *cli.Context, kind farm.Kind) (*work, error) {
	share := c.Float64("check")
	switch {
	case !(share >= 0 && share <= 100):
		return nil, cmdline.Usagef("--check %v: want 0 to 100", share)
	case c.String("server") != "":
		return &work{client: hosting.NewClient(c), kind: kind, share: share / 100, quiet: c.Bool("quiet"), messages: c.App.ErrWriter}, nil
	case c.IsSet("check"):
		return nil, cmdline.Usagef("--check: only with --server")
	}
	return nil, nil
}

// work is a command's work for workers.
type work struct {
	client   *server.Client
	kind     farm.Kind
	bot      string  // a spec, with paths on the arena's machine
	local    string  // the same spec with paths on this machine
	answered bool    // whether the arena has answered before: then do waits for it when it is gone
	title    string  // of the progress
	share    float64 // of the batches that are done again here, 0 to 1
	quiet    bool
	messages io.Writer // for progress
}

// retryInterval is the pause before do repeats a request that the arena has not answered.
const retryInterval = 2 * time.Second

// do lets workers compute a result for each of the settings, and checks the results. Each of the settings is a batch.
// The results are in the order of the settings. Once the arena has answered, do waits for it whenever it is gone, until
// ctx ends.
func do[S, R any](ctx context.Context, w work, settings []S) ([]R, error) {
	j := &job{work: w, results: make([]json.RawMessage, len(settings)), workers: make([]string, len(settings)), display: cmdline.NewDisplay(w.messages, w.quiet)}
	defer j.display.End()
	for _, s := range settings {
		text, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		j.batches = append(j.batches, text)
	}
	own := j.ownBot() // first, since ownBot may print a reason, and the display of progress begins later
	if err := j.finish(ctx); err != nil {
		return nil, err
	}
	if err := j.check(ctx, own); err != nil {
		return nil, err
	}
	results := make([]R, len(settings))
	for i, text := range j.results {
		if err := json.Unmarshal(text, &results[i]); err != nil {
			return nil, fmt.Errorf("the result of batch %d: %w", i, err)
		}
	}
	return results, nil
}

// job is the state of do.
type job struct {
	work    work
	batches []json.RawMessage
	results []json.RawMessage // nil for missing ones
	workers []string          // the worker of each result
	display *cmdline.Display
}

// finish asks the arena until all results have come.
func (j *job) finish(ctx context.Context) error {
	for len(j.missing()) > 0 {
		err := j.ask(ctx)
		refused := (*server.RequestError)(nil)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &refused) || err != nil && !j.work.answered:
			return err
		case err != nil:
			j.show("the arena does not answer; it is asked again")
			wait(ctx, retryInterval)
		}
	}
	return nil
}

// missing returns the numbers of the batches without a result.
func (j *job) missing() (numbers []int) {
	for i, r := range j.results {
		if r == nil {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// ask asks the arena for the missing results.
func (j *job) ask(ctx context.Context) error {
	missing := j.missing()
	round := server.Round{Kind: string(j.work.kind), Bot: j.work.bot}
	for _, i := range missing {
		round.Batches = append(round.Batches, j.batches[i])
	}
	return j.work.client.Do(ctx, round, func(n server.RoundNews) {
		j.work.answered = true
		if n.Result != nil && n.Batch >= 0 && n.Batch < len(missing) {
			j.results[missing[n.Batch]], j.workers[missing[n.Batch]] = n.Result, n.Worker
		}
		switch n.Workers {
		case 0:
			j.show("no worker is there: the arena waits for one (lab worker)")
		case 1:
			j.show("1 worker")
		default:
			j.show(fmt.Sprintf("%d workers", n.Workers))
		}
	})
}

// show shows a line such as "random (1 of 3) [=====               ] 20/80 batches, 2 workers".
func (j *job) show(state string) {
	total := len(j.batches)
	done := total - len(j.missing())
	milestone := fmt.Sprint(10*done/total, state)
	j.display.Draw(milestone, fmt.Sprintf("%s %s %d/%d batches, %s", j.work.title, cmdline.Bar(done, total), done, total, state))
}

// wait waits for the time d, or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
