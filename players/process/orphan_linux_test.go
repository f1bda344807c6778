package process_test

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A program that ignores the end of its input dies with an arena that is killed.
func TestProgramDiesWithUs(t *testing.T) {
	var said bytes.Buffer
	host := exec.CommandContext(t.Context(), os.Args[0], hostArgument)
	host.Stderr = &said
	out, err := host.StdoutPipe()
	if err == nil {
		err = host.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 32)
	n, err := out.Read(line)
	pid := strings.TrimSpace(string(line[:n]))
	if _, notNumber := strconv.Atoi(pid); err != nil || notNumber != nil || !lives(pid) {
		t.Fatalf("the process is %q (%v): %s", pid, err, said.String())
	}
	_ = host.Process.Kill()
	_ = host.Wait() // it was killed
	look, timeout := time.NewTicker(time.Millisecond), time.After(time.Minute)
	defer look.Stop()
	for lives(pid) {
		select {
		case <-look.C:
		case <-timeout:
			t.Fatalf("process %s has outlived us", pid)
		}
	}
}

// lives reports whether a process runs: an ended process has no command.
func lives(pid string) bool {
	command, err := os.ReadFile("/proc/" + pid + "/cmdline")
	return err == nil && len(command) > 0
}
