package hosting_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/cmd/internal/hosting"
	"versus2048/internal/testkit"
)

// absent is the directory of a server that nobody can reach.
const absent = "https://127.0.0.1:1/directory"

func TestCheckDomain(t *testing.T) {
	for domain, want := range map[string]string{
		"arena.example.org": "", "ARENA.example.org": "", "xn--bcher-kva.example": "", "a.b": "", "1.example2": "",
		"localhost": "name of a host", "": "name of a host", "192.0.2.1": "is an address", "2001:db8::1": "is an address",
		"*.example.org": "many hosts", "https://arena.example.org": "name of a host", "arena.example.org:443": "name of a host",
		"bücher.example": "xn--", "a..b": "name of a host", "-a.example": "name of a host", "example.org.": "name of a host",
		strings.Repeat("a.", 130) + "org": "name of a host",
	} {
		if err := hosting.CheckDomain(domain); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", domain, err, want)
		}
	}
}

// Keys are kept in a folder that only this user can read.
func TestFolderOfKeys(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // its files have other rights
	}
	folder := filepath.Join(t.TempDir(), "arena.db.acme")
	request := hosting.CertificateRequest{Domains: []string{"arena.example.org"}, Directory: absent, Folder: folder}
	if _, err := hosting.NewACME(request, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v: %v", info.Mode(), err)
	}
	if err := os.Chmod(folder, 0o750); err != nil {
		t.Fatal(err)
	}
	if _, err := hosting.NewACME(request, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "chmod 700 "+folder) {
		t.Errorf("a folder that others may look into: %v", err)
	}
	request.Folder = filepath.Join(folder, "\x00")
	if _, err := hosting.NewACME(request, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("there is no such folder")
	}
	request.Domains = []string{"here"}
	if _, err := hosting.NewACME(request, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "here") {
		t.Errorf("no domain: %v", err)
	}
}

// A certificate that was obtained before is used at once. Strangers cause no questions to the server: for
// other names, and before there is a certificate, the handshake fails.
func TestCertificatesThatAreKept(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	chain, key := made(t, 7, long, "arena.example.org")
	write(t, filepath.Join(folder, "arena.example.org"), bytes.Join([][]byte{key, chain}, nil))
	log := &testkit.Transcript{}
	request := hosting.CertificateRequest{Domains: []string{"Arena.example.org", "other.example.org"}, Directory: absent, Folder: folder}
	a, err := hosting.NewACME(request, loggerTo(log))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(a.Names(), " "); got != "arena.example.org other.example.org" {
		t.Errorf("the names are %s", got)
	}
	if _, err := shown(a.TLS(), "arena.example.org"); err == nil {
		t.Error("there is a certificate before Keep")
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() { defer close(ended); a.Keep(ctx) }()
	testkit.Await(t, "one certificate and one failure", func() bool {
		text := log.String()
		return strings.Contains(text, "certificate obtained") && strings.Contains(text, "no certificate")
	})
	for _, host := range []string{"arena.example.org", "ARENA.example.org", ""} {
		if got, err := shown(a.TLS(), host); err != nil || got.SerialNumber.Int64() != 7 {
			t.Errorf("%q: it is not the certificate: %v", host, err)
		}
	}
	for _, host := range []string{"other.example.org", "stranger.example.org"} {
		if _, err := shown(a.TLS(), host); err == nil || !strings.Contains(err.Error(), "no certificate for") {
			t.Errorf("%s: %v", host, err)
		}
	}
	if _, err := shown(a.TLS(), "arena.example.org", "acme-tls/1"); err == nil || !strings.Contains(err.Error(), "no token") {
		t.Errorf("an answer to a question that nobody has asked: %v", err)
	}
	stop()
	<-ended
}

// After a failure the server is asked less and less often.
func TestFailuresAreFew(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "keys")
	synctest.Test(t, func(t *testing.T) {
		log := &testkit.Transcript{}
		// Without a host in the address nothing is dialled, which would stop the bubble's clock.
		a, err := hosting.NewACME(hosting.CertificateRequest{Domains: []string{"arena.example.org"}, Directory: "https://", Folder: folder}, loggerTo(log))
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		a.Keep(ctx)
		if text := log.Take(); strings.Count(text, "no certificate") != 5 || !strings.Contains(text, `"again in"=32m`) {
			t.Errorf("within an hour: %s", text)
		}
	})
}

// Port 80 leads to TLS, and has the answers of ACME for the names of the arena only.
func TestRedirect(t *testing.T) {
	a, err := hosting.NewACME(hosting.CertificateRequest{Domains: []string{"arena.example.org"}, Directory: absent, Folder: filepath.Join(t.TempDir(), "keys")}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		method, address, port string
		status                int
		location              string
	}{
		{"GET", "http://arena.example.org/events/7?x=1", "443", 302, "https://arena.example.org/events/7?x=1"},
		{"HEAD", "http://arena.example.org:80/", "443", 302, "https://arena.example.org/"},
		{"GET", "http://arena.example.org:8080/", "8443", 302, "https://arena.example.org:8443/"},
		{"GET", "http://[2001:db8::1]/", "8443", 302, "https://[2001:db8::1]:8443/"},
		{"GET", "http://192.0.2.1//evil.example/", "443", 302, "https://192.0.2.1//evil.example/"},
		{"POST", "http://arena.example.org/api/events", "443", 403, ""},
		{"GET", "http://arena.example.org/.well-known/acme-challenge/x", "443", 404, ""},
		{"GET", "http://arena.example.org:5002/.well-known/acme-challenge/x", "443", 404, ""},
		{"GET", "http://stranger.example.org/.well-known/acme-challenge/x", "443", 403, ""},
	} {
		w := httptest.NewRecorder()
		a.Answer(hosting.RedirectToTLS(test.port)).ServeHTTP(w, httptest.NewRequest(test.method, test.address, nil))
		if got := w.Header().Get("Location"); w.Code != test.status || got != test.location {
			t.Errorf("%s %s: %d to %q, want %d to %q", test.method, test.address, w.Code, got, test.status, test.location)
		}
		if w.Code == http.StatusForbidden && test.method == "POST" && !strings.Contains(w.Body.String(), "https://") {
			t.Errorf("the answer is %s", w.Body)
		}
	}
}

// A request that names no host, as one of HTTP/1.0 may, leads nowhere.
func TestRedirectWithoutHost(t *testing.T) {
	for _, host := range []string{"", ":80"} {
		for _, port := range []string{"443", "8443"} {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Host = host
			w := httptest.NewRecorder()
			hosting.RedirectToTLS(port).ServeHTTP(w, r)
			if got := w.Header().Get("Location"); w.Code != http.StatusBadRequest || got != "" {
				t.Errorf("host %q, port %s: %d to %q, want 400", host, port, w.Code, got)
			}
		}
	}
}
