package hosting

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// CertificateRequest describes the certificates that are wanted, and the server that issues them.
type CertificateRequest struct {
	Domains   []string       // a certificate for each; at least one
	Email     string         // the address for messages from the server's operators; "" for none
	Directory string         // the server's address; "" means Let's Encrypt
	Roots     *x509.CertPool // the roots for the server's own certificate; nil means the system's
	Folder    string         // holds the account and the certificates: only this user may read it
}

// ACME has certificates that it asks for and renews by itself. The authority checks that the domains belong to this
// machine: by a handshake on port 443 (TLS-ALPN-01, RFC 8737), or by a request on port 80 (HTTP-01).
type ACME struct {
	domains []string
	manager *autocert.Manager
	log     *slog.Logger

	mu  sync.Mutex
	has map[string]*tls.Certificate // the newest that was seen, by domain
}

// NewACME prepares the certificates that Keep asks for. It makes the folder, and returns an error if others may read
// the folder, or if a domain is invalid.
func NewACME(r CertificateRequest, log *slog.Logger) (*ACME, error) {
	a := &ACME{log: log, has: map[string]*tls.Certificate{}}
	for _, domain := range r.Domains {
		if err := CheckDomain(domain); err != nil {
			return nil, err
		}
		a.domains = append(a.domains, strings.ToLower(domain))
	}
	if err := makeSecretFolder(r.Folder); err != nil {
		return nil, fmt.Errorf("the folder of certificates: %w", err)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: r.Roots, MinVersion: tls.VersionTLS12}
	a.manager = &autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		Cache:      autocert.DirCache(r.Folder),
		HostPolicy: a.mayAskFor,
		Email:      r.Email,
		Client:     &acme.Client{DirectoryURL: r.Directory, HTTPClient: &http.Client{Transport: transport}},
	}
	return a, nil
}

// hostName matches a name of several parts, each of letters, digits and hyphens.
var hostName = regexp.MustCompile(`^([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+[a-zA-Z0-9-]*[a-zA-Z][a-zA-Z0-9-]*$`)

// CheckDomain returns an error with the reason if there can be no certificate for a domain.
func CheckDomain(domain string) error {
	switch {
	case net.ParseIP(domain) != nil:
		return fmt.Errorf("%q is an address: want the name of a host, such as arena.example.org", domain)
	case strings.HasPrefix(domain, "*"):
		return fmt.Errorf("%q stands for many hosts: name each of them", domain)
	case len(domain) > 253 || !hostName.MatchString(domain):
		return fmt.Errorf("%q: want the name of a host, such as arena.example.org (with other letters than a to z in its form xn--...)", domain)
	}
	return nil
}

// makeSecretFolder makes a folder that only this user can look into. It returns an error if others can look into a
// folder that is already there.
func makeSecretFolder(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("others than its owner may look into %s, where keys are kept: chmod 700 %[1]s", path)
	}
	return nil
}

// mayAskFor implements autocert.HostPolicy. The host may have a port.
func (a *ACME) mayAskFor(_ context.Context, host string) error {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !slices.Contains(a.domains, strings.ToLower(host)) {
		return fmt.Errorf("%.100q is no name of this arena", host)
	}
	return nil
}

// Names returns the domains.
func (a *ACME) Names() []string { return slices.Clone(a.domains) }

// TLS returns the configuration of a server that has the certificates, and answers the authority's challenges.
func (a *ACME) TLS() *tls.Config { return newConfig(a.get, acme.ALPNProto) }

// Answer returns a handler for port 80 that answers the authority's challenges and passes all other requests to another
// handler.
func (a *ACME) Answer(otherwise http.Handler) http.Handler { return a.manager.HTTPHandler(otherwise) }

// get returns the certificate for a handshake. It never asks the authority for one, so that strangers cannot use up the
// few requests that the authority allows an hour.
func (a *ACME) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}) {
		return a.manager.GetCertificate(hello)
	}
	name := strings.ToLower(strings.TrimSuffix(hello.ServerName, "."))
	if name == "" {
		name = a.domains[0] // for a client that names an address in place of a host
	}
	a.mu.Lock()
	known := a.has[name] != nil
	a.mu.Unlock()
	if !known {
		return nil, fmt.Errorf("there is no certificate for %.100q", name)
	}
	return a.ask(name)
}

// ask returns the certificate for a domain, with an ECDSA key. If none is kept, ask requests one from the authority,
// which takes seconds to minutes.
func (a *ACME) ask(domain string) (*tls.Certificate, error) {
	return a.manager.GetCertificate(&tls.ClientHelloInfo{
		ServerName: domain, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
	})
}

// Let's Encrypt allows five failed validations an hour for a name (https://letsencrypt.org/docs/rate-limits).
const (
	firstPause   = 2 * time.Minute // after the first failure; each further failure doubles the pause
	longestPause = 2 * time.Hour   // after a failure
	checkPause   = 6 * time.Hour   // between looks for a renewed certificate
)

// Keep asks for the missing certificates until ctx ends. It logs each certificate that was issued or renewed, each
// failure to get a missing certificate, and each certificate that was not renewed in time. The server has to run with
// TLS or Answer meanwhile. Renewal begins when a third of a certificate's lifetime is left, or 30 days if that is less.
func (a *ACME) Keep(ctx context.Context) {
	var all sync.WaitGroup
	for _, domain := range a.domains {
		all.Go(func() { a.keep(ctx, domain) })
	}
	all.Wait()
}

// keep does the work of Keep for one domain.
func (a *ACME) keep(ctx context.Context, domain string) {
	for retry := firstPause; ctx.Err() == nil; {
		pause := checkPause
		if got, err := a.ask(domain); err != nil {
			a.log.Error("no certificate", "domain", domain, "why", reason(err), "again in", retry)
			pause, retry = retry, min(2*retry, longestPause)
		} else {
			a.tell(domain, got)
			retry = firstPause
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// tell logs a new certificate, and a certificate that was not renewed in time.
func (a *ACME) tell(domain string, got *tls.Certificate) {
	a.mu.Lock()
	before := a.has[domain]
	a.has[domain] = got
	a.mu.Unlock()
	if before == nil || !before.Leaf.Equal(got.Leaf) {
		a.log.Info("certificate obtained", "domain", domain, "expires", got.Leaf.NotAfter)
	}
	warnLate(a.log, got)
}

// reason returns the error of an authority with a clearer beginning.
func reason(err error) error {
	var failed *acme.AuthorizationError
	if errors.As(err, &failed) && len(failed.Errors) > 0 {
		return fmt.Errorf("the certificate authority does not find this arena under the name: %w", errors.Join(failed.Errors...))
	}
	return err
}
