package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// fields is a farm without workers, until one comes after some seconds and does a batch every 21 seconds.
type fields struct {
	workers atomic.Int32
	changed chan struct{}
}

func newFields() *fields { return &fields{changed: make(chan struct{}, 1)} }

func (*fields) Validate(Round) error                { return nil }
func (f *fields) Present() int                      { return int(f.workers.Load()) }
func (f *fields) Follow() (<-chan struct{}, func()) { return f.changed, func() {} }

func (f *fields) Do(ctx context.Context, r Round, took func(int, string, json.RawMessage)) error {
	wait := func(d time.Duration) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	wait(3500 * time.Millisecond)
	f.workers.Store(1)
	f.changed <- struct{}{}
	for i, settings := range r.Batches {
		wait(21 * time.Second)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		took(i, "w", settings)
	}
	return nil
}

// told returns the lines of an answer.
func told(t *testing.T, answer *httptest.ResponseRecorder) (lines []string) {
	t.Helper()
	for _, text := range strings.Split(strings.TrimSpace(answer.Body.String()), "\n") {
		var n RoundNews
		if err := json.Unmarshal([]byte(text), &n); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%d/%d by %d %s %v", n.Done, n.Total, n.Workers, n.Result, n.Over))
	}
	return lines
}

// A follower of a round gets a line when a worker comes, and for each result, and after at most ten seconds of silence.
func TestServe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := httptest.NewRecorder()
		ServeRound(t.Context(), answer, newFields(), Round{Batches: []json.RawMessage{[]byte("7")}})
		want := []string{
			"0/1 by 0  false", "0/1 by 1  false", // after 3.5 s
			"0/1 by 1  false", "0/1 by 1  false", // after 13.5 and 23.5 s
			"1/1 by 1 7 false", "1/1 by 1  true",
		}
		if got := told(t, answer); !slices.Equal(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
	})
}

// A round that is cut off has no last line.
func TestServeIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		answer := httptest.NewRecorder()
		ServeRound(ctx, answer, newFields(), Round{Batches: []json.RawMessage{[]byte("7")}})
		if got := told(t, answer); len(got) != 2 || strings.HasSuffix(got[1], "true") {
			t.Errorf("told %q", got)
		}
	})
}
