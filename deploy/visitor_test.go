//go:build hosting

package deploy_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"os"
	"testing"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
)

// domain is the name of the arena in the examples. Here no name server knows it.
const domain = "arena.example.org"

// visitorAddress is the address that a visitor comes from: also one of this machine, but not the one of the
// proxy that connects to the arena.
const visitorAddress = "127.0.0.7"

// visitor reaches a server like somebody elsewhere: by the name of the arena, from another address.
type visitor struct {
	server  string // where the name leads to, such as 127.0.0.1:8443
	trusted string // the file of the certificates that the visitor trusts
	roots   *x509.CertPool
	client  *http.Client
}

// newVisitor returns a visitor to a server, who trusts the certificates of a file.
func newVisitor(t *testing.T, server, trusted string) *visitor {
	t.Helper()
	text, err := os.ReadFile(trusted)
	if err != nil {
		t.Fatal(err)
	}
	v := &visitor{server: server, trusted: trusted, roots: x509.NewCertPool()}
	if !v.roots.AppendCertsFromPEM(text) {
		t.Fatalf("no certificates in %s", trusted)
	}
	v.client = &http.Client{Transport: &http.Transport{
		DialContext:     func(ctx context.Context, _, _ string) (net.Conn, error) { return v.dial(ctx) },
		TLSClientConfig: v.tls(), ForceAttemptHTTP2: true,
	}}
	t.Cleanup(v.client.CloseIdleConnections)
	return v
}

// dial reaches the server, whatever its name.
func (v *visitor) dial(ctx context.Context) (net.Conn, error) {
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(visitorAddress)}}
	return from.DialContext(ctx, "tcp", v.server)
}

func (v *visitor) tls() *tls.Config { return &tls.Config{RootCAs: v.roots, ServerName: domain} }

// address returns the address of the server under the arena's name, without the scheme.
func (v *visitor) address() string {
	_, port, _ := net.SplitHostPort(v.server)
	return net.JoinHostPort(domain, port)
}

// environment returns an environment that lets programs reach the server as the visitor does: they trust the
// certificates, and come through a proxy of the kind that companies have (CONNECT).
func (v *visitor) environment(t *testing.T) []string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	through := &http.Server{Handler: http.HandlerFunc(v.connect)}
	go func() { _ = through.Serve(listener) }() // ends with the test
	t.Cleanup(func() { through.Close() })
	return []string{"SSL_CERT_FILE=" + v.trusted, "HTTPS_PROXY=http://" + listener.Addr().String()}
}

// connect joins a program's connection to one to the server.
func (v *visitor) connect(w http.ResponseWriter, r *http.Request) {
	there, err := v.dial(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer there.Close()
	w.WriteHeader(http.StatusOK)
	here, early, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return // the program is gone
	}
	defer here.Close()
	go func() {
		_, _ = io.Copy(there, early) // begins with the bytes that were sent already, and lasts until either end closes
		there.Close()
	}()
	_, _ = io.Copy(here, there)
}

// connects opens a WebSocket as a bot does, with headers, and sends its hello. It returns the connection
// and the arena's answer.
func (v *visitor) connects(t *testing.T, hello map[string]any, headers http.Header) (*websocket.Conn, map[string]any) {
	t.Helper()
	dialer := websocket.Dialer{
		Subprotocols: []string{protocol.Subprotocol}, TLSClientConfig: v.tls(),
		NetDialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return v.dial(ctx) },
	}
	ws, response, err := dialer.DialContext(t.Context(), "wss://"+v.address()+"/bot", headers)
	if err != nil {
		t.Fatalf("%v: %v", err, response)
	}
	t.Cleanup(func() { ws.Close() })
	if err := ws.WriteJSON(hello); err != nil {
		t.Fatal(err)
	}
	answer := map[string]any{}
	if err := ws.ReadJSON(&answer); err != nil {
		t.Fatal(err)
	}
	return ws, answer
}

// asks sends a request, and returns the answer with its body.
func (v *visitor) asks(t *testing.T, request *http.Request) (*http.Response, string) {
	t.Helper()
	client := *v.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}
