package stranger

import (
	"net/http"
	"strings"
	"testing"
)

const securityPage = "../../../docs/SECURITY.md"

// A sweep asks for every route, and every request is one for its route.
func TestEveryRouteIsAskedFor(t *testing.T) {
	routes, err := Routes(securityPage)
	if err != nil {
		t.Fatal(err)
	}
	served := http.NewServeMux()
	known := map[string]bool{}
	for _, r := range routes {
		known[r.Pattern] = true
		served.HandleFunc(r.Pattern, http.NotFound)
	}
	for pattern := range examples {
		if !known[pattern] {
			t.Errorf("there are requests for %q, which is no route", pattern)
		}
	}
	for _, r := range routes {
		requests, err := r.Requests()
		if err != nil {
			t.Error(err)
		}
		for _, text := range requests {
			request, err := NewRequest("http://127.0.0.1", r.Method(), text, 7)
			if err != nil {
				t.Fatal(err)
			}
			if _, pattern := served.Handler(request); pattern != r.Pattern {
				t.Errorf("%s %s is a request for %q, not %q", r.Method(), text, pattern, r.Pattern)
			}
		}
	}
}

// A new route cannot be left out of a sweep.
func TestRouteWithoutARequest(t *testing.T) {
	for _, r := range []Route{{"GET /new/{thing}", "look", "answer"}, {"POST /new-one", "open", "answer"}} {
		if _, err := r.Requests(); err == nil || !strings.Contains(err.Error(), r.Pattern) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := Routes("routes.go"); err == nil {
		t.Error("a page without a list has routes")
	}
	if _, err := Choose([]Route{{"GET /", "look", "answer"}}, []string{"GET /no"}); err == nil {
		t.Error("an unknown route was chosen")
	}
}
