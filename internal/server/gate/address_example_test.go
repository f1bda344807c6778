package gate_test

import (
	"fmt"
	"net/http/httptest"
	"net/netip"

	"versus2048/internal/server/gate"
)

func ExampleIsLoopback() {
	behind := gate.Proxies{netip.MustParsePrefix("127.0.0.1/32")}
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "127.0.0.1:1234"
	r.Header.Set("X-Forwarded-For", "203.0.113.9")
	fmt.Println(behind.Client(r), gate.FromLoopback(r))
	// Output: 203.0.113.9 false
}
