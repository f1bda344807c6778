// Package address tells where requests come from, through reverse proxies as well.
//
//	behind := address.Proxies{netip.MustParsePrefix("127.0.0.1/32")}
//	r := httptest.NewRequest("GET", "/", nil)
//	r.RemoteAddr = "127.0.0.1:1234"
//	r.Header.Set("X-Forwarded-For", "203.0.113.9")
//	fmt.Println(behind.Client(r), address.FromLoopback(r))
package address
