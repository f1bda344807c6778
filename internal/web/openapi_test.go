package web_test

import (
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/schema"
	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/internal/web"
	"versus2048/results"
)

// openAPIVersion is the version of the HTTP interface. It is raised when something is removed or changes its meaning,
// but not when something is added.
const openAPIVersion = "1"

// docs/schemas/openapi.json describes the routes for programs by their types, with the words of docs/API.md.
func TestOpenAPI(t *testing.T) {
	b, err := schema.New(schema.Prefix)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.WithRecords(); err != nil {
		t.Fatal(err)
	}
	text, examples := testkit.ReadDocument(t, "../../docs/API.md"), examples(t)
	var operations []schema.Operation
	arena, site := routes(t)
	for _, r := range slices.Concat(arena, site) {
		if r.Answer == nil && r.Media == "" {
			if strings.Contains(r.Pattern, " /api/") {
				t.Errorf("%s: give the route the type of its answer in internal/server/api.go or internal/web/site.go", r.Pattern)
			}
			continue
		}
		operations = append(operations, schema.Operation{
			Pattern: r.Pattern, Summary: summaryOf(text, r.Pattern), Operator: r.Right == server.OperateRight,
			Query: r.Parameters, Body: r.Body, Answer: r.Answer, Events: r.Events, Media: r.Media,
			Examples: examples[r.Pattern],
		})
	}
	info := map[string]any{
		"title": "An arena of versus 2048", "version": openAPIVersion,
		"description": "docs/API.md describes these routes, and says more of errors, streams and rights.",
	}
	document, err := b.OpenAPI(info, operations, server.Problem{})
	if err != nil {
		t.Fatal(err)
	}
	schema.Same(t, "openapi.json", document)
}

// routes returns the routes of an arena and of its pages.
func routes(t *testing.T) (arena, pages []server.Route) {
	t.Helper()
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	log := slog.New(slog.DiscardHandler)
	s := server.New(server.Config{Store: store, Tokens: store.Tokens(), Log: log})
	site, err := web.New(web.Config{Store: store, Arena: s, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	return s.Routes(), site.Routes()
}

// summaryOf returns the first sentence about a route in docs/API.md, without the marks of Markdown.
func summaryOf(text, pattern string) string {
	for _, level := range []string{"## ", "### "} {
		if section := testkit.Section(text, level+pattern); section != "" {
			paragraph, _, _ := strings.Cut(strings.TrimSpace(section), "\n\n")
			plain := regexp.MustCompile(`\[([^]]*)\]\([^)]*\)|[*`+"`"+`]`).ReplaceAllString(strings.Join(strings.Fields(paragraph), " "), "$1")
			first, _, _ := strings.Cut(plain, ". ")
			return strings.TrimSuffix(first, ".")
		}
	}
	return ""
}

// examples returns the examples in the OpenAPI document, by pattern.
func examples(t *testing.T) map[string]schema.Examples {
	t.Helper()
	all, err := schema.RouteExamples()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The examples are as the types of their routes say.
func TestDocumentedExamples(t *testing.T) {
	described, err := schema.NewTransport()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for pattern, e := range examples(t) {
		for _, body := range e.Body {
			if err := described.Body(pattern, body); err != nil {
				t.Errorf("%s: %v", pattern, err)
			}
		}
		for _, answer := range e.Answer {
			if err := described.Answer(pattern, answer); err != nil {
				t.Errorf("%s: %v", pattern, err)
			}
		}
		checked += len(e.Body) + len(e.Answer)
	}
	if checked < 60 {
		t.Errorf("only %d examples are found", checked)
	}
}
