//go:build !race

package main

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/testkit"
)

// The demo's games can be watched while they are played, and stay until it is interrupted.
func TestServedDemo(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	folder := t.TempDir()
	p := testkit.NewProgram("arena", "demo", "--serve", "--addr", "127.0.0.1:0", "--db", folder+"/demo.db")
	opened := fakeDesktop(t, p, folder)
	p.Begin(t)
	p.AwaitOutput(t, "Watch it in a browser: http://127.0.0.1:")
	url := regexp.MustCompile(`http://127.0.0.1:\d+`).FindString(p.Output.String())
	fetch(t, url)
	testkit.Await(t, "the browser", func() bool {
		data, _ := os.ReadFile(opened) // it may not be written yet
		return runtime.GOOS != "linux" || string(data) == url+"\n"
	})
	p.AwaitOutput(t, "The event is over")
	if text := fetch(t, url); !strings.Contains(text, "Last results") {
		t.Errorf("after the tournament the first page says %s", text)
	}
	testkit.Await(t, "another game", func() bool { return strings.Contains(fetch(t, url), " data-live") })
	p.Interrupt(t)
	_ = p.Wait() // the exit code is looked at
	if code := p.ProcessState.ExitCode(); code != 0 && code != cmdline.Interrupted {
		t.Errorf("exit code %d: %s", code, p.Output.String())
	}
}

// fakeDesktop gives a program a desktop, and returns the name of the file to which its browser writes the address.
func fakeDesktop(t *testing.T, p *testkit.Program, folder string) (opened string) {
	t.Helper()
	opened = folder + "/opened"
	script := "#!/bin/sh\necho \"$1\" > " + opened + "\n"
	if err := os.WriteFile(folder+"/xdg-open", []byte(script), 0o700); err != nil { // #nosec G306 -- a program
		t.Fatal(err)
	}
	p.Env = append(os.Environ(), "DISPLAY=:9", "PATH="+folder+":"+os.Getenv("PATH"))
	return opened
}
