package claims

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain runs the tests, or stands for a program. After the word print it prints the words that follow, after fail it
// fails, after skip it prints the output of a skipped benchmark, after files the number of proofs in its folder, and
// after count how often it was started with this word in its folder.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "print":
			fmt.Println(strings.Join(os.Args[2:], " "))
			os.Exit(0)
		case "fail":
			fmt.Fprintln(os.Stderr, "reading\nit is broken")
			os.Exit(3)
		case "skip":
			fmt.Println("goos: linux\n--- SKIP: BenchmarkPages\n    browser_test.go:77: there is no browser\nPASS")
			os.Exit(0)
		case "files":
			names, err := filepath.Glob("*.proof")
			fmt.Println(len(names), err)
			os.Exit(0)
		case "count":
			starts, _ := os.ReadFile("starts") // there is no file at the first start
			fmt.Println(len(starts)+1, os.WriteFile("starts", append(starts, '.'), 0o600))
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// program returns the command of this test in place of lab. It knows no other program.
func program(name string) ([]string, error) {
	if name != "lab" {
		return nil, fmt.Errorf("it needs %s, which is not on the PATH", name)
	}
	self, err := os.Executable()
	return []string{self}, err
}

// printing returns a claim about the output of a command.
func printing(name, command, json string, figure Measurement, cost time.Duration) Claim {
	return Claim{Name: name, Commands: []string{command}, Cost: Duration(cost), Read: Reading{JSON: json}, Figure: figure, Condition: Condition{Relation: AtLeast, Bound: 4}}
}

func TestVerify(t *testing.T) {
	timed := printing("timed", `lab print {"x":{"value":7,"low":6.5,"high":8}}`, "x", interval(5, 4.5, 6), 5*time.Second)
	timed.Timed = true
	turned := printing("turned", `lab print {"x":{"value":3,"low":2,"high":3.5}}`, "x", interval(5, 4.5, 6), 5*time.Second)
	turned.Timed = true
	ratio := printing("ratio", `lab print {"x":6}`, "x", Measurement{Value: 2}, 6*time.Second)
	ratio.Ratio = &Ratio{To: []string{`lab print {"x":3}`}, Runs: 3}
	noRatio := printing("no ratio", `lab print {"x":0}`, "x", interval(5, 3, 6), 6*time.Second)
	noRatio.Ratio, noRatio.Timed = ratio.Ratio, true
	pattern := printing("pattern", "lab print scored 1,234 points", "", Measurement{Value: 1234}, 6*time.Second)
	pattern.Read = Reading{Pattern: `scored ([\d,]+)`}
	ends := printing("ends", "lab print it took 7 [6.5, 8] ms", "", interval(5, 4.5, 6.5), 6*time.Second)
	ends.Read, ends.Timed = Reading{Pattern: `took (\S+) \[(\S+), (\S+)\]`}, true
	archived := printing("archived", `lab print {"x":1}`, "x", Measurement{Value: 1}, 6*time.Second)
	archived.Artefact = &Artefact{File: "a.gz", Archive: filepath.Join(t.TempDir(), "dist"), Command: "make dist"}
	files := printing("files", "lab files", "", Measurement{Value: 1}, 6*time.Second)
	files.Read = Reading{Pattern: `^(\d+)`}
	counted := printing("counted", "lab count", "", Measurement{Value: 1}, 5*time.Second)
	counted.Read = files.Read
	countedAgain := counted // after the ratio
	countedAgain.Name, countedAgain.Cost = "counted again", Duration(6*time.Second)
	table := printing("table", `lab print {"x":5,"rows":[{"n":1}]}`, "x", Measurement{Value: 5}, 6*time.Second)
	table.Artefact, table.Table = &Artefact{File: "a.json"}, &Table{Rows: "rows", Columns: []Column{{Title: "n", JSON: "n"}}}
	otherTable := table
	otherTable.Name, otherTable.Commands = "other table", []string{`lab print {"x":5,"rows":[{"n":2}]}`}
	claims := []Claim{
		printing("long", `lab print {"x":5}`, "x", Measurement{Value: 5}, time.Hour),
		printing("same", `lab print {"x":[1,{"y":5}]}`, "x.1.y", Measurement{Value: 5}, 2*time.Second),
		printing("other", `lab print {"x":6}`, "x", Measurement{Value: 5}, time.Second),
		printing("failing", "lab fail", "x", Measurement{Value: 5}, 3*time.Second),
		printing("silent", `lab print {"y":6}`, "x", Measurement{Value: 5}, 3*time.Second),
		printing("foreign", "arena stats", "x", Measurement{Value: 5}, 4*time.Second),
		printing("skipped", "lab skip", "x", Measurement{Value: 5}, 4*time.Second),
		timed, turned, counted, ratio, noRatio, countedAgain, pattern, ends, archived, files, table, otherTable,
	}
	want := []struct {
		name   string
		result Result
		reason string
	}{
		{"other", Differs, "the ledger has 5"},
		{"same", Confirmed, ""},
		{"failing", Failed, "lab fail ends with status 3: it is broken"},
		{"silent", Failed, "the output has no x"},
		{"foreign", NotRun, "it needs arena, which is not on the PATH"},
		{"skipped", NotRun, "there is no browser"},
		{"timed", Confirmed, ""},
		{"turned", Differs, "the ledger has 5 [4, 6]"},
		{"counted", Confirmed, ""},
		{"ratio", Confirmed, ""},
		{"no ratio", Failed, "the output has the number 0: a ratio needs numbers above 0"},
		{"counted again", Confirmed, ""},
		{"pattern", Confirmed, ""},
		{"ends", Confirmed, ""},
		{"archived", NotRun, "it needs " + filepath.Join(archived.Artefact.Archive, "a.gz") + ": make dist makes the file, or a release has it"},
		{"files", Confirmed, ""},
		{"table", Confirmed, ""},
		{"other table", Differs, "a.json has another table"},
		{"long", NotRun, " of the budget are left"},
	}
	var told []string
	l := Ledger{artefacts: map[string][]byte{"a.proof": nil, "a.json": []byte(`{"rows":[{"n":1}]}`)}}
	outcomes, err := l.Verify(t.Context(), claims, Verification{Budget: 10*time.Minute + 400*time.Millisecond, Program: program, Report: func(o Outcome) { told = append(told, o.Name) }})
	if err != nil || len(outcomes) != len(want) || len(told) != len(want) {
		t.Fatalf("%d outcomes, %d told, error %v", len(outcomes), len(told), err)
	}
	for i, w := range want {
		o := outcomes[i]
		reason := strings.ReplaceAll(o.Reason, filepath.Base(os.Args[0])+" ", "lab ")
		if o.Name != w.name || o.Result != w.result || !strings.HasSuffix(reason, w.reason) {
			t.Errorf("%s: %s, %q; want %s: %s, %q", o.Name, o.Result, o.Reason, w.name, w.result, w.reason)
		}
	}
}

