package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
)

// certificateFiles writes a new certificate that signs itself, for 127.0.0.1 and arena.example.org, and
// its key. It has the serial number.
func certificateFiles(t *testing.T, folder string, serial int64) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(1000 * time.Hour),
		DNSNames: []string{"arena.example.org"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}

// An arena with TLS: bots and commands on other machines reach it by wss:// and https://, on its own machine they need
// no options; http:// redirects to https://; a new certificate needs no restart.
func TestServeWithTLS(t *testing.T) {
	h := newHost(t)
	folder, secret, plain := t.TempDir(), freeAddress(t), freeAddress(t)
	certificate, key := certificateFiles(t, folder, 1)
	h.start(t, "arena", "serve", "--db", h.db, "--addr", secret, "--local-addr", h.Address, "--http-addr", plain,
		"--tls-cert", certificate, "--tls-key", key, "--require-tokens")
	made, _, _ := run(t, "arena", "token", "new", "ann", "--db", h.db)
	operators, _, _ := run(t, "arena", "token", "new", "--operator", "olga", "--db", h.db)
	_, port, _ := net.SplitHostPort(secret)
	h.server.AwaitOutput(t, "bots=wss://arena.example.org:"+port+"/bot pages=https://arena.example.org:"+port+" \"on this machine\"=http://"+h.Address)

	bot := []string{"run", "random", "--name", "ann", "--token", strings.TrimSpace(made), "--url", "wss://" + secret + "/bot", "--reconnect", "0s"}
	if _, stderr, code := run(t, "bot", bot...); code != 1 || !strings.Contains(stderr, "SSL_CERT_FILE") {
		t.Errorf("a bot that does not trust the certificate exits with %d: %s", code, stderr)
	}
	if _, stderr, code := run(t, "arena", "bots", "--server", "https://"+secret); code != 1 || !strings.Contains(stderr, "SSL_CERT_FILE") {
		t.Errorf("a command that does not trust the certificate exits with %d: %s", code, stderr)
	}
	t.Setenv("SSL_CERT_FILE", certificate)
	startProcess(t, "bot", bot...)
	h.await(t, 1)

	// The arena starts a bot by itself, which comes to the local address.
	for server, flags := range map[string][]string{h.client.URL: nil, "https://" + secret: {"--token", strings.TrimSpace(operators)}} {
		line := append([]string{"event", "run", "--server", server, "--bot", "ann", "--bot", "greedy", "--matches", "1", "--size", "2x2", "--quiet"}, flags...)
		if _, stderr, code := run(t, "arena", line...); code != 0 {
			t.Errorf("%v exits with %d: %s", line, code, stderr)
		}
		tokens, stderr, code := run(t, "arena", append([]string{"token", "list", "--server", server}, flags...)...)
		if code != 0 || !strings.Contains(tokens, "olga") {
			t.Errorf("the tokens of %s: exit code %d: %s%s", server, code, tokens, stderr)
		}
	}
	for line, want := range map[string]string{
		"arena bots --server http://" + secret:                                    "use https://",
		"bot run random --reconnect 0s --name eve --url ws://" + secret + "/bot":  "use wss://",
		"bot run random --reconnect 0s --name eve --url ws://" + plain + "/bot":   "use wss://",
		"bot run random --reconnect 0s --name eve --url wss://" + secret + "/bot": "token_required",
		"arena event stop 1 --server http://" + plain:                             "use https://",
		"arena event stop 1 --server https://" + secret + " --token guessed":      "not an operator's",
		"arena event stop 1 --server https://localhost:" + port:                   "is not trusted",
	} {
		words, exit := strings.Fields(line), 1
		if want == "token_required" {
			exit = 3 // refused for good
		}
		if _, stderr, code := run(t, words[0], words[1:]...); code != exit || !strings.Contains(stderr, want) {
			t.Errorf("%s exits with %d, want %q: %s", line, code, want, stderr)
		}
	}
	leads(t, "http://"+plain+"/events?x=1", "https://127.0.0.1:"+port+"/events?x=1")

	certificateFiles(t, folder, 2)
	serial := func() int64 {
		conn, err := tls.Dial("tcp", secret, &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	testkit.Await(t, "the renewed certificate", func() bool { return serial() == 2 })
	if bots, err := h.client.Bots(t.Context()); err != nil || len(bots) != 1 {
		t.Errorf("after that %v are connected: %v", bots, err)
	}
}

// leads fails the test unless an address leads to another one.
func leads(t *testing.T, from, to string) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(from)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if got := response.Header.Get("Location"); response.StatusCode != http.StatusFound || got != to {
		t.Errorf("%s answers %s and leads to %q, want %q", from, response.Status, got, to)
	}
}

// The pages answer under the names of the certificate, and no others.
func TestNamesOfTheCertificateAreKnown(t *testing.T) {
	h := newHost(t)
	secret := freeAddress(t)
	certificate, key := certificateFiles(t, t.TempDir(), 1)
	h.start(t, "arena", "serve", "--db", h.db, "--addr", secret, "--local-addr", h.Address, "--tls-cert", certificate, "--tls-key", key, "--public")
	_, port, _ := net.SplitHostPort(secret)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for host, want := range map[string]int{"arena.example.org:" + port: http.StatusOK, "evil.example.org:" + port: http.StatusMisdirectedRequest} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+secret+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: %s, want %d", host, response.Status, want)
		}
	}
}

