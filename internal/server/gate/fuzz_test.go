package gate

import (
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"versus2048/internal/testkit"
)

// FuzzClientAddress finds the sender of a request with any headers. Only a proxy can name another sender, and a client
// that tries does not count as this machine.
func FuzzClientAddress(f *testing.F) {
	f.Add("10.0.0.9:80", "192.0.2.1, 10.0.0.1", "", "127.0.0.1")
	f.Add("192.0.2.7:1", "127.0.0.1", `for="[::1]:80";proto=http`, "localhost:2048")
	f.Add("[::ffff:10.0.0.3]:5", "", `For="[fe80::1%eth0]", for=unknown`, "example.org")
	behind := Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	f.Fuzz(func(t *testing.T, remote, forwardedFor, forwarded, host string) {
		r := httptest.NewRequest("GET", "/api/events", nil)
		r.RemoteAddr, r.Host = remote, host
		for header, value := range map[string]string{"X-Forwarded-For": forwardedFor, "Forwarded": forwarded} {
			if value != "" {
				r.Header.Set(header, value)
			}
		}
		testkit.CheckAllocation(t, len(remote)+len(forwardedFor)+len(forwarded)+len(host), 256, func() {
			own := ParseAddress(remote)
			if got := (Proxies{}).Client(r); got != own {
				t.Errorf("without Proxies it comes from %v, want %v", got, own)
			}
			got := behind.Client(r)
			if !behind.contain(own) && got != own {
				t.Errorf("%v says that it comes from %v", own, got)
			}
			if got.IsValid() != own.IsValid() || got.Zone() != "" || got.Is4In6() {
				t.Errorf("it comes from %v", got)
			}
			if FromLoopback(r) && (!own.IsLoopback() && remote != "localhost" && !strings.HasPrefix(remote, "localhost:") || forwardedFor+forwarded != "") {
				t.Errorf("%q with %q and %q counts as from this machine", remote, forwardedFor, forwarded)
			}
		})
	})
}
