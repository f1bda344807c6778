package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/farm"
	"versus2048/internal/farm/broker"
)

// A name that no card can have is refused before the worker looks for an arena.
func TestWorkerWithoutAGoodName(t *testing.T) {
	for _, name := range []string{"ann's", "two words", "Jürgen", "*"} {
		if _, stderr, code := run(t, "arena", "worker", "--name", name, "--nats", "nats://127.0.0.1:1"); code != 2 || !strings.Contains(stderr, "--name: worker") {
			t.Errorf("%q: exit code %d, it prints %q", name, code, stderr)
		}
	}
}

// A worker that is set aside has an exit code of its own, so that a service does not start it again.
func TestWorkerThatIsSetAside(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("the farm's token"), 0o600); err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]int{
		`{"refused":"the worker is set aside: it lies","aside":true}`: 3,
		`{"refused":"the worker is version v1 and the arena v2"}`:     1,
	} {
		server, err := broker.Start(broker.Config{Listen: "127.0.0.1:0", Folder: t.TempDir(), Token: "the farm's token", Permits: farm.Name(farm.DefaultName).Permits})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Close)
		conn, err := server.Connect()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		hellos, err := conn.SubscribeSync(farm.DefaultName + ".hello.>")
		if err == nil {
			err = conn.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
		go func() { // an arena
			if m, err := hellos.NextMsg(time.Minute); err == nil {
				_ = m.Respond([]byte(answer))
			}
		}()
		_, stderr, code := run(t, "arena", "worker", "--quiet", "--nats", server.URL(), "--farm-token", token)
		if code != want || !strings.Contains(stderr, "arena: the arena refuses this worker: the worker is") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("exit code %d, it prints %q, want code %d", code, stderr, want)
		}
	}
}
