//go:build hosting

package deploy_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
)

// promtool runs promtool, which is in Debian's package prometheus, and returns its output.
func promtool(t *testing.T, input string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "promtool", args...)
	command.Dir, command.Stdin = "prometheus", strings.NewReader(input)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Errorf("promtool %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func TestPromtool(t *testing.T) {
	promtool(t, "", "check", "config", "prometheus.yml")
	promtool(t, "", "test", "rules", "alerts_test.yml")
}

// until asks again and again, for a minute, until the answer has a text in it, and returns the answer.
func until(t *testing.T, url, text string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for answer := ""; ; {
		if request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil); err != nil {
			t.Fatal(err)
		} else if response, err := http.DefaultClient.Do(request); err == nil {
			body, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if answer = string(body); strings.Contains(answer, text) {
				return answer
			}
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			t.Fatalf("%s never has %s:\n%s", url, text, answer)
		}
	}
}

// The real Prometheus reads a real arena, with the files of this folder.
func TestPrometheusReadsAnArena(t *testing.T) {
	folder, arena, scraped, web := t.TempDir(), testkit.NewArena(t), freeAddress(t), freeAddress(t)
	arena.Run(t, testkit.NewProgram(built(t, "arena"), "serve", "--db", filepath.Join(folder, "arena.db"), "--addr", arena.Address, "--metrics-addr", scraped))
	promtool(t, until(t, "http://"+scraped+"/metrics", "versus2048_plies_total"), "check", "metrics")

	config := strings.ReplaceAll(readRules(t, "prometheus.yml"), "127.0.0.1:9248", scraped)
	config = strings.ReplaceAll(config, "_interval: 15s", "_interval: 1s")
	for name, text := range map[string]string{"prometheus.yml": config, "alerts.yml": readRules(t, "alerts.yml")} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	testkit.NewProgram("prometheus", "--config.file="+filepath.Join(folder, "prometheus.yml"),
		"--storage.tsdb.path="+filepath.Join(folder, "data"), "--web.listen-address="+web).Begin(t)
	until(t, fmt.Sprintf("http://%s/api/v1/targets", web), `"health":"up"`)
	until(t, fmt.Sprintf("http://%s/api/v1/query?query=versus2048_disk_free_bytes%%3E0", web), "versus2048_disk_free_bytes")
	until(t, fmt.Sprintf("http://%s/api/v1/rules", web), `"name":"ManyFaults"`)
}
