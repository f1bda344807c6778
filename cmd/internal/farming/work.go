package farming

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/display"
	"versus2048/internal/farm"
	"versus2048/internal/server"
	"versus2048/internal/server/rounds"
)

// Flags name a running arena whose workers do a command's work.
func Flags(does string) []cli.Flag {
	return []cli.Flag{
		cmdline.ServerFlag("", "the running arena whose workers "+does+" (arena serve --farm; default: this process does); files of bots are in the folder of its --tables"),
		&cli.StringFlag{Name: "token", EnvVars: []string{"VERSUS2048_OPERATOR_TOKEN"}, Usage: "the operator's token, for an arena on another machine"},
	}
}

// Client returns a client of the arena that the flags name, nil for none.
func Client(c *cli.Context) *server.Client {
	if c.String("server") == "" {
		return nil
	}
	return &server.Client{URL: c.String("server"), Token: c.String("token")}
}

// Work is what workers are to do.
type Work struct {
	Client   *server.Client
	Kind     farm.Kind
	Bot      string // a spec, with paths as the arena sees them
	Begun    bool   // the arena has answered before: Do waits for it from the start
	Title    string // of the progress
	Quiet    bool
	Messages io.Writer // for progress
}

// retryInterval is how long Do waits before it asks an arena again that has not answered.
const retryInterval = 2 * time.Second

// Do has workers do batches with the given settings, and returns their results in the same order. Once the arena has
// answered Do waits for it whenever it is gone, until ctx ends.
func Do[S, R any](ctx context.Context, w Work, settings []S) ([]R, error) {
	j := &job{work: w, begun: w.Begun, results: make([]json.RawMessage, len(settings)), display: display.New(w.Messages, w.Quiet)}
	defer j.display.End()
	for _, s := range settings {
		text, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		j.batches = append(j.batches, text)
	}
	if err := j.finish(ctx); err != nil {
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

// job is the state of Do.
type job struct {
	work    Work
	batches []json.RawMessage
	results []json.RawMessage // nil for those that are not there yet
	display *display.Display
	begun   bool // the arena has answered
}

// finish asks until all results are there.
func (j *job) finish(ctx context.Context) error {
	for len(j.left()) > 0 {
		err := j.ask(ctx)
		refused := (*server.RequestError)(nil)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &refused) || err != nil && !j.begun:
			return err
		case err != nil:
			j.show("the arena does not answer; it is asked again")
			wait(ctx, retryInterval)
		}
	}
	return nil
}

// left returns the numbers of the batches without a result.
func (j *job) left() (numbers []int) {
	for i, r := range j.results {
		if r == nil {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// ask asks the arena for what is left.
func (j *job) ask(ctx context.Context) error {
	left := j.left()
	round := rounds.Round{Kind: string(j.work.Kind), Bot: j.work.Bot}
	for _, i := range left {
		round.Batches = append(round.Batches, j.batches[i])
	}
	return j.work.Client.Do(ctx, round, func(n rounds.News) {
		j.begun = true
		if n.Result != nil && n.Batch >= 0 && n.Batch < len(left) {
			j.results[left[n.Batch]] = n.Result
		}
		switch n.Workers {
		case 0:
			j.show("no worker is there: the arena waits for one (arena worker)")
		case 1:
			j.show("1 worker")
		default:
			j.show(fmt.Sprintf("%d workers", n.Workers))
		}
	})
}

// show shows a line such as "random (1 of 3) [=====     ] 20/80 batches, 2 workers".
func (j *job) show(state string) {
	total := len(j.batches)
	done := total - len(j.left())
	milestone := fmt.Sprint(10*done/total, state)
	j.display.Draw(milestone, fmt.Sprintf("%s %s %d/%d batches, %s", j.work.Title, display.Bar(done, total), done, total, state))
}

// wait waits, at most until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