// The flags that do not fit together are refused before anything is opened.
func TestTLSFlags(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	certificate, key := certificateFiles(t, folder, 1)
	busy := freeAddress(t)
	listener, err := net.Listen("tcp", busy)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	files := "--tls-cert " + certificate + " --tls-key " + key
	for flags, want := range map[string]string{
		"--tls-cert " + certificate:                        "give both",
		"--tls-key " + key:                                 "give both",
		files + " --acme arena.example.org":                "only one of them",
		"--acme-email a@example.org":                       "only with --acme",
		"--acme-directory https://example.org " + files:    "only with --acme",
		"--acme-ca " + certificate:                         "only with --acme",
		"--http-addr :80":                                  "only with TLS",
		"--local-addr 127.0.0.1:0":                         "only with TLS",
		"--acme 127.0.0.1":                                 "is an address",
		"--acme *.example.org":                             "name each of them",
		files + " --local-addr :2048":                      "only this machine",
		files + " --local-addr 192.0.2.1:2048":             "only this machine",
		files + " --addr 127.0.0.1:0 --local-addr " + busy: "choose another address by --local-addr",
		files + " --local-addr 127.0.0.1:0 --addr " + busy: "choose another address by --addr",
		"--tls-cert no.pem --tls-key " + key + " --addr 127.0.0.1:0 --local-addr 127.0.0.1:0":        "no such file",
		"--acme arena.example.org --acme-ca no.pem --addr 127.0.0.1:0 --local-addr 127.0.0.1:0":      "no such file",
		"--acme arena.example.org --acme-ca " + key + " --addr 127.0.0.1:0 --local-addr localhost:0": "no certificate in it",
	} {
		db := filepath.Join(folder, "arena.db")
		stdout, stderr, code := run(t, "arena", append([]string{"serve", "--db", db}, strings.Fields(flags)...)...)
		if code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s exits with %d, want %q: %s%s", flags, code, want, stdout, stderr)
		}
		if _, err := os.Stat(db); err == nil {
			t.Fatalf("%s: there is a database now", flags)
		}
	}
}

// An arena with a silent ACME server is open on its own machine, and logs the problem.
func TestServeWithoutACMEServer(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.start(t, "arena", "serve", "--db", h.db, "--addr", "127.0.0.1:0", "--local-addr", h.Address,
		"--acme", "arena.example.org", "--acme-directory", "https://127.0.0.1:1/directory")
	h.server.AwaitOutput(t, `msg="no certificate" domain=arena.example.org`)
	if _, stderr, code := run(t, "arena", startEventFlags(h.client.URL)...); code != 0 {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if info, err := os.Stat(h.db + ".acme"); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of keys: %v %v", info, err)
	}
}
