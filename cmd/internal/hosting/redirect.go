package hosting

import (
	"net"
	"net/http"
	"strings"
)

// RedirectToTLS returns a handler that redirects GET and HEAD requests to the same address with TLS on the given
// port. It refuses all other requests with status 403: their secrets have been sent without TLS already.
func RedirectToTLS(port string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(`{"error":"this address is without TLS: use https://, and replace the token if you have sent one"}` + "\n"))
			return
		}
		http.Redirect(w, r, "https://"+atPort(r.Host, port)+r.URL.RequestURI(), http.StatusFound)
	})
}

// atPort returns the address of a host at another port; port 443 is left out.
func atPort(address, port string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	at := net.JoinHostPort(host, port)
	return strings.TrimSuffix(at, ":443")
}
