package botcmd

import (
	"fmt"
	"strings"

	"versus2048/internal/check"
	"versus2048/internal/text/terminal"
)

// Advice is a piece of advice for the author of a bot: one sentence or a few.
type Advice struct {
	Code string `json:"code"` // names the reason to programs, such as "fault"
	Text string `json:"text"`
}

// advise is a function that adds a piece of advice.
type advise func(code, format string, args ...any)

// CheckReport is the report on a bot's checks, and advice for its author on the most important failed check.
type CheckReport struct {
	check.Report
	Passed bool     `json:"passed"` // whether no check failed that a bot must pass
	Advice []Advice `json:"advice"` // each with the id of the check as its code
}

// WithAdvice adds advice to a report, on one failed check: the first of level Must, or else of Should, or else of Info.
func WithAdvice(r check.Report) CheckReport {
	made := CheckReport{r, r.Passed(), []Advice{}}
	say := func(code, format string, args ...any) {
		made.Advice = append(made.Advice, Advice{code, fmt.Sprintf(format, args...)})
	}
	for _, level := range []check.Level{check.Must, check.Should, check.Info} {
		for _, result := range r.Results {
			if result.State == check.Failed && result.Level == level {
				adviseFirst(r, result, say)
				return made
			}
		}
	}
	return made
}

// adviseFirst gives advice on the first failed check.
func adviseFirst(r check.Report, first check.Result, say advise) {
	f := first.Failures[0]
	stderr := strings.TrimSpace(f.Stderr)
	say(first.ID, "Begin with %s: %[2]s. The key wire of its failure has the last lines before that. To run only this check, use --only %[1]s.", first.ID, strings.TrimSuffix(f.Problem, "."))
	if lines := strings.Split(stderr, "\n"); stderr != "" {
		say(first.ID, "The last line of the bot's standard error was: %s", lines[len(lines)-1])
	}
	if same := sharing(r, f.Problem) - 1; same > 0 {
		say(first.ID, "%s in the same way, perhaps by the same mistake.", terminal.Count(same, "more check fails", "more checks fail"))
	}
	switch area, _, _ := strings.Cut(first.ID, "."); area {
	case "moves":
		if stderr != "" {
			return // the bot's own words say more
		}
		say(first.ID, "Compare the counts of its rules with docs/PROTOCOL.md#test-your-rules.")
	case "clock":
		say(first.ID, "Plan to answer 50 ms before left_ms is over, and count the time from when the line arrives.")
	}
}

// sharing returns the number of checks whose first failure has this problem.
func sharing(r check.Report, problem string) (n int) {
	for _, result := range r.Results {
		if len(result.Failures) > 0 && result.Failures[0].Problem == problem {
			n++
		}
	}
	return n
}
