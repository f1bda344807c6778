//go:build unix

package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/testkit"
)

// Every command refuses a named pipe without a writer or a reader at once, wherever the user names a file. A process
// that waits for such a pipe hears no signal.
func TestNamedPipes(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	folder := t.TempDir()
	db, saved := filepath.Join(folder, "arena.db"), filepath.Join(folder, "saved.db")
	play(t, db)
	if _, stderr, code := run(t, "arena", "backup", saved, "--db", db, "--keep-free", "0B"); code != 0 {
		t.Fatal(stderr)
	}
	if err := os.Remove(saved + ".sha256"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"PIPE", "census.json", "ntuple.checkpoint", "saved.db.sha256"} {
		if err := syscall.Mkfifo(filepath.Join(folder, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused := regexp.MustCompile(`it is (no|not a) file|it is not a table of exact values|nobody reads from it`)
	const private = "event run --bot random --bot greedy --matches 1 --in-process --db new.db "
	const served = "serve --addr 127.0.0.1:0 --db new.db "
	for _, command := range []string{
		"import PIPE --db new.db", "restore PIPE --db new.db", "restore saved.db --db new.db", "export 1 PIPE", "replay PIPE",
		"games --db PIPE", "import PIPE --db PIPE", "event run --bot random --bot greedy --db PIPE",
		"census --verify .", "check-proof PIPE", "network PIPE", "prove --size 2x2 --at-least 12 --state PIPE",
		"train ntuple --out ntuple --resume --games 1",
		private + "--config PIPE", private + "--openings PIPE", private + "--bot perfect:table=PIPE", private + "--bot perfect:proof=PIPE",
		private + "--bot td:weights=PIPE",
		served + "--tls-cert PIPE --tls-key PIPE", served + "--acme a.example --acme-ca PIPE", served + "--webhook-secret-file PIPE --webhook http://127.0.0.1:1/",
		served + "--table PIPE", served + "--farm --farm-token PIPE", served + "--farm --farm-cert PIPE --farm-key PIPE",
		"worker --nats nats://127.0.0.1:1 --farm-token PIPE", "worker --nats tls://127.0.0.1:1 --ca PIPE", "webhook test --secret-file PIPE http://127.0.0.1:1/",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		words, program := strings.Fields(command), "arena"
		if slices.Contains(inLab, words[0]) {
			program = "lab"
		}
		c := exec.CommandContext(ctx, program, words...)
		var said bytes.Buffer
		c.Dir, c.Env, c.Stdout, c.Stderr = folder, environment(t), &said, &said
		_ = c.Run() // its exit code is looked at
		if code := c.ProcessState.ExitCode(); code != cmdline.Failed && code != cmdline.Usage || !refused.MatchString(said.String()) {
			t.Errorf("%s %s: exit code %d: %s", program, command, code, &said)
		}
		cancel()
	}
}

// While an export waits for its reader, it does not read the database, and the database's log may be cut.
func TestSlowReaderOfExport(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	if _, stderr, code := run(t, "arena", "event", "run", "--db", path, "--bot", "random", "--bot", "greedy", "--matches", "20", "--in-process", "--quiet"); code != 0 {
		t.Fatal(stderr)
	}
	export := exec.Command("arena", "export", "1", "-", "--db", path)
	export.Env = environment(t)
	sent, err := export.StdoutPipe()
	if err == nil {
		err = export.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 1)
	if _, err := io.ReadFull(sent, first); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := run(t, "arena", "token", "new", "ann", "--db", path); code != 0 { // something for the log
		t.Fatal(stderr)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	testkit.Await(t, "the log to be cut while the export waits", func() bool {
		var busy, log, copied int
		if err := db.QueryRowContext(t.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &copied); err != nil {
			t.Fatal(err)
		}
		return busy == 0
	})
	rest, err := io.ReadAll(sent)
	if err != nil || len(rest) < 1<<17 { // more than a pipe holds
		t.Errorf("the export has %d bytes, %v", 1+len(rest), err)
	}
	if err := export.Wait(); err != nil {
		t.Error(err)
	}
}

// A file of --events that cannot be used is closed: the pipe then has no reader.
func TestUnusableEventsFileIsClosed(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "events")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openEvents(pipe); err == nil {
		t.Fatal("a pipe is taken for a file of events")
	}
	w, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err == nil {
		err = w.Close()
	}
	if !errors.Is(err, syscall.ENXIO) {
		t.Errorf("opening the pipe to write: error %v, want ENXIO", err)
	}
}
