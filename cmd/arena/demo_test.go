//go:build !race

package main

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/testkit"
)

// The demo's games can be watched while they are played, and stay until it is interrupted.
func TestServedDemo(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	p := testkit.NewProgram("arena", "demo", "--serve", "--addr", "127.0.0.1:0", "--db", t.TempDir()+"/demo.db")
	p.Begin(t)
	p.AwaitOutput(t, "Watch it in a browser: http://127.0.0.1:")
	url := regexp.MustCompile(`http://127.0.0.1:\d+`).FindString(p.Output.String())
	page := func() string {
		answer, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatal(answer.Status, err)
		}
		return string(text)
	}
	page()
	p.AwaitOutput(t, "The event is over")
	if text := page(); !strings.Contains(text, "Last results") {
		t.Errorf("after the tournament the first page says %s", text)
	}
	p.Interrupt(t)
	_ = p.Wait() // the exit code is looked at
	if code := p.ProcessState.ExitCode(); code != 0 && code != cmdline.Interrupted {
		t.Errorf("exit code %d: %s", code, p.Output.String())
	}
}
