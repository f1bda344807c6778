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
			said, err := ask(t.Context(), server, tc.path)
			if said != tc.want || (err == nil) != (tc.wrong == "") || err != nil && !strings.Contains(err.Error(), tc.wrong) {
				t.Errorf("%v: %q, %v; want %q, %q", tc, said, err, tc.want, tc.wrong)
			}
		}
	}
}

func TestAskNobody(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for server, want := range map[string]string{
		"": "want http://", "127.0.0.1:2048": "want http://", "http://": "want http://", "http://127.0.0.1:1": "no arena answers at http://127.0.0.1:1 ",
	} {
		if _, err := ask(cancelled, server, "/healthz"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", server, err, want)
		}
	}
}
