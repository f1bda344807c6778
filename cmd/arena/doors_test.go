//go:build linux && !race

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/results"
)

// runMeasured runs a program to its end and also returns the most memory that it had, in bytes. The program itself
// reports it: the system's count at the exit includes the memory of the process that started it, and the other tests
// need a lot.
func runMeasured(t *testing.T, name string, args ...string) (stderr string, code int, peak int64) {
	t.Helper()
	var problems bytes.Buffer
	memory := filepath.Join(t.TempDir(), "memory")
	c := exec.Command(name, args...)
	c.Stderr = &problems
	c.Env = append(os.Environ(), memoryVariable+"="+memory)
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(memory)
	if err != nil {
		t.Fatalf("%v: %v: %s", c, c.ProcessState, &problems)
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	if n, err := fmt.Sscanf(after, "%d kB", &peak); n != 1 {
		t.Fatalf("no largest resident set in %s: %v", text, err)
	}
	return problems.String(), c.ProcessState.ExitCode(), peak << 10
}

// endlessLine writes a compressed file that begins with a text, followed by 3 GB without a newline.
func endlessLine(t *testing.T, begin string) (path string) {
	t.Helper()
	var file bytes.Buffer
	pack := func(text []byte) []byte {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return packed.Bytes()
	}
	file.Write(pack([]byte(begin)))
	part := pack(bytes.Repeat([]byte("a"), 16<<20))
	for range 3 << 30 / (16 << 20) {
		file.Write(part)
	}
	path = filepath.Join(t.TempDir(), "event.jsonl.gz")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A few megabytes that unpack to a line of 3 GB are refused before they fill the memory, and nothing is
// recorded of the event that they begin with.
func TestImportOfAnEndlessLine(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	db := filepath.Join(t.TempDir(), "arena.db")
	play(t, db)
	exported := filepath.Join(t.TempDir(), "event.jsonl")
	if _, stderr, code := run(t, "arena", "export", "--db", db, "1", exported); code != 0 {
		t.Fatal(stderr)
	}
	text, err := os.ReadFile(exported)
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(text), "\n")
	for want, begin := range map[string]string{
		"not an event exported by arena export: in line 1: a line is longer than 8388608 bytes": `{"header":{"format":"versus2048 event","event":{"name":"`,
		"it is damaged in line 2: a line is longer than 67108864 bytes":                         header + "\n" + `{"game":{"first":"`,
	} {
		into := filepath.Join(t.TempDir(), "other.db")
		stderr, code, peak := runMeasured(t, "arena", "import", "--db", into, endlessLine(t, begin))
		if code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("exit code %d: %s, want %q", code, stderr, want)
		}
		if peak > 400<<20 {
			t.Errorf("%d MiB of memory, want at most 400", peak>>20)
		}
		if n := events(t, into); n != 0 {
			t.Errorf("%d events are recorded, want none", n)
		}
	}
}

// An import of very many games takes no more memory than one of few, though it is one transaction.
func TestImportOfManyGames(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	db := filepath.Join(t.TempDir(), "arena.db")
	play(t, db)
	exported, stderr, code := run(t, "arena", "export", "--db", db, "1", "-")
	if code != 0 {
		t.Fatal(stderr)
	}
	many := manyGames(t, exported, 100_000)
	into := filepath.Join(t.TempDir(), "other.db")
	stderr, code, peak := runMeasured(t, "arena", "import", "--db", into, "--keep-free", "1MiB", many)
	if code != 0 || peak > 100<<20 {
		t.Errorf("exit code %d, %d MiB of memory, want at most 100: %s", code, peak>>20, stderr)
	}
	// A disk is never this large.
	none := filepath.Join(t.TempDir(), "none.db")
	if _, stderr, code = run(t, "arena", "import", "--db", none, "--keep-free", "1000000TiB", many); code != 1 || !strings.Contains(stderr, "are to stay free") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if n := events(t, none); n != 0 {
		t.Errorf("%d events are recorded, want none", n)
	}
}

