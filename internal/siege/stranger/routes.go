package stranger

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

// Route is a route in the list of docs/SECURITY.md: a pattern, the right that it needs, and the budget that pays for
// its requests.
type Route struct{ Pattern, Right, Pays string }

var (
	// routeItem matches an item of the list of routes: a right, a budget and a method, and the paths.
	routeItem = regexp.MustCompile(`(?m)^- \*\*(\w+), (\w+), ([A-Z]+)\*\*: (.*(?:\n  .*)*)`)
	routePath = regexp.MustCompile("`(/[^`]*)`")
)

// Routes returns the routes of the arena and of its pages, from the list in a file: page is the path of
// docs/SECURITY.md. Tests check that the list is complete.
func Routes(page string) (routes []Route, err error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, fmt.Errorf("the page with the list of all routes: %w", err)
	}
	for _, item := range routeItem.FindAllStringSubmatch(string(text), -1) {
		for _, path := range routePath.FindAllStringSubmatch(item[4], -1) {
			routes = append(routes, Route{item[3] + " " + path[1], item[1], item[2]})
		}
	}
	if len(routes) == 0 {
		return nil, fmt.Errorf("%s has no list of routes", page)
	}
	return routes, nil
}

// Requests returns requests of strangers to the route: each is a path and, after a blank, a body if it has one. A # in
// a request stands for the request's number. For a route of the operator one request is enough, because strangers are
// always refused.
func (r Route) Requests() ([]string, error) {
	if requests, ok := examples[r.Pattern]; ok {
		return requests, nil
	}
	if r.Right != "operate" {
		return nil, fmt.Errorf("there is no example of a request for the route %q: add one in internal/siege/stranger/examples.go", r.Pattern)
	}
	_, path, _ := strings.Cut(r.Pattern, " ")
	path = strings.ReplaceAll(path, "{id}", "1")
	if r.Method() == http.MethodPost {
		path += " {}"
	}
	return []string{path}, nil
}

// Method returns the method of the route's requests.
func (r Route) Method() string {
	method, _, _ := strings.Cut(r.Pattern, " ")
	return method
}

// Choose returns the routes with these patterns, or all routes if there are no patterns. It returns an error for a
// pattern that no route has.
func Choose(routes []Route, patterns []string) ([]Route, error) {
	if len(patterns) == 0 {
		return routes, nil
	}
	for _, p := range patterns {
		if !slices.ContainsFunc(routes, func(r Route) bool { return r.Pattern == p }) {
			return nil, fmt.Errorf("there is no route %q: see the list of all routes in docs/SECURITY.md", p)
		}
	}
	return slices.DeleteFunc(slices.Clone(routes), func(r Route) bool { return !slices.Contains(patterns, r.Pattern) }), nil
}

// NewRequest makes a request from a text of [Route.Requests]. n is the number of the request.
func NewRequest(server, method, text string, n int) (*http.Request, error) {
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
