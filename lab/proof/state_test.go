package proof_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"versus2048/lab/proof"
	"versus2048/rules"
)

// searchEnv names the state of a search that this program is to make instead of the tests.
const searchEnv = "PROOF_TEST_STATE"

func TestMain(m *testing.M) {
	if state := os.Getenv(searchEnv); state != "" {
		os.Exit(searchUntilKilled(state))
	}
	os.Exit(m.Run())
}

// killed is a game that cannot be decided while a test runs.
var killed = proof.Config{Rules: rules.GPCC2016, Size: rules.Full, Memory: 1 << 20, Threads: 2}

// searchUntilKilled prints a line once the state has a result, and then searches on.
func searchUntilKilled(state string) int {
	killed.State = state
	p, err := proof.Open(killed)
	if err != nil {
		return 1
	}
	if _, err := p.AtLeast(context.Background(), 12, nil); err != nil {
		return 1
	}
	os.Stdout.WriteString("12\n")
	_, _ = p.AtLeast(context.Background(), 100_000, nil)
	return 1
}

// A process that is killed leaves a state, and the next one goes on from there.
func TestKilledProcess(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), searchEnv+"="+state)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "12\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	c := killed
	c.State = state
	p := openMemory(t, c)
	if low, _ := p.Bounds(); low < 12 {
		t.Errorf("the state knows at least %d, want 12", low)
	}
	if got, err := p.AtLeast(t.Context(), 12, nil); !got || err != nil || p.Progress().Nodes != 0 {
		t.Errorf("at least 12: %v, %v, %d nodes, want no search", got, err, p.Progress().Nodes)
	}
}

// A search that begins with a state needs fewer nodes than one without.
func TestStateServesOtherClaims(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	first := open(t, rules.GPCC2016, "3x2", 1, state)
	if _, err := first.AtLeast(t.Context(), 36, nil); err != nil {
		t.Fatal(err)
	}
	nodes := map[string]uint64{}
	for _, file := range []string{"", state} {
		p := open(t, rules.GPCC2016, "3x2", 1, file)
		if got, err := p.AtLeast(t.Context(), 40, nil); !got || err != nil {
			t.Errorf("at least 40: %v, %v", got, err)
		}
		nodes[file] = p.Progress().Nodes
	}
	if nodes[state] == 0 || nodes[state] >= nodes[""] {
		t.Errorf("%d nodes with the state, %d without it", nodes[state], nodes[""])
	}
}

// A file that has something else is refused, and not changed.
func TestWrongState(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	c := proof.Config{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Memory: 1 << 20, Threads: 1, State: state}
	openMemory(t, c)
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("a diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*proof.Config){
		"other rules":  func(c *proof.Config) { c.Rules = rules.GPCC2015 },
		"other size":   func(c *proof.Config) { c.Size.Width = 2 },
		"other memory": func(c *proof.Config) { c.Memory *= 2 },
		"a text":       func(c *proof.Config) { c.State = text },
		"a device":     func(c *proof.Config) { c.State = "/dev/null" },
	} {
		wrong := c
		change(&wrong)
		_, err := proof.Open(wrong)
		var refused *proof.StateError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v, want a state error", name, err)
		}
	}
	if content, err := os.ReadFile(text); err != nil || string(content) != "a diary" {
		t.Errorf("the text is now %q, %v", content, err)
	}
}

// The parts of a new state that a killed process has left are begun again: a part of the table, or the header
// alone.
func TestUnfinishedState(t *testing.T) {
	c := proof.Config{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Memory: 1 << 20, Threads: 1, State: filepath.Join(t.TempDir(), "state")}
	begin := func() []byte {
		t.Helper()
		p, err := proof.Open(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(c.State)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	whole := begin()
	for name, left := range map[string][]byte{
		"nothing": nil, "a byte": make([]byte, 1), "the table": make([]byte, len(whole)), "half of it": make([]byte, len(whole)/2), "the header": whole[:64],
	} {
		if err := os.WriteFile(c.State, left, 0o600); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(begin(), whole) {
			t.Errorf("%s was left: another file than before", name)
		}
	}
	// Zeros before something else are not ours.
	other := append(make([]byte, 1<<19), "a picture"...)
	if err := os.WriteFile(c.State, other, 0o600); err != nil {
		t.Fatal(err)
	}
	var refused *proof.StateError
	if _, err := proof.Open(c); !errors.As(err, &refused) {
		t.Errorf("zeros and a picture: %v, want a state error", err)
	}
}
