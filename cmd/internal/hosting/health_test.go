package hosting

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAsk(t *testing.T) {
	var status map[string]int
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status[r.URL.Path])
		_, _ = w.Write([]byte("so it is\n")) // an answer that is lost fails the test
	})
	open, closed := httptest.NewServer(handler), httptest.NewTLSServer(handler)
	defer open.Close()
	defer closed.Close()
	for _, tc := range []struct {
		status map[string]int
		path   string
		want   string
		wrong  string
	}{
		{map[string]int{"/healthz": 200, "/readyz": 503}, "/healthz", "so it is", ""},
		{map[string]int{"/healthz": 200, "/readyz": 503}, "/readyz", "so it is", "is not well: 503 Service Unavailable: so it is"},
		{map[string]int{"/healthz": 404, "/": 200}, "/healthz", "an arena of an earlier version answers", ""},
		{map[string]int{"/healthz": 404, "/": 403}, "/healthz", "an arena of an earlier version answers", ""},
		{map[string]int{"/healthz": 404, "/": 502}, "/healthz", "an arena of an earlier version answers", "is not well: 502"},
		{map[string]int{"/healthz": 302}, "/healthz", "so it is", "is not well: 302"},
	} {
		status = tc.status
		for _, server := range []string{open.URL, closed.URL} {
			said, err := Ask(t.Context(), server, tc.path)
			if said != tc.want || (err == nil) != (tc.wrong == "") || err != nil && !strings.Contains(err.Error(), tc.wrong) {
				t.Errorf("%v: %q, %v; want %q, %q", tc, said, err, tc.want, tc.wrong)
			}
		}
	}
}

func TestAskNobody(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, server := range []string{"", "127.0.0.1:2048", "http://", "http://127.0.0.1:1"} {
		if _, err := Ask(cancelled, server, "/healthz"); err == nil {
			t.Errorf("%q: no error", server)
		}
	}
}
