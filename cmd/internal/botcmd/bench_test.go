package botcmd_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"versus2048/cmd/internal/botapp"
)

// Every bot has the signature in testdata/bench.txt. A wanted change of behaviour is recorded by
//
//	go run ./cmd/bot bench --signature >cmd/internal/botcmd/testdata/bench.txt
func TestSignature(t *testing.T) {
	want, err := os.ReadFile("testdata/bench.txt")
	if err != nil {
		t.Fatal(err)
	}
	recorded := strings.Split(string(want), "\n")
	for i, line := range strings.Split(bench(t, "--signature"), "\n") {
		if i >= len(recorded) || line != recorded[i] {
			t.Errorf("line %d is %q, recorded is %q", i+1, line, strings.Join(recorded[min(i, len(recorded)):min(i+1, len(recorded))], ""))
		}
	}
}

// One bot alone has the signature that it has among all, and a time.
func TestBenchOneBot(t *testing.T) {
	_, all, _ := strings.Cut(bench(t, "--signature", "--format", "csv"), "\nevminimax:depth=4,")
	_, alone, _ := strings.Cut(bench(t, "--format", "csv", "evminimax:depth=4"), "\nevminimax:depth=4,")
	all, _, _ = strings.Cut(all, "\n")
	alone, _, _ = strings.Cut(alone, "\n")
	if took := strings.TrimPrefix(alone, all); all == "" || took == alone || took == "" {
		t.Errorf("alone %q, among all %q", alone, all)
	}
}

// bench returns the output of bot bench.
func bench(t *testing.T, arguments ...string) string {
	t.Helper()
	var out bytes.Buffer
	program := botapp.App()
	program.Writer = &out
	if err := program.RunContext(t.Context(), append([]string{"bot", "bench"}, arguments...)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
