package certificate_test

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"os"
	"testing"
	"time"

	"versus2048/internal/server/certificate"
)

// The example reads these files.
func TestMain(m *testing.M) {
	os.Exit(inFolder(m))
}

// inFolder runs the tests in a folder with a certificate.
func inFolder(m *testing.M) int {
	folder, err := os.MkdirTemp("", "certificate")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if err := os.Chdir(folder); err != nil {
		panic(err)
	}
	chain, key := made(new(testing.B), 1, 1000*time.Hour, "arena.example.org", "*.example.org")
	if err := os.WriteFile("fullchain.pem", chain, 0o600); err != nil {
		panic(err)
	}
	if err := os.WriteFile("privkey.pem", key, 0o600); err != nil {
		panic(err)
	}
	return m.Run()
}

func Example() {
	log := slog.New(slog.DiscardHandler)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}

	files, err := certificate.Open("fullchain.pem", "privkey.pem", log)
	if err != nil {
		panic(err)
	}
	secret := tls.NewListener(listener, files.TLS())

	defer secret.Close()
	fmt.Println(files.Names())
	// Output: [arena.example.org]
}
