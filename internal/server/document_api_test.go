package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/schema"
	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// apiDocument returns docs/API.md.
func apiDocument(t *testing.T) string {
	t.Helper()
	return testkit.ReadDocument(t, "../../docs/API.md")
}

// answered is the answer to a start or a change of an event.
type answered struct {
	Event int64 `json:"event"`
}

// asked is the body of a join or a leave.
type asked struct {
	Bot string `json:"bot"`
}

// extended is the body of an event's extension.
type extended struct {
	Matches int `json:"matches"`
}

// replayed is the body that names a match to be played again.
type replayed struct {
	Match int `json:"match"`
}

// documentedRoutes are the Go types of the routes' bodies and answers. A route of the arena that is missing here or in
// docs/API.md fails TestDocumentedRoutes.
func documentedRoutes() map[string]struct{ body, answer any } {
	return map[string]struct{ body, answer any }{
		"GET /api/bots":                      {nil, new([]server.BotInfo)},
		"GET /api/status":                    {nil, new(server.Status)},
		"GET /api/workers":                   {nil, new([]server.Worker)},
		"GET /api/events":                    {nil, new([]server.Progress)},
		"POST /api/events":                   {new(tournament.Event), new(answered)},
		"GET /api/queue":                     {nil, new([]server.Progress)},
		"POST /api/queue":                    {new(server.Booking), new(answered)},
		"POST /api/rounds":                   {new(server.Round), new(server.RoundNews)},
		"POST /api/events/{id}/queue":        {nil, new(answered)},
		"POST /api/events/{id}/skip":         {nil, new(answered)},
		"POST /api/events/{id}/cancel":       {nil, new(answered)},
		"GET /api/events/{id}":               {nil, new(server.Progress)},
		"GET /api/events/{id}/progress":      {nil, new(server.Progress)},
		"GET /api/events/{id}/news":          {nil, new(server.News)},
		"GET /api/events/{id}/standings":     {nil, new(tournament.Standings)},
		"GET /api/events/{id}/crosstable":    {nil, new(report.Crosstable)},
		"GET /api/events/{id}/heads":         {nil, new([]report.HeadToHead)},
		"POST /api/events/{id}/pause":        {nil, new(answered)},
		"POST /api/events/{id}/resume":       {nil, new(answered)},
		"POST /api/events/{id}/extend":       {new(extended), new(answered)},
		"POST /api/events/{id}/replay-match": {new(replayed), new(answered)},
		"POST /api/events/{id}/stop":         {nil, new(answered)},
		"POST /api/events/{id}/join":         {new(asked), new(answered)},
		"POST /api/events/{id}/leave":        {new(asked), new(answered)},
	}
}

// sections returns the sections of docs/API.md that are about a route, by route.
func sections(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, section := range strings.Split(apiDocument(t), "\n## ") {
		heading, text, _ := strings.Cut(section, "\n")
		if regexp.MustCompile(`^[A-Z]+ /`).MatchString(heading) {
			found[heading] = text
		}
	}
	return found
}

// docs/API.md describes exactly the routes below /api that the arena registers.
func TestDocumentedRoutes(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	registered := map[string]bool{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, m := range regexp.MustCompile(`"([A-Z]+ /api[^"]*)"`).FindAllSubmatch(source, -1) {
			registered[string(m[1])] = true
		}
	}
	documented := sections(t)
	for route := range registered {
		if documented[route] == "" || documentedRoutes()[route].answer == nil {
			t.Errorf("docs/API.md or documentedRoutes does not have the route %s", route)
		}
	}
	for route := range documented {
		if !registered[route] {
			t.Errorf("docs/API.md has the route %s, which the arena does not register", route)
		}
	}
	if len(registered) < 14 {
		t.Errorf("only %d routes are found in the source", len(registered))
	}
}

// The examples of the OpenAPI document are bodies and answers of their routes, without unknown keys, and have a value
// for every key that they show.
func TestDocumentedBodies(t *testing.T) {
	for route, types := range documentedRoutes() {
		e := examplesOf(t, route)
		for _, part := range []struct {
			name     string
			into     any
			examples []json.RawMessage
		}{{"body", types.body, e.Body}, {"answer", types.answer, e.Answer}} {
			if (part.into == nil) != (part.examples == nil) {
				t.Errorf("%s: an example of its %s is missing or out of place", route, part.name)
			}
			for _, example := range part.examples {
				wantDecoded(t, route, string(example), reflect.New(reflect.TypeOf(part.into).Elem()).Interface())
			}
		}
	}
	var problem struct{ Error string }
	wantDecoded(t, "Errors", testkit.Blocks(apiDocument(t), "json error")[0], &problem)
}

// examplesOf returns the examples of a route in the OpenAPI document.
func examplesOf(t *testing.T, route string) schema.Examples {
	t.Helper()
	all, err := schema.RouteExamples()
	if err != nil {
		t.Fatal(err)
	}
	return all[route]
}

func wantDecoded(t *testing.T, route, example string, into any) {
	t.Helper()
	in := json.NewDecoder(strings.NewReader(example))
	in.DisallowUnknownFields()
	if err := in.Decode(into); err != nil {
		t.Errorf("%s: %v in %s", route, err, example)
		return
	}
	again, err := json.Marshal(into)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(example, -1) {
		if !bytes.Contains(bytes.ToLower(again), []byte(`"`+strings.ToLower(key[1])+`":`)) {
			t.Errorf("%s: the key %q of its example is lost when it is decoded and encoded: %s", route, key[1], again)
		}
	}
}

// A real arena takes the documented body and answers with the documented status codes.
func TestDocumentedRequests(t *testing.T) {
	store := newStore()
	c := serve(t, store, nil)
	hello(t, c, "snake", "", nil)
	var e tournament.Event
	if err := json.Unmarshal(examplesOf(t, "POST /api/events").Body[0], &e); err != nil {
		t.Fatal(err)
	}
	e.InProcess = true // the arena of the tests starts no processes
	event, err := c.Start(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Stop(t.Context(), event); err != nil {
		t.Error(err)
	}
	var statuses []string
	for _, request := range []string{"GET /api/bots", "GET /api/events/99", "GET /api/events/x", "GET /api/events/+1", "GET /api/nothing", "PUT /api/bots"} {
		method, path, _ := strings.Cut(request, " ")
		r, err := http.NewRequestWithContext(t.Context(), method, c.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		statuses = append(statuses, fmt.Sprint(answer.StatusCode, " ", answer.Header.Get("Content-Type")))
	}
	want := []string{
		"200 application/json", "400 application/json", "400 application/json", "400 application/json",
		"404 text/plain; charset=utf-8", "405 text/plain; charset=utf-8",
	}
	if !slices.Equal(statuses, want) {
		t.Errorf("the arena answers %q, want %q", statuses, want)
	}
}
