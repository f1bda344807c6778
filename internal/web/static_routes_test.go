package web_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// Browsers and search engines look for the icon and for robots.txt at fixed addresses, before they know any page.
func TestFixedAddresses(t *testing.T) {
	h := open(t)
	for path, want := range map[string][2]string{
		"/favicon.ico": {"image/svg+xml", "<svg"},
		"/robots.txt":  {"text/plain; charset=utf-8", "User-agent: *\nDisallow: /"},
	} {
		answer, err := http.Get(h.URL() + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if got := answer.Header.Get("Content-Type"); err != nil || answer.StatusCode != http.StatusOK || got != want[0] || !strings.HasPrefix(string(body), want[1]) {
			t.Errorf("%s: %s, %s, %.60q (error %v)", path, answer.Status, got, body, err)
		}
	}
}
