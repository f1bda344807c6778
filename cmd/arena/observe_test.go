package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/schema"
)

// fetch asks for a page of this machine and returns its text.
func fetch(t *testing.T, url string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", url, response.Status, err)
	}
	return string(text)
}

// family is a metric as docs/schemas/metrics.json describes it.
type family struct {
	Type        string   `json:"type"`
	Labels      []string `json:"labels,omitempty"`
	Description string   `json:"description"`
}

var (
	sample = regexp.MustCompile(`^(\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? `)
	label  = regexp.MustCompile(`(\w+)="`)
)

// families reads the arena's own metrics from the text of /metrics.
func families(text string) map[string]family {
	all, labels := map[string]family{}, map[string]map[string]bool{}
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		words := strings.SplitN(lines.Text(), " ", 4)
		if len(words) == 4 && words[1] == "HELP" {
			all[words[2]], labels[words[2]] = family{Description: words[3]}, map[string]bool{}
			continue
		}
		if len(words) == 4 && words[1] == "TYPE" {
			f := all[words[2]]
			f.Type = words[3]
			all[words[2]] = f
			continue
		}
		found := sample.FindStringSubmatch(lines.Text())
		for _, l := range label.FindAllStringSubmatch(found[2], -1) {
			if l[1] != "le" && labels[found[1]] != nil {
				labels[found[1]][l[1]] = true
			}
		}
	}
	for name, f := range all {
		f.Labels = slices.Sorted(maps.Keys(labels[name]))
		all[name] = f
	}
	maps.DeleteFunc(all, func(name string, _ family) bool { return !strings.HasPrefix(name, "versus2048_") })
	return all
}

// metricsVersion is the version of docs/schemas/metrics.json. It is raised when something is removed or changes its
// meaning, but not when something is added.
const metricsVersion = 1

// The metrics of an arena are the ones in docs/schemas/metrics.json, from all packages that add some.
func TestMetricsSchema(t *testing.T) {
	h, scraper := newHost(t), freeAddress(t)
	h.serve(t, "--metrics-addr", scraper)
	h.await(t, 0) // a request, so that the metrics count one
	got := families(fetch(t, "http://"+scraper+"/metrics"))
	if len(got) < 30 {
		t.Errorf("only %d metrics are found", len(got))
	}
	schema.Same(t, "metrics.json", map[string]any{"version": metricsVersion, "metrics": got})
	if body := fetch(t, "http://"+scraper+"/readyz") + fetch(t, "http://"+h.Address+"/readyz") + fetch(t, "http://"+h.Address+"/healthz"); body != "ready\nready\nok\n" {
		t.Errorf("the arena says %q", body)
	}
}

// Each line of a log in JSON is an object that has a bot, its event and its games as attributes.
func TestLogInJSON(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t, "--log-format", "json", "--log-level", "debug")
	h.await(t, 0)
	h.bot(t, "ann", "random")
	h.await(t, 1)
	if _, stderr, code := run(t, "arena", "event", "run", "--server", h.client.URL, "--bot", "ann", "--bot", "own=greedy",
		"--matches", "1", "--size", "2x2", "--quiet"); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	h.server.Interrupt(t)
	if err := h.server.Wait(); err != nil {
		t.Fatal(err)
	}
	seen := map[string]map[string]any{}
	for line := range strings.Lines(h.server.Output.String()) {
		attributes := map[string]any{}
		if err := json.Unmarshal([]byte(line), &attributes); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		seen[fmt.Sprint(attributes["msg"])] = attributes
	}
	for message, want := range map[string][]string{
		"arena open":   {"time", "level", "listening", "db"},
		"request":      {"request", "from", "method", "path", "route", "status", "took"},
		"bot admitted": {"request", "bot", "from", "slots"},
		"bot left":     {"request", "bot", "why"},
		"event begins": {"event", "name", "bots"},
		"game begun":   {"event", "game", "match", "attacker", "defender"},
		"game ended":   {"event", "game", "match", "attacker", "defender", "ending", "score", "plies"},
		"event ended":  {"event", "state", "games", "took"},
	} {
		for _, key := range want {
			if _, has := seen[message][key]; !has {
				t.Errorf("%q has no %s: %v", message, key, seen[message])
			}
		}
	}
	if took, ok := seen["event ended"]["took"].(float64); !ok || took <= 0 || took > 600 {
		t.Errorf("the event took %v, want seconds", seen["event ended"]["took"])
	}
}

func TestLogFlags(t *testing.T) {
	t.Parallel()
	for want, flags := range map[string][]string{
		"--log-format \"xml\": want text or json":               {"--log-format", "xml"},
		"--log-level \"loud\": want debug, info, warn or error": {"--log-level", "loud"},
		"--quiet and --log-level: give one of them":             {"--quiet", "--log-level", "info"},
		"listening on 127.0.0.1:http-like for --metrics-addr":   {"--metrics-addr", "127.0.0.1:http-like"},
	} {
		db := t.TempDir() + "/arena.db"
		_, stderr, code := run(t, "arena", append([]string{"serve", "--db", db, "--addr", "127.0.0.1:0"}, flags...)...)
		if code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit code %d, %s", flags, code, stderr)
		}
		if _, err := os.Stat(db); err == nil {
			t.Errorf("%v: a database was created", flags)
		}
	}
}
