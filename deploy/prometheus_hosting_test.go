//go:build hosting

package deploy_test

import (
	"bytes"
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

// free returns an address of this machine for a process that is started later.
func free(t *testing.T) string {
	t.Helper()
	address, err := testkit.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// start runs a program until the end of the test.
func start(t *testing.T, name string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	command := exec.Command(name, args...)
	command.Stdout, command.Stderr = &out, &out
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt) // it may have ended
		_ = command.Wait()
		if t.Failed() {
			t.Logf("%s:\n%s", name, out.String())
		}
	})
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
	folder, arena, scraped, web := t.TempDir(), free(t), free(t), free(t)
	program := filepath.Join(folder, "arena")
	// With the flags of the tests in deploy, which build it, too.
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "versus2048/cmd/arena")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	start(t, program, "serve", "--db", filepath.Join(folder, "arena.db"), "--addr", arena, "--metrics-addr", scraped)
	promtool(t, until(t, "http://"+scraped+"/metrics", "versus2048_plies_total"), "check", "metrics")

	config := strings.ReplaceAll(readRules(t, "prometheus.yml"), "127.0.0.1:9248", scraped)
	config = strings.ReplaceAll(config, "_interval: 15s", "_interval: 1s")
	for name, text := range map[string]string{"prometheus.yml": config, "alerts.yml": readRules(t, "alerts.yml")} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start(t, "prometheus", "--config.file="+filepath.Join(folder, "prometheus.yml"),
		"--storage.tsdb.path="+filepath.Join(folder, "data"), "--web.listen-address="+web)
	until(t, fmt.Sprintf("http://%s/api/v1/targets", web), `"health":"up"`)
	until(t, fmt.Sprintf("http://%s/api/v1/query?query=versus2048_disk_free_bytes%%3E0", web), "versus2048_disk_free_bytes")
	until(t, fmt.Sprintf("http://%s/api/v1/rules", web), `"name":"ManyFaults"`)
}
