package hosting

import (
	"crypto/tls"
	"log/slog"
	"time"
)

// newConfig returns the settings of TLS: the version 1.2 or later, and otherwise the defaults of Go's library, which
// each version of Go keeps safe. HTTP/1.1 is the only version of HTTP, so that WebSockets work and connections can be
// counted.
func newConfig(get func(*tls.ClientHelloInfo) (*tls.Certificate, error), protocols ...string) *tls.Config {
	return &tls.Config{GetCertificate: get, MinVersion: tls.VersionTLS12, NextProtos: append([]string{"http/1.1"}, protocols...)}
}

// mostLate is the longest remaining validity of a certificate at which warnLate warns.
const mostLate = 14 * 24 * time.Hour

// warnLate logs that a certificate should have been replaced by now: it is in the last sixth of its lifetime, and has
// less than mostLate left. Programs that renew certificates do it in the last third.
func warnLate(log *slog.Logger, c *tls.Certificate) {
	if time.Until(c.Leaf.NotAfter) < min(mostLate, c.Leaf.NotAfter.Sub(c.Leaf.NotBefore)/6) {
		log.Warn("the certificate was not renewed in time", "names", c.Leaf.DNSNames, "expires", c.Leaf.NotAfter)
	}
}
