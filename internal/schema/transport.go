package schema

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing/iotest"

	"github.com/google/jsonschema-go/jsonschema"

	"versus2048/docs"
)

// Transport sends requests. It fails a request if the answer is not as docs/schemas/openapi.json says, or if the arena
// accepts other parameters or another body. It reads the whole of an answer in JSON before it returns.
type Transport struct {
	routes *http.ServeMux
	known  map[string]*described // by pattern
}

// described is a route as the document describes it.
type described struct {
	query          map[string]bool
	body           *checker
	answer, refuse *checker
	line           *checker
	events         map[string]*checker
}

// document is the part of an OpenAPI document that a Transport needs.
type document struct {
	Paths      map[string]map[string]route `json:"paths"`
	Components struct {
		Schemas map[string]*jsonschema.Schema `json:"schemas"`
	} `json:"components"`
}

type route struct {
	Parameters []struct {
		Name string `json:"name"`
	} `json:"parameters"`
	RequestBody struct {
		Content map[string]media `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]media `json:"content"`
	} `json:"responses"`
}

type media struct {
	Schema *jsonschema.Schema            `json:"schema"`
	Line   *jsonschema.Schema            `json:"x-line"`
	Events map[string]*jsonschema.Schema `json:"x-events"`
}

// NewTransport returns a transport that checks requests and answers by docs/schemas/openapi.json.
func NewTransport() (*Transport, error) {
	text, err := docs.Files.ReadFile("schemas/openapi.json")
	if err != nil {
		return nil, err
	}
	var d document
	if err := json.Unmarshal(bytes.ReplaceAll(text, []byte(`"`+Prefix), []byte(`"#/$defs/`)), &d); err != nil {
		return nil, fmt.Errorf("docs/schemas/openapi.json: %w", err)
	}
	t := &Transport{http.NewServeMux(), map[string]*described{}}
	for path, methods := range d.Paths {
		for method, r := range methods {
			pattern := strings.ToUpper(method) + " " + path
			t.known[pattern] = d.described(r)
			t.routes.HandleFunc(pattern, http.NotFound)
		}
	}
	return t, nil
}

func (d *document) described(r route) *described {
	one := &described{query: map[string]bool{}, events: map[string]*checker{}}
	for _, p := range r.Parameters {
		one.query[p.Name] = true
	}
	answers := r.Responses["200"].Content
	for kind, m := range answers {
		if kind != "application/json" {
			one.line = d.checker(m.Line)
			for name, s := range m.Events {
				one.events[name] = d.checker(s)
			}
		}
	}
	one.body = d.checker(r.RequestBody.Content["application/json"].Schema)
	one.answer = d.checker(answers["application/json"].Schema)
	one.refuse = d.checker(r.Responses["default"].Content["application/json"].Schema)
	return one
}

// checker returns the check of texts by a schema, nil for nil.
func (d *document) checker(s *jsonschema.Schema) *checker {
	if s == nil {
		return nil
	}
	return &checker{resolve: sync.OnceValues(func() (*jsonschema.Resolved, error) {
		whole := s.CloneSchemas()
		whole.Defs = d.Components.Schemas
		return whole.Resolve(nil)
	})}
}

// checker checks texts by a schema. It resolves the schema at the first check, since that takes time.
type checker struct {
	resolve func() (*jsonschema.Resolved, error)
}

func (c *checker) check(text []byte) error {
	s, err := c.resolve()
	if err != nil {
		return err
	}
	return checkText(s, text)
}

// CheckBodies makes http.DefaultClient check all requests and answers of a test's process.
func CheckBodies() {
	t, err := NewTransport()
	if err != nil {
		panic(err)
	}
	http.DefaultClient.Transport = t
}

