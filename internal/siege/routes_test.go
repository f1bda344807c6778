package main

import (
	"net/http"
	"strings"
	"testing"
)

const securityPage = "../../docs/SECURITY.md"

// A sweep asks for every route, and every request is one for its route.
func TestEveryRouteIsAskedFor(t *testing.T) {
	routes, err := readRoutes(securityPage)
	if err != nil {
		t.Fatal(err)
	}
	served := http.NewServeMux()
	known := map[string]bool{}
	for _, r := range routes {
		known[r.pattern] = true
		served.HandleFunc(r.pattern, http.NotFound)
	}
	for pattern := range asked() {
		if !known[pattern] {
			t.Errorf("there are requests for %q, which is no route", pattern)
		}
	}
	for _, r := range routes {
		requests, err := r.requests()
		if err != nil {
			t.Error(err)
		}
		for _, text := range requests {
			request, err := newRequest("http://127.0.0.1", r.method(), text, 7)
			if err != nil {
				t.Fatal(err)
			}
			if _, pattern := served.Handler(request); pattern != r.pattern {
				t.Errorf("%s %s is a request for %q, not %q", r.method(), text, pattern, r.pattern)
			}
		}
	}
}

// A new route cannot be left out of a sweep.
func TestRouteWithoutARequest(t *testing.T) {
	for _, r := range []route{{"GET /new/{thing}", "look"}, {"POST /new-one", "open"}} {
		if _, err := r.requests(); err == nil || !strings.Contains(err.Error(), r.pattern) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := readRoutes("doc.go"); err == nil {
		t.Error("a page without tables has routes")
	}
	if _, err := chosen([]route{{"GET /", "look"}}, []string{"GET /no"}); err == nil {
		t.Error("a route that there is not was chosen")
	}
}
