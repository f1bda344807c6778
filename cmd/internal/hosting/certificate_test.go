package hosting_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/cmd/internal/hosting"
	"versus2048/internal/testkit"
)

const long = 1000 * time.Hour

// A certificate that is renewed on disk is used without a restart. One that cannot be used leaves the old
// one in use, is logged once, and can be followed by a right one.
func TestFilesAreReadAgain(t *testing.T) {
	folder := t.TempDir()
	chain, key := made(t, 1, long, "a.example.org", "b.example.org", "*.c.example.org")
	certificatePath, keyPath := writePair(t, folder, chain, key)
	renewed, renewedKey := made(t, 2, long, "a.example.org")
	synctest.Test(t, func(t *testing.T) {
		log := &testkit.Transcript{}
		files, err := hosting.OpenCertificate(certificatePath, keyPath, loggerTo(log))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(files.Names(), " "); got != "a.example.org b.example.org" {
			t.Errorf("the names are %s", got)
		}
		expect := func(serial int64, logged string, times int) {
			t.Helper()
			for range 3 {
				<-time.After(2 * time.Second)
				if got, err := shown(files.TLS(), "a.example.org"); err != nil || got.SerialNumber.Int64() != serial {
					t.Fatalf("the certificate is not number %d: %v", serial, err)
				}
			}
			if text := log.Take(); strings.Count(text, logged) != times {
				t.Errorf("the log has not %d times %q: %s", times, logged, text)
			}
		}
		expect(1, "certificate read", 1)
		write(t, certificatePath, renewed) // the key comes later
		expect(1, "private key does not match", 1)
		write(t, keyPath, renewedKey)
		expect(2, "certificate renewed", 1)
		write(t, certificatePath, []byte("nonsense"))
		expect(2, "level=ERROR", 1)
		if err := os.Remove(certificatePath); err != nil {
			t.Fatal(err)
		}
		expect(2, "no such file", 1)
		write(t, certificatePath, chain)
		write(t, keyPath, key)
		expect(1, "certificate renewed", 1)
	})
}

func TestFilesThatCannotBeUsed(t *testing.T) {
	folder := t.TempDir()
	chain, key := made(t, 1, long, "a.example.org")
	certificatePath, keyPath := writePair(t, folder, chain, key)
	for _, paths := range [][2]string{{"no.pem", keyPath}, {certificatePath, "no.pem"}, {keyPath, certificatePath}, {certificatePath, certificatePath}} {
		if _, err := hosting.OpenCertificate(paths[0], paths[1], slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), paths[0]) || !strings.Contains(err.Error(), paths[1]) {
			t.Errorf("%v: error %v", paths, err)
		}
	}
}

// Once a day the log says that a certificate is about to expire, or has.
func TestCertificateThatExpires(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) { // from the year 2000 on
		chain, key := made(t, 1, 90*24*time.Hour, "a.example.org")
		certificatePath, keyPath := writePair(t, folder, chain, key)
		log := &testkit.Transcript{}
		files, err := hosting.OpenCertificate(certificatePath, keyPath, loggerTo(log))
		if err != nil {
			t.Fatal(err)
		}
		for range 100 * 2 {
			<-time.After(12 * time.Hour)
			if _, err := shown(files.TLS(), "a.example.org"); err != nil {
				t.Fatal(err)
			}
		}
		if n := strings.Count(log.Take(), "not renewed in time"); n < 20 || n > 30 { // of 14 days and 10 beyond
			t.Errorf("%d warnings, want one a day", n)
		}
	})
}

func TestFilesByLinks(t *testing.T) { // as certbot has them
	folder := t.TempDir()
	var paths [2]string
	for i, name := range []string{"one", "two"} {
		chain, key := made(t, int64(i+1), long, name+".example.org")
		if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
			t.Fatal(err)
		}
		paths[0], paths[1] = writePair(t, filepath.Join(folder, name), chain, key)
	}
	link := filepath.Join(folder, "live")
	if err := os.Symlink("one", link); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		files, err := hosting.OpenCertificate(filepath.Join(link, "cert.pem"), filepath.Join(link, "key.pem"), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("two", link); err != nil {
			t.Fatal(err)
		}
		<-time.After(2 * time.Second)
		if got, err := shown(files.TLS(), "x"); err != nil || got.SerialNumber.Int64() != 2 {
			t.Errorf("it is not the new certificate: %v", err)
		}
	})
}