// manyGames writes an exported event with its match n/2 times, and returns the file's path.
func manyGames(t *testing.T, exported string, n int) (path string) {
	t.Helper()
	lines := strings.SplitAfter(exported, "\n")
	path = filepath.Join(t.TempDir(), "many.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	buffered, sum, plies := bufio.NewWriter(file), sha256.New(), 0
	out := io.MultiWriter(buffered, sum)
	fmt.Fprint(out, lines[0])
	for i := range n {
		line := lines[1+i%2]
		fmt.Fprint(out, strings.Replace(line, `"match":1,`, fmt.Sprintf(`"match":%d,`, i/2+1), 1))
		var game struct {
			Game struct {
				Record struct {
					Times []int64 `json:"times_us"`
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &game); err != nil {
			t.Fatal(err)
		}
		plies += len(game.Game.Record.Times)
	}
	fmt.Fprintf(buffered, `{"end":{"games":%d,"unfinished":0,"plies":%d,"sha256":"%x"}}`+"\n", n, plies, sum.Sum(nil))
	if err := buffered.Flush(); err != nil {
		t.Fatal(err)
	}
	return path
}

func events(t *testing.T, db string) int {
	t.Helper()
	store, err := results.OpenReader(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	all, err := store.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// A table that is a named pipe makes neither the arena's threads nor its answers wait.
func TestTableIsAPipe(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	tables := t.TempDir()
	pipe := filepath.Join(tables, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHost(t)
	h.serve(t, "--tables", tables)
	before := threads(t, h.server)
	for range 50 {
		_, stderr, code := run(t, "arena", "event", "run", "--server", h.client.URL, "--bot", "perfect:table="+pipe, "--bot", "random", "--matches", "1", "--quiet")
		if code != 1 || !strings.Contains(stderr, "it is not a table of exact values") {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
	}
	if after := threads(t, h.server); after > before+16 {
		t.Errorf("%d threads after 50 requests, %d before", after, before)
	}
}

// threads returns the number of threads of a process.
func threads(t *testing.T, p *testkit.Program) int {
	t.Helper()
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(tasks)
}

// With its defaults an arena refuses a search that would fill the machine, on every door.
func TestGreedySearchIsRefused(t *testing.T) {
	h := newHost(t)
	h.serve(t, "--memory", "2GiB")
	spec := "a=mcts:nodes=100000000,playouts=100000000,threads=16"
	config := filepath.Join(t.TempDir(), "event.toml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "bots = [%q, \"random\"]\nmatches = 1\n", spec), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--server", h.client.URL, "--bot", spec, "--bot", "random", "--matches", "1"},
		{"--server", h.client.URL, "--config", config},
		{"--db", t.TempDir() + "/x.db", "--memory", "2GiB", "--config", config},
	} {
		_, stderr, code := run(t, "arena", append([]string{"event", "run", "--concurrency", "1", "--quiet"}, args...)...)
		if code != 1 || !strings.Contains(stderr, "of memory for 1 games at once") || !strings.Contains(stderr, "more than the 2.0 GiB that this arena allows") {
			t.Errorf("%v: exit code %d: %s", args, code, stderr)
		}
	}
	if n := events(t, h.db); n != 0 {
		t.Errorf("%d events are recorded, want none", n)
	}
}

// Values beyond the bounds are refused by every door before anything is recorded.
func TestAbsurdEventsAreRefused(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	token, _, _ := run(t, "arena", "token", "new", "--operator", "--db", h.db, "host")
	ask := func(body string) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.client.URL+"/api/events", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		var text bytes.Buffer
		if _, err := text.ReadFrom(response.Body); err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, text.String()
	}
	for body, why := range map[string]string{
		`"matches":1,"concurrency":2000000000`:                                                                     "2000000000 games at once: want at most 10000",
		`"matches":1,"concurrency":-1`:                                                                             "-1 games at once",
		`"matches":99999999999999999999,"concurrency":1`:                                                           "matches",
		`"matches":-5,"concurrency":1`:                                                                             "-5 matches",
		`"matches":1,"concurrency":1,"clock":{"per_move_ns":9000000000000000000}`:                                  "want at most 1000h",
		`"matches":1,"concurrency":1,"clock":{"base_ns":1e400}`:                                                    "1e400",
		`"matches":1,"concurrency":1,"name":"` + strings.Repeat("x", 100_000) + `"`:                                "bytes of the event's name",
		`"matches":1,"concurrency":1,"settings":{"openings":{"starts":["` + strings.Repeat(`","`, 20_000) + `"]}}`: "20001 openings: want at most 10000",
		`"matches":1,"concurrency":1,"settings":` + strings.Repeat(`[`, 100_000):                                   "depth",
		`"matches":1,"concurrency":1,"settings":{"budget":{"nodes":18446744073709551615}}`:                         "a budget of",
	} {
		if status, text := ask(`{"bots":["random","greedy"],"rules":"gpcc2015","size":"3x3",` + body + `}`); status != http.StatusBadRequest || !strings.Contains(text, why) {
			t.Errorf("%.100s: answered with %d and %.300s, want one that says %q", body, status, text, why)
		}
	}
	if n := events(t, h.db); n != 0 {
		t.Errorf("%d events are recorded, want none", n)
	}
	config := filepath.Join(t.TempDir(), "event.toml")
	for text, why := range map[string]string{
		strings.Repeat("# a line\n", 200_000):                         "longer than 1048576 bytes",
		"x = " + strings.Repeat("[", 1_000_000):                       "event.toml:1",
		"concurrency = 2000000000\nbots = [\"random\", \"greedy\"]\n": "want at most 10000",
		"time = \"292y\"\n":                                           "time",
		"bots = [\"random\", \"greedy\"]\n[plan]\nkind = \"sprt\"\n[plan.sprt]\nelo0 = nan\nelo1 = 5.0\n": "elo0",
		"bots = [\"random\", \"greedy\"]\n[plan]\nkind = \"sprt\"\n[plan.sprt]\nelo0 = 0.0\nelo1 = inf\n": "elo1",
	} {
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		stderr, code, peak := runMeasured(t, "arena", "event", "run", "--config", config, "--db", filepath.Join(t.TempDir(), "y.db"), "--quiet")
		if code == 0 || !strings.Contains(stderr, why) || strings.Contains(stderr, "goroutine") || peak > 1<<30 {
			t.Errorf("%.60q: exit code %d, %d MiB: %.500s", text, code, peak>>20, stderr)
		}
	}
}
