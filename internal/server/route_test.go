package server_test

import (
	"net/http"
	"strings"
	"testing"

	"versus2048/internal/server"
)

// ask sends a request without a body, and returns the answer.
func ask(t *testing.T, method, url string, header http.Header) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer
}

// OPTIONS lists the methods of a path, and lets no page of another site read anything.
func TestOptions(t *testing.T) {
	c := serve(t, newStore(), func(config *server.Config) { config.Public = true })
	foreign := http.Header{"Origin": {"https://example.com"}, "Access-Control-Request-Method": {"GET"}, "Access-Control-Request-Headers": {"authorization"}}
	for path, want := range map[string]string{
		"/api/bots": "204 GET, HEAD, OPTIONS", "/api/events": "204 GET, HEAD, POST, OPTIONS", "/api/events/1/stop": "204 POST, OPTIONS",
		"/bot": "204 GET, HEAD, OPTIONS", "/healthz": "204 GET, HEAD, OPTIONS", "/nothing": "404 ",
	} {
		for _, header := range []http.Header{{}, foreign} {
			answer := ask(t, http.MethodOptions, c.URL+path, header)
			if got := answer.Status[:4] + answer.Header.Get("Allow"); got != want {
				t.Errorf("OPTIONS %s: %q, want %q", path, got, want)
			}
			for name := range answer.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("OPTIONS %s has the header %s", path, name)
				}
			}
		}
	}
	if answer := ask(t, http.MethodGet, c.URL+"/api/bots", http.Header{"Origin": {"https://example.com"}}); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another site: %s", answer.Status)
	}
}

// The scheme of the header Authorization may be written in any case (RFC 9110).
func TestAuthorizationInAnyCase(t *testing.T) {
	c := serve(t, newStore(), nil)
	for scheme, want := range map[string]int{"Bearer ": 200, "bearer ": 200, "BEARER  ": 200, "Basic ": 403, "Bearer": 403, "": 403} {
		if answer := ask(t, http.MethodGet, c.URL+"/api/status", http.Header{"Authorization": {scheme + c.Token}}); answer.StatusCode != want {
			t.Errorf("%q: %s, want %d", scheme, answer.Status, want)
		}
	}
}
