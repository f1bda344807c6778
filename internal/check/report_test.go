package check

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

// Texts of a bot move no cursor, and no line of a bot looks like one of the report.
func TestTextOfStrangers(t *testing.T) {
	failure := Failure{
		Problem: "the bot gives up: \x1b[2J\nFAILED",
		Wire:    []Line{{time.Second, fromBot, "{\n\"a\": \"\x1b[2J\"\n}"}},
		Stderr:  "one\r\n\x1b]0;title\a\u202e\n",
	}
	r := Report{Bot: "./bot", Name: "evil\x1b[2J", Results: []Result{
		{ID: "a", Level: Must, Demand: "Does a.", State: Failed, Failures: []Failure{failure}},
		{ID: "b", Level: Must, State: Skipped, Why: "no \x1b[2J"},
	}}
	const want = `FAILED  must    a: Does a.
  the bot gives up: \x1b[2J\nFAILED
       1.000 < {
                "a": "\x1b[2J"
                }
    stderr: one
            \x1b]0;title\a\u202e
skipped must    b: no \x1b[2J

evil\x1b[2J (./bot): 0 checks passed, 1 failed that it must pass, 1 skipped
`
	var text, junit strings.Builder
	if err := r.WriteText(&text); err != nil || text.String() != want {
		t.Errorf("(%v) it writes\n%s\nwant\n%s", err, text.String(), want)
	}
	if err := r.WriteJUnit(&junit); err != nil || strings.ContainsAny(junit.String(), "\ufffd\u202e") || !strings.Contains(junit.String(), `message="no \x1b[2J"`) {
		t.Errorf("(%v) it writes\n%s", err, junit.String())
	}
}

// A problem that several checks have is shown with its lines once.
func TestSameProblemInSeveralChecks(t *testing.T) {
	failed := func(id string, problems ...string) Result {
		r := Result{ID: id, Level: Must, Demand: "Does " + id + ".", State: Failed}
		for _, p := range problems {
			r.Failures = append(r.Failures, Failure{Problem: p, Wire: []Line{{time.Second, fromChecker, "go"}}})
		}
		return r
	}
	r := Report{Bot: "./bot", Results: []Result{
		failed("a", "it ends", "it ends"), failed("b", "it ends", "it ends"), failed("c", "it ends", "it is late"), failed("d", "it is late", "it ends"),
	}}
	const want = `FAILED  must    a: Does a.
  it ends
       1.000 > go
  it ends
       1.000 > go
FAILED  must    b: Does b.
  it ends, as in a
FAILED  must    c: Does c.
  it ends
       1.000 > go
  it is late
       1.000 > go
FAILED  must    d: Does d.
  it is late, as in c
  it ends, as in a

./bot: 0 checks passed, 4 failed that it must pass
`
	var text strings.Builder
	if err := r.WriteText(&text); err != nil || text.String() != want {
		t.Errorf("(%v) it writes\n%s\nwant\n%s", err, text.String(), want)
	}
}

// The report of checks that are interrupted has the checks that were done. A problem is told as soon as it is found.
func TestInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	o := Options{Found: func(id, problem string) {
		if id != "handshake.ready" || !strings.Contains(problem, "/no/such/program") {
			t.Errorf("%s fails: %s", id, problem)
		}
	}}
	o.Progress = func(Check) { interrupt() }
	r, err := Run(ctx, NewLineBot([]string{"/no/such/program"}), o)
	if !errors.Is(err, context.Canceled) || len(r.Results) != 1 || r.Results[0].State != Failed {
		t.Errorf("error %v, report %+v", err, r)
	}
}

// A bot whose output does not come, or has no end of line, hears the likely mistake.
func TestUnheard(t *testing.T) {
	for script, want := range map[string]string{"exec sleep 60": "does it flush its output", "printf ready; exec sleep 60": `it wrote "ready" without an end of line`} {
		o := Options{Only: []string{"handshake.ready"}, StartTimeout: 2 * time.Second}
		r, err := Run(t.Context(), NewLineBot([]string{"sh", "-c", script}), o)
		if err != nil || len(r.Results) != 1 || r.Results[0].State != Failed || !strings.Contains(r.Results[0].Failures[0].Problem, want) {
			t.Errorf("%s: error %v, report %+v", script, err, r)
		}
	}
}

// Failures have a list of lines in JSON, also if nothing was said.
func TestNothingWasSaid(t *testing.T) {
	r, err := Run(t.Context(), NewLineBot([]string{"/no/such/program"}), Options{Only: []string{"handshake.ready"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"wire":[]`) {
		t.Errorf("(%v) the report is %s", err, text)
	}
}
