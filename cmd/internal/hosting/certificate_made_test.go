package hosting_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"versus2048/internal/testkit"
)

// made returns a new certificate in PEM that signs itself, and its key. It is valid from now on.
func made(t testing.TB, serial int64, valid time.Duration, names ...string) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), DNSNames: names, NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(valid),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret})
}

// write replaces a file.
func write(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// writePair writes a certificate and its key into a folder.
func writePair(t testing.TB, folder string, certificate, key []byte) (certificatePath, keyPath string) {
	t.Helper()
	certificatePath, keyPath = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	write(t, certificatePath, certificate)
	write(t, keyPath, key)
	return certificatePath, keyPath
}

// loggerTo returns a logger that writes to log.
func loggerTo(log *testkit.Transcript) *slog.Logger { return slog.New(slog.NewTextHandler(log, nil)) }

// shown returns the certificate that a server shows to a client that asks for a host by a protocol.
func shown(server *tls.Config, host string, protocols ...string) (*x509.Certificate, error) {
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	failed := make(chan error, 1)
	go func() { failed <- tls.Server(there, server).Handshake() }()
	client := tls.Client(here, &tls.Config{ServerName: host, InsecureSkipVerify: true, NextProtos: protocols})
	if err := client.Handshake(); err != nil {
		here.Close()
		if why := <-failed; why != nil {
			return nil, why
		}
		return nil, err
	}
	return client.ConnectionState().PeerCertificates[0], nil
}
