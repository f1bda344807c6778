package hosting

import (
	"strings"
	"testing"

	"versus2048/internal/farm"
)

// Whatever a machine is called, its workers have names that they can have.
func TestWorkerNameOfAMachine(t *testing.T) {
	for machine, want := range map[string]string{
		"rack-3.example.org": "rack-3.example.org", "Ada's Mac": "Ada-s-Mac", "Jürgen_1": "J-rgen_1", "box.": "box",
		"": "worker", "a..b": "worker", strings.Repeat("x", 300): strings.Repeat("x", 193),
		strings.Repeat("x", 192) + ".y": strings.Repeat("x", 192),
	} {
		got := workerName(machine)
		if err := farm.ValidateWorker(got + "-aB3xY9"); got != want || err != nil {
			t.Errorf("%q: %q, want %q, error %v", machine, got, want, err)
		}
	}
}
