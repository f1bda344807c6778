package server_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/testkit"
	"versus2048/protocol"
)

// secrecy returns a TLS configuration of an arena that is known as example.com, and the certificate authority that its
// visitors trust.
func secrecy(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	borrowed := httptest.NewUnstartedServer(nil) // it has a certificate for example.com and 127.0.0.1
	borrowed.StartTLS()
	defer borrowed.Close()
	trusted := x509.NewCertPool()
	trusted.AddCert(borrowed.Certificate())
	return &tls.Config{Certificates: borrowed.TLS.Certificates, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12}, trusted
}

// doors is an arena with several doors.
type doors struct {
	testkit.Arena
	secret, plain string // addresses; at plain is a text
	trusted       *x509.CertPool
	log           *testkit.Transcript
}

// serveDoors serves an arena with a door for TLS and one where another handler answers.
func serveDoors(t *testing.T, change func(*server.Config)) *doors {
	t.Helper()
	listeners := [2]net.Listener{}
	for i := range listeners {
		var err error
		if listeners[i], err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
	}
	config, trusted := secrecy(t)
	d := &doors{secret: listeners[0].Addr().String(), plain: listeners[1].Addr().String(), trusted: trusted, log: &testkit.Transcript{}}
	store := newStore()
	c := server.Config{Store: store, Tokens: store, Grace: 10 * time.Second, Limits: protocol.DefaultLimits(), Log: slog.New(slog.NewTextHandler(d.log, nil))}
	change(&c)
	d.Serve(t, func(ctx context.Context, l net.Listener) error {
		return server.New(c).Serve(ctx, l, server.Door{Listener: listeners[0], TLS: config},
			server.Door{Listener: listeners[1], Instead: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "elsewhere") })})
	})
	return d
}

// get asks for an address and returns the status and the body of the answer.
func (d *doors) get(t *testing.T, address string) (status int, body string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: d.trusted}}}
	defer client.CloseIdleConnections()
	response, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// welcome connects a bot over TLS and returns the connection and the type of the first message.
func (d *doors) welcome(t *testing.T, name string) (*websocket.Conn, any) {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}, TLSClientConfig: &tls.Config{RootCAs: d.trusted}}
	ws, _, err := dialer.DialContext(t.Context(), "wss://"+d.secret+"/bot", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	if err := ws.WriteJSON(map[string]any{"type": "hello", "name": name}); err != nil {
		t.Fatal(err)
	}
	first := map[string]any{}
	if err := ws.ReadJSON(&first); err != nil {
		t.Fatal(err)
	}
	return ws, first["type"]
}

// An arena answers at each of its doors, and ends at all of them.
func TestDoors(t *testing.T) {
	d := serveDoors(t, func(*server.Config) {})
	for address, want := range map[string]string{
		"http://" + d.Address + "/api/bots": "[]",
		"https://" + d.secret + "/api/bots": "[]",
		"http://" + d.plain + "/api/bots":   "elsewhere",
	} {
		if status, body := d.get(t, address); status != http.StatusOK || strings.TrimSpace(body) != want {
			t.Errorf("%s answers %d %q, want %q", address, status, body, want)
		}
	}
	if _, first := d.welcome(t, "ann"); first != "welcome" {
		t.Errorf("a bot over TLS is answered %v", first)
	}
	if status, body := d.get(t, "http://"+d.secret+"/api/bots"); status != http.StatusBadRequest || !strings.Contains(body, "HTTPS server") {
		t.Errorf("without TLS: %d %q", status, body)
	}
}

// No HTTP/2 and no TLS before 1.2.
func TestSecretDoorSpeaks(t *testing.T) {
	d := serveDoors(t, func(*server.Config) {})
	conn, err := tls.Dial("tcp", d.secret, &tls.Config{RootCAs: d.trusted, NextProtos: []string{"h2", "http/1.1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got := conn.ConnectionState(); got.NegotiatedProtocol != "http/1.1" || got.Version != tls.VersionTLS13 {
		t.Errorf("negotiated %q, version %s", got.NegotiatedProtocol, tls.VersionName(got.Version))
	}
	if conn, err := tls.Dial("tcp", d.secret, &tls.Config{RootCAs: d.trusted, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}); err == nil {
		conn.Close()
		t.Error("TLS 1.1 is accepted")
	}
}

// A client that begins no handshake, or does not go on with it, loses its connection.
func TestSilentHandshakesEnd(t *testing.T) {
	d := serveDoors(t, hasty)
	for name, begin := range map[string]string{"nothing": "", "half a record": "\x16\x03\x01\x02\x00\x01\x00", "nonsense": "what?\n"} {
		conn, err := net.Dial("tcp", d.secret)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, begin) // it may be closed already
		if err := conn.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection is not closed: %v", name, err)
		}
	}
}

// Clients that never finish a handshake keep no bot out, at any door: the gate closes the oldest of them.
func TestSilentHandshakesKeepNobodyOut(t *testing.T) {
	d := serveDoors(t, func(c *server.Config) {
		c.Connections = gate.DefaultLimits()
		c.Connections.Total, c.Connections.HeaderTime = 32, time.Hour
	})
	const silent, kept = 100, 8 // a quarter of all connections is for strangers
	closed := make(chan struct{}, silent)
	for i := range silent {
		conn, err := net.Dial("tcp", []string{d.secret, d.plain, d.Address}[i%3])
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		go func() {
			_, _ = io.Copy(io.Discard, conn) // until it is closed
			closed <- struct{}{}
		}()
	}
	for range silent - kept { // once they have come in, the bot comes last
		<-closed
	}
	ws, answer := d.welcome(t, "ann")
	if answer != "welcome" {
		t.Fatalf("the bot is answered %v", answer)
	}
	for range 40 { // an admitted bot is no stranger any more
		conn, err := net.Dial("tcp", d.secret)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	if err := ws.WriteJSON(map[string]any{"type": "goodbye"}); err != nil {
		t.Error(err)
	}
	if _, _, err := ws.ReadMessage(); err == nil || !strings.Contains(err.Error(), "1000") {
		t.Errorf("after a goodbye: %v", err)
	}
}

// Strangers cannot fill the log with failed handshakes.
func TestFailedHandshakesAreLoggedCalmly(t *testing.T) {
	d := serveDoors(t, func(*server.Config) {})
	for range 100 {
		conn, err := net.Dial("tcp", d.secret)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "what is this?") // it may be closed already
		_, _ = io.Copy(io.Discard, conn)             // until it is closed
		conn.Close()
	}
	if lines := strings.Count(d.log.String(), "TLS handshake failed"); lines == 0 || lines > 20 || !strings.Contains(d.log.String(), "from=127.0.0.1:") {
		t.Errorf("%d lines about handshakes:\n%s", lines, d.log.String())
	}
}

// The cookie of an operator's browser is for TLS only, if the browser uses it.
func TestCookieIsSecret(t *testing.T) {
	arena := server.New(server.Config{Store: newStore(), Tokens: newStore(), Operator: gate.OperatorFile{Secret: "s"}, Log: slog.New(slog.DiscardHandler)})
	for scheme, want := range map[string]bool{"http": false, "https": true} {
		r := httptest.NewRequest(http.MethodPost, scheme+"://127.0.0.1/login", nil)
		r.RemoteAddr = "127.0.0.1:1"
		w := httptest.NewRecorder()
		if err := arena.LogIn(w, r, "s"); err != nil {
			t.Fatal(err)
		}
		if cookies := w.Result().Cookies(); len(cookies) != 1 || cookies[0].Secure != want {
			t.Errorf("%s: cookies %v", scheme, cookies)
		}
	}
}