// RoundTrip implements [http.RoundTripper].
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	_, pattern := t.routes.Handler(r)
	one := t.known[pattern]
	var sent []byte
	if one != nil && one.body != nil && r.Body != nil {
		var err error
		if sent, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(sent))
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || one == nil || r.Method == http.MethodHead || answer.Header.Get("Content-Encoding") != "" {
		return answer, err
	}
	if err := one.check(r, sent, answer); err != nil {
		answer.Body.Close()
		return nil, fmt.Errorf("%s: %w", pattern, err)
	}
	return answer, nil
}

// check checks a request that was served, and its answer. A stream is checked while it is read.
func (one *described) check(r *http.Request, sent []byte, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		for name := range r.URL.Query() {
			if !one.query[name] {
				return fmt.Errorf("the parameter %q is not described: add it to the route", name)
			}
		}
		if one.body != nil {
			if err := one.body.check(sent); err != nil {
				return fmt.Errorf("the body: %w", err)
			}
		}
	}
	kind, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
	switch {
	case kind == "application/json" && answer.StatusCode == http.StatusOK && one.answer != nil:
		return checkBody(one.answer, answer)
	case kind == "application/json" && answer.StatusCode >= http.StatusBadRequest:
		return checkBody(one.refuse, answer)
	case one.line != nil:
		answer.Body = checkingLines(answer.Body, one.checkLine)
	case len(one.events) > 0:
		answer.Body = checkingLines(answer.Body, one.eventLines())
	}
	return nil
}

// checkBody reads an answer and checks it.
func checkBody(s *checker, answer *http.Response) error {
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	answer.Body = io.NopCloser(bytes.NewReader(text))
	if err != nil { // the reader of the body gets the error
		answer.Body = io.NopCloser(io.MultiReader(bytes.NewReader(text), iotest.ErrReader(err)))
		return nil
	}
	return s.check(text)
}

// checkLine checks a line of a stream of lines. A line may be empty.
func (one *described) checkLine(line string) error {
	if line == "" {
		return nil
	}
	return one.line.check([]byte(line))
}

// eventLines returns the check of the lines of a stream of server-sent events. An empty line ends an event.
func (one *described) eventLines() func(line string) error {
	event := ""
	return func(line string) error {
		if name, ok := strings.CutPrefix(line, "event: "); ok || line == "" {
			event = name
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || event == "beat" {
			return nil
		}
		s := one.events[event]
		if s == nil {
			return fmt.Errorf("the event %q is not described", event)
		}
		return s.check([]byte(data))
	}
}

// checkingLines returns a body that calls check for each line, and fails if check does.
func checkingLines(body io.ReadCloser, check func(line string) error) io.ReadCloser {
	return &checkedLines{ReadCloser: body, lines: bufio.NewReader(body), check: check}
}

type checkedLines struct {
	io.ReadCloser // closes the body
	lines         *bufio.Reader
	check         func(line string) error
	rest          []byte // the unread rest of the last line
	end           error  // the error after the rest, if any
}

func (c *checkedLines) Read(into []byte) (int, error) {
	if len(c.rest) == 0 {
		if c.end != nil {
			return 0, c.end
		}
		if c.rest, c.end = c.lines.ReadBytes('\n'); c.end == nil { // a line that was cut off is not checked
			c.end = c.check(strings.TrimRight(string(c.rest), "\n"))
		}
	}
	n := copy(into, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// Body returns an error unless a text fits the description of the body of requests to a route.
func (t *Transport) Body(pattern string, text []byte) error {
	if one := t.known[pattern]; one != nil && one.body != nil {
		return one.body.check(text)
	}
	return fmt.Errorf("%s has no body", pattern)
}

// Answer returns an error unless a text fits the description of a route's answer, of a line of its stream, or of the
// data of one of its events.
func (t *Transport) Answer(pattern string, text []byte) (err error) {
	one := t.known[pattern]
	if one == nil {
		return fmt.Errorf("%s is not described", pattern)
	}
	all := slices.AppendSeq([]*checker{one.answer, one.line}, maps.Values(one.events))
	for _, c := range all {
		if c == nil {
			continue
		}
		if err = c.check(text); err == nil {
			return nil
		}
	}
	return err
}
