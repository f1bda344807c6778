//go:build unix

package hosting

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"testing"
)

// systemd hears that the arena serves, and that it stops.
func TestReady(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer systemd.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	reportReady(ctx, slog.New(slog.DiscardHandler))
	for _, want := range []string{"READY=1", "STOPPING=1"} {
		said := make([]byte, 100)
		n, err := systemd.Read(said)
		if err != nil || string(said[:n]) != want {
			t.Errorf("systemd hears %q, %v; want %q", said[:n], err, want)
		}
		stop()
	}
}

// Without systemd nothing happens.
func TestReadyWithoutSystemd(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	reportReady(t.Context(), slog.New(slog.DiscardHandler))
}
