package hosting_test

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"os"
	"testing"
	"time"

	"versus2048/cmd/internal/hosting"
)

func ExampleOpenCertificate() {
	folder, err := os.MkdirTemp("", "certificate")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	chain, key := made(new(testing.B), 1, 1000*time.Hour, "arena.example.org", "*.example.org")
	certificatePath, keyPath := writePair(new(testing.B), folder, chain, key)
	log := slog.New(slog.DiscardHandler)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}

	files, err := hosting.OpenCertificate(certificatePath, keyPath, log)
	if err != nil {
		panic(err)
	}
	secret := tls.NewListener(listener, files.TLS())

	defer secret.Close()
	fmt.Println(files.Names())
	// Output: [arena.example.org]
}
