package hosting

import (
	"fmt"
	"net"
	"net/http"
	"strings"
)

// RedirectToTLS returns a handler that redirects GET and HEAD requests to the same address with TLS on the given
// port, or refuses them with status 400 if they name no host. It refuses all other requests with status 403: their
// secrets have been sent without TLS already.
func RedirectToTLS(port string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := atPort(r.Host, port)
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			refuse(w, http.StatusForbidden, "this address is without TLS: use https://, and replace the token if you have sent one")
		case address == "" || address[0] == ':':
			refuse(w, http.StatusBadRequest, "the request names no host: send the header Host")
		default:
			http.Redirect(w, r, "https://"+address+r.URL.RequestURI(), http.StatusFound)
		}
	})
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "{\"error\":%q}\n", why)
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
