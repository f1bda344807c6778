package cmdline

import (
	"crypto/x509"
	"fmt"
	"sync"

	"github.com/urfave/cli/v2"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// trustRoots makes the process trust the roots of Mozilla where the system has none, as in containers. It runs before
// every command, but not before the help of the program: the roots take a megabyte of memory.
func trustRoots(*cli.Context) error { return fallbackRoots() }

// fallbackRoots sets the roots once: a second call of x509.SetFallbackRoots would panic.
var fallbackRoots = sync.OnceValue(func() error {
	pool := x509.NewCertPool()
	for root := range bundle.Roots() {
		certificate, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			return fmt.Errorf("a root certificate of this program is damaged, install the program again: %w", err)
		}
		if root.Constraint == nil {
			pool.AddCert(certificate)
		} else {
			pool.AddCertWithConstraint(certificate, root.Constraint)
		}
	}
	x509.SetFallbackRoots(pool)
	return nil
})
