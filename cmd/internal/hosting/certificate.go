package hosting

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"versus2048/internal/disk"
)

// CertificateFiles is a certificate and its key in two files. Programs that renew certificates may replace the files at
// any time: new connections have the new certificate within a second. Several goroutines may call the methods.
type CertificateFiles struct {
	certificate, key string // paths
	log              *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	seen    [2]os.FileInfo // of the files, when they were last read; nil for a missing one
	looked  time.Time      // when the files were last checked
	warned  time.Time      // when warn last checked the end of the current certificate; zero for never
}

const (
	lookInterval = time.Second    // between checks for new files
	warnInterval = 24 * time.Hour // between checks for the end of one certificate
)

// OpenCertificate reads a certificate with its chain, and its key, from two files in PEM. It returns an error if a
// file cannot be read, or if the key is not the certificate's.
func OpenCertificate(certificate, key string, log *slog.Logger) (*CertificateFiles, error) {
	f := &CertificateFiles{certificate: certificate, key: key, log: log, looked: time.Now()}
	f.seen = f.look()
	current, err := loadCertificate(certificate, key)
	if err != nil {
		return nil, err
	}
	f.current = &current
	log.Info("certificate read", "names", f.current.Leaf.DNSNames, "expires", f.current.Leaf.NotAfter)
	f.warn()
	return f, nil
}

// TLS returns the configuration of a server that has the certificate.
func (f *CertificateFiles) TLS() *tls.Config {
	return newConfig(func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return f.get(), nil })
}

// Names returns the hosts that the certificate names, without patterns such as *.example.org.
func (f *CertificateFiles) Names() (names []string) {
	for _, name := range f.get().Leaf.DNSNames {
		if !strings.HasPrefix(name, "*") {
			names = append(names, name)
		}
	}
	return names
}

// get returns the certificate, which it reads again if the files have changed.
func (f *CertificateFiles) get() *tls.Certificate {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.looked) < lookInterval {
		return f.current
	}
	f.looked = time.Now()
	if now := f.look(); !same(now[0], f.seen[0]) || !same(now[1], f.seen[1]) {
		f.seen = now
		f.renew()
	}
	f.warn()
	return f.current
}

// renew reads the files. If they contain an error, renew logs the error once, and the old certificate stays until the
// files change again.
func (f *CertificateFiles) renew() {
	renewed, err := loadCertificate(f.certificate, f.key)
	if err != nil {
		f.log.Error("the new certificate cannot be used, the old one stays", "why", err, "expires", f.current.Leaf.NotAfter)
		return
	}
	f.current, f.warned = &renewed, time.Time{}
	f.log.Info("certificate renewed", "names", renewed.Leaf.DNSNames, "expires", renewed.Leaf.NotAfter)
}

// warn logs a warning if the certificate is about to expire. It checks this at most once a day.
func (f *CertificateFiles) warn() {
	if f.warned.IsZero() || time.Since(f.warned) >= warnInterval {
		warnLate(f.log, f.current)
		f.warned = time.Now()
	}
}

// loadCertificate reads a certificate with its chain, and its key, from files in PEM.
func loadCertificate(certificate, key string) (tls.Certificate, error) {
	chain, noChain := disk.ReadText(certificate)
	secret, noSecret := disk.ReadText(key)
	pair, err := tls.X509KeyPair(chain, secret)
	if err = cmp.Or(noChain, noSecret, err); err != nil {
		return pair, fmt.Errorf("the certificate %s with the key %s: %w", certificate, key, err)
	}
	return pair, nil
}

// look returns the present state of the files.
func (f *CertificateFiles) look() (now [2]os.FileInfo) {
	for i, path := range []string{f.certificate, f.key} {
		if info, err := os.Stat(path); err == nil {
			now[i] = info
		}
	}
	return now
}

// same reports whether a file is unchanged.
func same(now, before os.FileInfo) bool {
	if now == nil || before == nil {
		return now == nil && before == nil
	}
	return os.SameFile(now, before) && now.ModTime().Equal(before.ModTime()) && now.Size() == before.Size()
}
