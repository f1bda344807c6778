//go:build hosting

package deploy_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/testkit"
)

// authority is a server of certificates by ACME: Pebble, which the people of Let's Encrypt make for tests.
type authority struct {
	program
	directory   string // its address
	certificate string // the file of the certificate of the server itself
	management  string
}

// startAuthority starts a server that asks for HTTP-01 and TLS-ALPN-01 at these addresses in place of
// ports 80 and 443, whatever the name: every name leads to this machine.
func startAuthority(t *testing.T, plain, secret string) *authority {
	t.Helper()
	folder := t.TempDir()
	names, listen := freeAddress(t), freeAddress(t)
	started(t, nil, built(t, "pebble-challtestsrv"), "-dnsserver", names, "-http01", "", "-https01", "", "-tlsalpn01", "", "-doh", "",
		"-management", freeAddress(t), "-defaultIPv4", "127.0.0.1", "-defaultIPv6", "")
	a := &authority{directory: "https://" + listen + "/dir", certificate: filepath.Join(folder, "cert.pem"), management: freeAddress(t)}
	finished(t, "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
		"-subj", "/CN=authority", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", filepath.Join(folder, "key.pem"), "-out", a.certificate)
	// Without Retry-After: Pebble writes every other as a date, which older clients do not know.
	config := fmt.Sprintf(`{"pebble": {"listenAddress": %q, "managementListenAddress": %q, "certificate": %q, "privateKey": %q,
		"httpPort": %s, "tlsPort": %s, "retryAfter": {"authz": 0, "order": 0}}}`,
		listen, a.management, a.certificate, filepath.Join(folder, "key.pem"), port(t, plain), port(t, secret))
	a.program = started(t, []string{"PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0"}, built(t, "pebble"), "-config", write(t, folder, "pebble.json", config), "-dnsserver", names)
	testkit.Await(t, "Pebble", func() bool { return accepts(listen) && accepts(a.management) || a.Ended() })
	return a
}

// roots returns a file with the root certificate of the server's certificates.
func (a *authority) roots(t *testing.T) string {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	response, err := client.Get("https://" + a.management + "/roots/0")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, t.TempDir(), "roots.pem", string(text))
}

// An arena gets its certificate by itself, when it is asked on the port of TLS only, and when only port 80
// can be reached. After a restart it still has it.
func TestACME(t *testing.T) {
	for kind, asked := range map[string]func(plain, secret, closed string) (string, string){
		"TLS-ALPN-01": func(_, secret, closed string) (string, string) { return closed, secret },
		"HTTP-01":     func(plain, _, closed string) (string, string) { return plain, closed },
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			secret, plain := freeAddress(t), freeAddress(t)
			askedPlain, askedSecret := asked(plain, secret, freeAddress(t))
			authority := startAuthority(t, askedPlain, askedSecret)
			folder := t.TempDir()
			line := []string{
				"serve", "--db", filepath.Join(folder, "arena.db"), "--addr", secret, "--local-addr", freeAddress(t), "--http-addr", plain,
				"--public", "--acme", domain, "--acme-email", "olga@example.org", "--acme-directory", authority.directory, "--acme-ca", authority.certificate,
			}
			arena := built(t, "arena")
			first := started(t, nil, arena, line...)
			first.AwaitOutput(t, "certificate obtained")
			visitor := newVisitor(t, secret, authority.roots(t))
			got := visitor.sees(t)
			bot := started(t, visitor.environment(t), built(t, "bot"), "run", "random", "--name", "eve", "--reconnect", "0s", "--url", "wss://"+visitor.address()+"/bot")
			bot.AwaitOutput(t, "token_required")

			first.kill()
			second := started(t, nil, arena, line...)
			second.AwaitOutput(t, "certificate obtained")
			if again := visitor.sees(t); again != got {
				t.Errorf("after a restart the certificate is another one: %s, then %s", got, again)
			}
			if n := strings.Count(authority.Output.String(), "Issued certificate serial"); n != 1 {
				t.Errorf("%d certificates were issued", n)
			}
			others(t, filepath.Join(folder, "arena.db.acme"))
		})
	}
}

// sees opens a page, and returns the serial number of the certificate.
func (v *visitor) sees(t *testing.T) string {
	t.Helper()
	v.client.CloseIdleConnections()
	response, err := v.client.Get("https://" + v.address() + "/")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("the page is answered %s", response.Status)
	}
	return response.TLS.PeerCertificates[0].SerialNumber.String()
}

// others fails the test if others than its owner can read a folder of keys.
func others(t *testing.T, folder string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) < 2 { // the account's key and the certificate
		t.Errorf("%d files of keys: %v", len(entries), err)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", entry.Name(), info.Mode(), err)
		}
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v %v", info.Mode(), err)
	}
}
