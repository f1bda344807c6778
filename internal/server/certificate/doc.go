// Package certificate has the certificates with which an arena speaks TLS: from files that are replaced
// now and then, or from a server that gives them out by ACME (RFC 8555), such as Let's Encrypt.
//
//	files, err := certificate.Open("fullchain.pem", "privkey.pem", log)
//	if err != nil {
//		panic(err)
//	}
//	secret := tls.NewListener(listener, files.TLS())
//
// Both kinds log what becomes of the certificate, also when it is about to expire. docs/adr/0021-tls.md
// says why it is done in this way.
package certificate

import (
	"crypto/tls"
	"log/slog"
	"time"
)

// newConfig returns the settings of TLS: those of Go's library, which follow what is known to be safe,
// and HTTP/1.1 only, in which WebSockets work and connections can be counted.
func newConfig(get func(*tls.ClientHelloInfo) (*tls.Certificate, error), protocols ...string) *tls.Config {
	return &tls.Config{GetCertificate: get, MinVersion: tls.VersionTLS12, NextProtos: append([]string{"http/1.1"}, protocols...)}
}

// mostLate is how long before its end a certificate should have been replaced at the latest.
const mostLate = 14 * 24 * time.Hour

// warnLate logs that a certificate should have been replaced by now: the last sixth of its time runs, or
// the last days. Programs that renew certificates do it in the last third.
func warnLate(log *slog.Logger, c *tls.Certificate) {
	if time.Until(c.Leaf.NotAfter) < min(mostLate, c.Leaf.NotAfter.Sub(c.Leaf.NotBefore)/6) {
		log.Warn("the certificate was not renewed in time", "names", c.Leaf.DNSNames, "expires", c.Leaf.NotAfter)
	}
}