// A claim of one second fits into a budget of one second, and a longer one does not.
func TestBudget(t *testing.T) {
	short := printing("short", `lab print {"x":5}`, "x", Measurement{Value: 5}, time.Second)
	long := printing("long", `lab print {"x":5}`, "x", Measurement{Value: 5}, 2*time.Second)
	v := &verifier{Verification: Verification{Budget: time.Second, Program: program}, folder: t.TempDir(), outputs: map[string]string{}, began: time.Now()}
	if o := v.verify(t.Context(), short); o.Result != Confirmed {
		t.Errorf("%+v", o)
	}
	v.began = time.Now().Add(-time.Hour)
	if o := v.verify(t.Context(), long); o.Reason != "it takes 2s, and 0s of the budget are left" {
		t.Errorf("%+v", o)
	}
}

// The logarithms of 2, 4 and 8 have the standard deviation log 2, and the quantile of Student's t with 2 degrees of
// freedom is 4.302653.
func TestRatioInterval(t *testing.T) {
	factor := math.Exp(4.302653 * math.Ln2 / math.Sqrt(3))
	value, low, high := ratioInterval([]float64{2, 4, 8})
	if math.Abs(value-4) > 1e-9 || math.Abs(low-4/factor) > 1e-5 || math.Abs(high-4*factor) > 1e-4 {
		t.Errorf("%v [%v, %v], want 4 [%v, %v]", value, low, high, 4/factor, 4*factor)
	}
}

// A claim is stale once its code has changed, committed or not; tests do not count.
func TestStale(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		if _, err := (Ledger{}).Stale(t.Context(), "."); err == nil || !strings.HasPrefix(err.Error(), "git is not on the PATH") {
			t.Errorf("without git: %v", err)
		}
		return
	}
	folder := t.TempDir()
	if _, err := (Ledger{}).Stale(t.Context(), folder); err == nil || !strings.HasSuffix(err.Error(), "is in no clone of the repository: run the command in one") {
		t.Errorf("outside of a clone: %v", err)
	}
	run := func(arguments ...string) string {
		t.Helper()
		output, err := git(t.Context(), folder, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, arguments...)...)
		if err != nil {
			t.Fatal(arguments, err)
		}
		return output
	}
	write := func(name string) {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(time.Now().String()), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q")
	for _, name := range []string{"rules/a.go", "rules/a_test.go", "lab/b.go", "lab/c.go"} {
		write(name)
	}
	run("add", "-A")
	run("commit", "-qm", "first")
	commit := run("rev-parse", "HEAD")
	for _, name := range []string{"rules/a_test.go", "lab/b.go"} {
		write(name)
	}
	run("commit", "-qam", "second")
	write("lab/c.go")
	l := Ledger{Claims: []Claim{
		{Name: "fresh", Commit: commit, Code: []string{"rules"}},
		{Name: "stale", Commit: commit, Code: []string{"rules", "lab"}},
		{Name: "foreign", Commit: "0123456789", Code: []string{"rules"}},
	}}
	changes, err := l.Stale(t.Context(), folder)
	if err != nil || len(changes) != 2 || changes[0].Name != "stale" || !slices.Equal(changes[0].Files, []string{"lab/b.go", "lab/c.go"}) || changes[1].Name != "foreign" || !changes[1].Unknown {
		t.Errorf("%+v, error %v", changes, err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if changes, err := l.Stale(stopped, folder); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %+v, error %v", changes, err)
	}
}

// An interrupt during any call of git ends the search for stale claims. In place of git there is a script that
// interrupts the test in that call.
func TestInterruptedStale(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, call := range []string{"rev-parse", "cat-file", "diff"} {
		script := "#!/bin/sh\n[ \"$3\" = " + call + " ] && kill -INT $PPID && exec sleep 600\nexit 0\n"
		if err := os.WriteFile(filepath.Join(folder, "git"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt)
		changes, err := (Ledger{Claims: []Claim{{Name: "a"}}}).Stale(ctx, folder)
		stop()
		if changes != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %+v, error %v", call, changes, err)
		}
	}
}
