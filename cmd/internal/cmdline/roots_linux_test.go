package cmdline

import (
	"crypto/x509"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/urfave/cli/v2"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// rootless is set in the environment of a process on a machine without roots of TLS.
const rootless = "VERSUS2048_TEST_ROOTLESS"

// Every command trusts the roots of Mozilla on a machine that has none.
func TestTrustRoots(t *testing.T) {
	if os.Getenv(rootless) == "" {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), rootless+"=1", "SSL_CERT_FILE="+filepath.Join(t.TempDir(), "none"), "SSL_CERT_DIR="+t.TempDir())
		if output, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, output)
		}
		return
	}
	if err := verifyRoots(t); err == nil {
		t.Fatal("the machine has roots of its own")
	}
	look := &cli.Command{Name: "look", Action: func(*cli.Context) error { return verifyRoots(t) }}
	for range 2 { // a second command sets nothing
		app := &cli.App{Name: "arena", Writer: io.Discard, Commands: []*cli.Command{look}}
		if code := Run(t.Context(), app, []string{"arena", "look"}, t.Output()); code != Done {
			t.Errorf("exit code %d", code)
		}
	}
}

// verifyRoots returns an error if this process does not trust a root of Mozilla.
func verifyRoots(t *testing.T) error {
	for root := range bundle.Roots() {
		certificate, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			t.Fatal(err)
		}
		_, err = certificate.Verify(x509.VerifyOptions{CurrentTime: certificate.NotBefore, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}})
		return err
	}
	t.Fatal("there are no roots")
	return nil
}
