package server_test

import (
	"bytes"
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
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/operator"
	"versus2048/protocol"
)

// secrecy returns a TLS configuration of an arena that is known as example.com, and the certificate
// authority that its visitors trust.
func secrecy(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	borrowed := httptest.NewUnstartedServer(nil) // it has a certificate for example.com and 127.0.0.1
	borrowed.StartTLS()
	defer borrowed.Close()
	trusted := x509.NewCertPool()
	trusted.AddCert(borrowed.Certificate())
	return &tls.Config{Certificates: borrowed.TLS.Certificates, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12}, trusted
}

// house is an arena with several doors.
type house struct {
	local, secret, plain string // addresses; at plain is a text
	trusted              *x509.CertPool
	log                  *transcript
}

// transcript is a log that is read while it is written.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *transcript) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *transcript) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// serveDoors serves an arena with a door for TLS and one where another handler answers.
func serveDoors(t *testing.T, change func(*server.Config)) *house {
	t.Helper()
	listeners := [3]net.Listener{}
	for i := range listeners {
		var err error
		if listeners[i], err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
	}
	config, trusted := secrecy(t)
	h := &house{listeners[0].Addr().String(), listeners[1].Addr().String(), listeners[2].Addr().String(), trusted, &transcript{}}
	store := newStore()
	c := server.Config{Store: store, Tokens: store, Grace: 10 * time.Second, Limits: protocol.DefaultLimits(), Log: slog.New(slog.NewTextHandler(h.log, nil))}
	change(&c)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- server.New(c).Serve(ctx, listeners[0], server.Door{Listener: listeners[1], TLS: config},
			server.Door{Listener: listeners[2], Instead: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "elsewhere") })})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return h
}

// get asks for an address and returns the status and the body of the answer.
func (h *house) get(t *testing.T, address string) (status int, body string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: h.trusted}}}
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
func (h *house) welcome(t *testing.T, name string) (*websocket.Conn, any) {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}, TLSClientConfig: &tls.Config{RootCAs: h.trusted}}
	ws, _, err := dialer.DialContext(t.Context(), "wss://"+h.secret+"/bot", nil)
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
	h := serveDoors(t, func(*server.Config) {})
	for address, want := range map[string]string{
		"http://" + h.local + "/api/bots":   "[]",
		"https://" + h.secret + "/api/bots": "[]",
		"http://" + h.plain + "/api/bots":   "elsewhere",
	} {
		if status, body := h.get(t, address); status != http.StatusOK || strings.TrimSpace(body) != want {
			t.Errorf("%s answers %d %q, want %q", address, status, body, want)
		}
	}
	if _, first := h.welcome(t, "ann"); first != "welcome" {
		t.Errorf("a bot over TLS is answered %v", first)
	}
	if status, body := h.get(t, "http://"+h.secret+"/api/bots"); status != http.StatusBadRequest || !strings.Contains(body, "HTTPS server") {
		t.Errorf("without TLS: %d %q", status, body)
	}
}

// No HTTP/2 and no TLS before 1.2.
func TestSecretDoorSpeaks(t *testing.T) {
	h := serveDoors(t, func(*server.Config) {})
	conn, err := tls.Dial("tcp", h.secret, &tls.Config{RootCAs: h.trusted, NextProtos: []string{"h2", "http/1.1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got := conn.ConnectionState(); got.NegotiatedProtocol != "http/1.1" || got.Version != tls.VersionTLS13 {
		t.Errorf("negotiated %q, version %s", got.NegotiatedProtocol, tls.VersionName(got.Version))
	}
	if conn, err := tls.Dial("tcp", h.secret, &tls.Config{RootCAs: h.trusted, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}); err == nil {
		conn.Close()
		t.Error("TLS 1.1 is accepted")
	}
}

// A client that begins no handshake, or does not go on with it, loses its connection.
func TestSilentHandshakesEnd(t *testing.T) {
	h := serveDoors(t, hasty)
	for name, begin := range map[string]string{"nothing": "", "half a record": "\x16\x03\x01\x02\x00\x01\x00", "nonsense": "what?\n"} {
		conn, err := net.Dial("tcp", h.secret)
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
	h := serveDoors(t, func(c *server.Config) {
		c.Connections = gate.DefaultLimits()
		c.Connections.Total, c.Connections.HeaderTime = 32, time.Hour
	})
	const silent, kept = 100, 8 // a quarter of all connections is for strangers
	closed := make(chan struct{}, silent)
	for i := range silent {
		conn, err := net.Dial("tcp", []string{h.secret, h.plain, h.local}[i%3])
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
	ws, answer := h.welcome(t, "ann")
	if answer != "welcome" {
		t.Fatalf("the bot is answered %v", answer)
	}
	for range 40 { // an admitted bot is no stranger any more
		conn, err := net.Dial("tcp", h.secret)
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
	h := serveDoors(t, func(*server.Config) {})
	for range 100 {
		conn, err := net.Dial("tcp", h.secret)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "what is this?") // it may be closed already
		_, _ = io.Copy(io.Discard, conn)             // until it is closed
		conn.Close()
	}
	if lines := strings.Count(h.log.String(), "TLS handshake failed"); lines == 0 || lines > 20 || !strings.Contains(h.log.String(), "from=127.0.0.1:") {
		t.Errorf("%d lines about handshakes:\n%s", lines, h.log.String())
	}
}

// The cookie of an operator's browser is for TLS only, if the browser uses it.
func TestCookieIsSecret(t *testing.T) {
	arena := server.New(server.Config{Store: newStore(), Tokens: newStore(), Operator: operator.File{Secret: "s"}, Log: slog.New(slog.DiscardHandler)})
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
