package check

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"versus2048/internal/text/plain"
)

// The elements of JUnit's XML, as far as tools agree on them (see https://github.com/testmoapp/junitxml).
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Time    string       `xml:"time,attr"`
		Failure *junitReason `xml:"failure"`
		Skipped *junitReason `xml:"skipped"`
		Output  string       `xml:"system-out,omitempty"`
	}
	junitReason struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the report as JUnit's XML. Only failed checks that a bot must pass are failures there. The
// other failed checks pass, with their explanations as output.
func (r Report) WriteJUnit(w io.Writer) error {
	suite := junitSuite{Name: "bot check " + r.Bot, Tests: len(r.Results), Failures: r.Count(Must, Failed), Skipped: r.Count("", Skipped)}
	total := 0.0
	for _, result := range r.Results {
		total += result.Took.Seconds()
		suite.Cases = append(suite.Cases, result.junit())
	}
	suite.Time = seconds(total)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (r Result) junit() junitCase {
	c := junitCase{Class: string(r.Level), Name: r.ID, Time: seconds(r.Took.Seconds())}
	switch {
	case r.State == Skipped:
		c.Skipped = &junitReason{Message: plain.Line(r.Why)}
	case r.State == Failed && r.Level == Must:
		c.Failure = &junitReason{Message: plain.Line(r.Failures[0].Problem), Type: string(r.Level), Text: r.explanation(mostFailures)}
	case r.State == Failed:
		c.Output = r.explanation(mostFailures)
	}
	return c
}

// shownFailures is the greatest number of failures of a check that people are shown. Further ones are mostly alike.
const shownFailures = 2

// explanation describes the first failures of a check with the lines of the wire. most limits their number.
func (r Result) explanation(most int) string {
	var text strings.Builder
	fmt.Fprintln(&text, r.Demand)
	for _, f := range r.Failures[:min(most, len(r.Failures))] {
		f.write(&text)
	}
	if more := len(r.Failures) - most; more > 0 {
		fmt.Fprintf(&text, "  and %d more like these, which --json prints\n", more)
	}
	return text.String()
}

// explanationAfter is explanation for readers of the earlier checks: if a check has no new problem, it refers to the
// earlier checks. explanationAfter adds new problems to the shown ones.
func (r Result) explanationAfter(shown map[string]string) string {
	var known []string
	for _, f := range r.Failures {
		if first, ok := shown[f.Problem]; ok {
			known = append(known, fmt.Sprintf("  %s, as in %s\n", plain.Line(f.Problem), first))
		} else {
			shown[f.Problem] = r.ID
		}
	}
	if len(known) < len(r.Failures) {
		return r.explanation(shownFailures)
	}
	return r.Demand + "\n" + strings.Join(slices.Compact(known), "")
}

// write writes a failure with the lines that show it. It escapes the bot's text, which might hold commands for
// the terminal.
func (f Failure) write(w io.Writer) {
	fmt.Fprintln(w, "  "+plain.Line(f.Problem))
	for _, l := range f.Wire {
		fmt.Fprintln(w, "    "+strings.ReplaceAll(plain.Lines(l.String()), "\n", "\n                "))
	}
	if f.Stderr != "" {
		stderr := plain.Lines(strings.ReplaceAll(strings.TrimSpace(f.Stderr), "\r\n", "\n"))
		fmt.Fprintln(w, "    stderr: "+strings.ReplaceAll(stderr, "\n", "\n            "))
	}
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

// WriteText writes the failed checks with their failures, the skipped checks with the reasons, and the number of
// passed ones.
func (r Report) WriteText(w io.Writer) error {
	var text strings.Builder
	shown := map[string]string{} // the first check with a problem, by the problem
	for i, result := range r.Results {
		switch result.State {
		case Failed:
			fmt.Fprintf(&text, "FAILED  %-6s  %s: %s", result.Level, result.ID, result.explanationAfter(shown))
		case Skipped:
			if i > 0 && r.Results[i-1].Why == result.Why {
				continue // skipped has counted it with an earlier check
			}
			fmt.Fprintf(&text, "skipped %s\n", skipped(r.Results[i:]))
		}
	}
	if text.Len() > 0 {
		fmt.Fprintln(&text)
	}
	if r.Limits != "" {
		fmt.Fprintf(&text, "Other games were not checked: %s.\n", plain.Line(r.Limits))
	}
	fmt.Fprintf(&text, "%s: %s\n", r.title(), r.Summary())
	_, err := io.WriteString(w, text.String())
	return err
}

// skipped names the checks at the beginning of results that are skipped for the same reason.
func skipped(results []Result) string {
	first := results[0]
	n := 1
	for n < len(results) && results[n].Why == first.Why {
		n++
	}
	text := fmt.Sprintf("%-6s  %s", first.Level, first.ID)
	if n > 1 {
		text += fmt.Sprintf(" and %d more", n-1)
	}
	return text + ": " + plain.Line(first.Why)
}

func (r Report) title() string {
	if r.Name == "" {
		return r.Bot
	}
	return fmt.Sprintf("%s (%s)", plain.Line(r.Name), r.Bot)
}

// Summary returns a sentence with the numbers of passed, failed and skipped checks.
func (r Report) Summary() string {
	passed := r.Count("", Passed)
	text := fmt.Sprintf("%d checks passed", passed)
	if passed == 1 {
		text = "1 check passed"
	}
	for _, level := range []Level{Must, Should, Info} {
		if n := r.Count(level, Failed); n > 0 {
			text += fmt.Sprintf(", %d failed that it %s", n, map[Level]string{Must: "must pass", Should: "should pass", Info: "may fail"}[level])
		}
	}
	if n := r.Count("", Skipped); n > 0 {
		text += fmt.Sprintf(", %d skipped", n)
	}
	return text
}
