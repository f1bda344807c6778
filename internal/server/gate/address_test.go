package gate

import (
	"crypto/tls"
	"net/http"
	"net/netip"
	"testing"
)

func TestClientAddress(t *testing.T) {
	behind := Proxies{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:1::/48")}
	for name, tc := range map[string]struct {
		remote string
		header http.Header
		want   string
	}{
		"no proxy":                        {"203.0.113.9:1234", nil, "203.0.113.9"},
		"IPv4 in IPv6":                    {"[::ffff:203.0.113.9]:1234", nil, "203.0.113.9"},
		"a zone":                          {"[fe80::1%eth0]:1234", nil, "fe80::1"},
		"a stranger's header":             {"203.0.113.9:1234", http.Header{"X-Forwarded-For": {"198.51.100.1"}}, "203.0.113.9"},
		"one proxy":                       {"127.0.0.1:1234", http.Header{"X-Forwarded-For": {"203.0.113.9"}}, "203.0.113.9"},
		"what the client itself claims":   {"127.0.0.1:1234", http.Header{"X-Forwarded-For": {"127.0.0.1, 203.0.113.9"}}, "203.0.113.9"},
		"two proxies":                     {"127.0.0.1:1234", http.Header{"X-Forwarded-For": {"198.51.100.1, 203.0.113.9, 10.1.2.3"}}, "203.0.113.9"},
		"two headers":                     {"127.0.0.1:1234", http.Header{"X-Forwarded-For": {"198.51.100.1, 203.0.113.9", "10.1.2.3"}}, "203.0.113.9"},
		"a port":                          {"127.0.0.1:1234", http.Header{"X-Forwarded-For": {"203.0.113.9:55"}}, "203.0.113.9"},
		"only proxies":                    {"127.0.0.1:1234", http.Header{"X-Forwarded-For": {"10.9.9.9, 10.1.2.3"}}, "10.9.9.9"},
		"a proxy without a header":        {"127.0.0.1:1234", nil, "127.0.0.1"},
		"nonsense stops at the proxy":     {"127.0.0.1:1234", http.Header{"X-Forwarded-For": {"203.0.113.9, unknown, 10.1.2.3"}}, "10.1.2.3"},
		"empty":                           {"127.0.0.1:1234", http.Header{"X-Forwarded-For": {""}}, "127.0.0.1"},
		"Forwarded":                       {"127.0.0.1:1234", http.Header{"Forwarded": {`for=198.51.100.1, For="[2001:db8::17]:4711";proto=https`}}, "2001:db8::17"},
		"Forwarded through two":           {"127.0.0.1:1234", http.Header{"Forwarded": {`for=203.0.113.9;by=10.1.1.1`, `proto=http;for="[2001:db8:1::2]"`}}, "203.0.113.9"},
		"Forwarded without for":           {"127.0.0.1:1234", http.Header{"Forwarded": {`proto=http`}}, "127.0.0.1"},
		"a client's Forwarded is ignored": {"127.0.0.1:1234", http.Header{"X-Forwarded-For": {"203.0.113.9"}, "Forwarded": {"for=127.0.0.1"}}, "203.0.113.9"},
	} {
		if got := behind.Client(&http.Request{RemoteAddr: tc.remote, Header: tc.header}); got.String() != tc.want {
			t.Errorf("%s: %v, want %s", name, got, tc.want)
		}
	}
	for remote, want := range map[string]bool{"127.0.0.9:1": true, "10.1.2.3:1": true, "203.0.113.9:1": false, "": false} {
		r := &http.Request{RemoteAddr: remote, Header: http.Header{"X-Forwarded-For": {"127.0.0.1"}}}
		if behind.Sent(r) != want {
			t.Errorf("a request from %q comes from a proxy: %v", remote, !want)
		}
	}
	if got := Proxies(nil).Client(&http.Request{RemoteAddr: "127.0.0.1:1", Header: http.Header{"X-Forwarded-For": {"203.0.113.9"}}}); got.String() != "127.0.0.1" {
		t.Errorf("without --behind-proxy a header counts: %v", got)
	}
}

// A request with a forwarding header is not from this machine, even if the first header is empty: some proxies add
// another one after the client's.
func TestFromLoopback(t *testing.T) {
	for name, c := range map[string]struct {
		remote, host string
		header       http.Header
		want         bool
	}{
		"this machine":             {"127.0.0.1:1234", "localhost:2048", http.Header{}, true},
		"another machine":          {"203.0.113.9:1234", "localhost:2048", http.Header{}, false},
		"another host name":        {"127.0.0.1:1234", "example.org", http.Header{}, false},
		"X-Forwarded-For":          {"127.0.0.1:1234", "localhost:2048", http.Header{"X-Forwarded-For": {"203.0.113.9"}}, false},
		"Forwarded":                {"127.0.0.1:1234", "localhost:2048", http.Header{"Forwarded": {"for=203.0.113.9"}}, false},
		"a second X-Forwarded-For": {"127.0.0.1:1234", "localhost:2048", http.Header{"X-Forwarded-For": {"", "203.0.113.9"}}, false},
		"a second Forwarded":       {"127.0.0.1:1234", "localhost:2048", http.Header{"Forwarded": {"", "for=203.0.113.9"}}, false},
	} {
		if got := FromLoopback(&http.Request{RemoteAddr: c.remote, Host: c.host, Header: c.header}); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

// A proxy's header about TLS counts from the named proxies and from this machine, not from strangers.
func TestOverTLS(t *testing.T) {
	behind := Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	header := http.Header{"X-Forwarded-Proto": {"https"}}
	for name, c := range map[string]struct {
		r    http.Request
		want bool
	}{
		"in clear":                 {http.Request{RemoteAddr: "10.1.2.3:1", Header: http.Header{}}, false},
		"TLS":                      {http.Request{RemoteAddr: "203.0.113.9:1", TLS: new(tls.ConnectionState)}, true},
		"a named proxy":            {http.Request{RemoteAddr: "10.1.2.3:1", Header: header}, true},
		"a proxy on this machine":  {http.Request{RemoteAddr: "127.0.0.1:1", Header: header}, true},
		"a stranger with a header": {http.Request{RemoteAddr: "203.0.113.9:1", Header: header}, false},
	} {
		if got := behind.OverTLS(&c.r); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
