package main

import (
	"strings"
	"testing"

	"versus2048/farm"
)

// A name that no card can have is refused before the worker looks for an arena.
func TestWorkerWithoutAGoodName(t *testing.T) {
	for _, name := range []string{"ann's", "two words", "Jürgen", "*"} {
		if _, stderr, code := run(t, "arena", "worker", "--name", name, "--nats", "nats://127.0.0.1:1"); code != 2 || !strings.Contains(stderr, "--name: worker") {
			t.Errorf("%q: exit code %d, it prints %q", name, code, stderr)
		}
	}
}

// Whatever a machine is called, its workers have names that they can have.
func TestWorkerNameOfAMachine(t *testing.T) {
	for machine, want := range map[string]string{
		"rack-3.example.org": "rack-3.example.org", "Ada's Mac": "Ada-s-Mac", "Jürgen_1": "J-rgen_1", "box.": "box",
		"": "worker", "a..b": "worker", strings.Repeat("x", 300): "worker",
	} {
		got := workerName(machine)
		if err := farm.ValidateWorker(got); got != want || err != nil {
			t.Errorf("%q: %q, want %q, error %v", machine, got, want, err)
		}
	}
}
