package gate

import (
	"errors"
	"net/http"
	"net/netip"
)

// The answers to a client beyond the limits.
const (
	tooManyText = `{"error":"too many connections from your address: close some, or ask the arena's host for more (arena serve --max-per-address)"}` + "\n"
	tooFastText = `{"error":"too many requests a second from your address: ask more slowly"}` + "\n"
	retryAfter  = "5" // seconds
)

// refusal is the answer to a connection that is closed before its request is read.
const refusal = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: " + retryAfter + "\r\nConnection: close\r\n\r\n" + tooManyText

// ByClient counts each request that comes through a proxy as a connection of the client that clientOf names, while next
// serves it. It refuses requests beyond the limits by address.
func (g *Gate) ByClient(next http.Handler, clientOf func(*http.Request) netip.Addr) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client := clientOf(r)
		done, err := From(r.Context()).Carry(client)
		if err != nil {
			g.log.Warn("request refused", "from", client, "through", r.RemoteAddr, "why", err)
			refuseRequest(w, err)
			return
		}
		defer done()
		next.ServeHTTP(w, r)
	})
}

// refuseRequest answers a request beyond the limits.
func refuseRequest(w http.ResponseWriter, why error) {
	status, text := http.StatusServiceUnavailable, tooManyText
	if errors.Is(why, errTooFast) {
		status, text = http.StatusTooManyRequests, tooFastText
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", retryAfter)
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // the client may be gone
}
