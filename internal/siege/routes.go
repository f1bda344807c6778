package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// route is a row of a table of routes in docs/SECURITY.md.
type route struct{ pattern, right string }

// routeRow matches such a row.
var routeRow = regexp.MustCompile("(?m)^\\| `([A-Z]+ /[^`]*)` \\| (\\w+) \\|")

// readRoutes returns the routes of the arena and of its pages, which a test of each holds to the page's two tables.
func readRoutes(page string) (routes []route, err error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, fmt.Errorf("the page with the tables of all routes: %w", err)
	}
	for _, row := range routeRow.FindAllStringSubmatch(string(text), -1) {
		routes = append(routes, route{row[1], row[2]})
	}
	if len(routes) == 0 {
		return nil, fmt.Errorf("%s has no table of routes", page)
	}
	return routes, nil
}

// requests returns what strangers ask of the route: a path each, and after a blank the body. The number of the request stands
// for each # in it. Those who may not operate are refused whatever they ask, so that one request is enough.
func (r route) requests() ([]string, error) {
	if asked, ok := asked()[r.pattern]; ok {
		return asked, nil
	}
	if r.right != "operate" {
		return nil, fmt.Errorf("there is no example of a request for the route %q: add one to asked, in internal/siege/asked.go", r.pattern)
	}
	_, path, _ := strings.Cut(r.pattern, " ")
	path = strings.ReplaceAll(path, "{id}", "1")
	if r.method() == http.MethodPost {
		path += " {}"
	}
	return []string{path}, nil
}

// method returns the method of the route's requests.
func (r route) method() string {
	method, _, _ := strings.Cut(r.pattern, " ")
	return method
}

// chosen returns the routes with these patterns, all of them without patterns.
func chosen(routes []route, patterns []string) ([]route, error) {
	if len(patterns) == 0 {
		return routes, nil
	}
	for _, p := range patterns {
		if !slices.ContainsFunc(routes, func(r route) bool { return r.pattern == p }) {
			return nil, fmt.Errorf("there is no route %q", p)
		}
	}
	return slices.DeleteFunc(slices.Clone(routes), func(r route) bool { return !slices.Contains(patterns, r.pattern) }), nil
}

// newRequest makes the nth request of a text of [route.requests].
func newRequest(server, method, text string, n int) (*http.Request, error) {
	path, body, _ := strings.Cut(strings.ReplaceAll(text, "#", strconv.Itoa(n)), " ")
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r, err := http.NewRequest(method, server+path, content)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept-Encoding", "gzip") // costs the arena more, and us less
	switch {
	case strings.HasPrefix(body, "{"):
		r.Header.Set("Content-Type", "application/json")
	case body != "":
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r, nil
}
