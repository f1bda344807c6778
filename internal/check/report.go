package check

import (
	"fmt"
	"time"
)

// Report has the results of the checks of one bot.
type Report struct {
	Bot     string   `json:"bot"`              // its address or its command
	Name    string   `json:"name"`             // the bot's own name for itself, "" if it gives none
	Medium  string   `json:"medium"`           // "stdio" or "websocket"
	Limits  string   `json:"limits,omitempty"` // the reason why not all games were checked
	Results []Result `json:"results"`          // one for each check that is for the medium
}

// State is the outcome of a check.
type State string

// The states of a check.
const (
	Passed  State = "passed"
	Failed  State = "failed"
	Skipped State = "skipped" // it could not be tried
)

// Result is the result of one check.
type Result struct {
	ID       string        `json:"id"`
	Level    Level         `json:"level"`
	Demand   string        `json:"demand"`
	State    State         `json:"state"`
	Why      string        `json:"why,omitempty"` // the reason why it was skipped
	Failures []Failure     `json:"failures,omitempty"`
	Took     time.Duration `json:"took_ns"`
}

// Failure is one failure of a bot in a check.
type Failure struct {
	Problem string `json:"problem"`
	Wire    []Line `json:"wire"`             // the last lines before it
	Stderr  string `json:"stderr,omitempty"` // the end of the bot's standard error
}

// Line is a line of the line protocol, or a message of a WebSocket.
type Line struct {
	At   time.Duration `json:"at_ns"` // since the conversation began
	From string        `json:"from"`  // "checker" or "bot"
	Text string        `json:"text"`  // shortened, if it is long
}

func (l Line) String() string {
	mark := map[string]string{fromChecker: ">", fromBot: "<"}[l.From]
	return fmt.Sprintf("%8.3f %s %s", l.At.Seconds(), mark, l.Text)
}

// Count returns the number of checks of a level in a state. The level "" stands for all levels.
func (r Report) Count(level Level, state State) (n int) {
	for _, result := range r.Results {
		if result.State == state && (level == "" || result.Level == level) {
			n++
		}
	}
	return n
}

// Passed reports whether no check of the level Must has failed.
func (r Report) Passed() bool { return r.Count(Must, Failed) == 0 }

// Failures returns the ids of the failed checks, in order.
func (r Report) Failures() (ids []string) {
	for _, result := range r.Results {
		if result.State == Failed {
			ids = append(ids, result.ID)
		}
	}
	return ids
}

// finding is the error of a check that found a mistake of the bot.
type finding struct {
	Failure
	owner string // the check that it belongs to; "" for the one that runs
}

func (f *finding) Error() string { return f.Problem }

// errSkip is the error of a check that cannot be tried.
type errSkip struct{ why string }

func (e errSkip) Error() string { return e.why }

func skipf(format string, args ...any) error { return errSkip{fmt.Sprintf(format, args...)} }

// findings takes joined errors apart.
func findings(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range joined.Unwrap() {
			all = append(all, findings(e)...)
		}
		return all
	}
	return []error{err}
}
