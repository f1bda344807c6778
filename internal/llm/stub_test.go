package llm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"versus2048/internal/llm"
	"versus2048/players"
	"versus2048/rules"
)

// asked is a request as an endpoint sees it.
type asked struct {
	Model    string
	Messages []llm.Message
	Stream   bool
	Format   *struct {
		Type   string
		Schema struct {
			Schema struct {
				Properties struct {
					Move struct{ Enum []string }
				}
			}
		} `json:"json_schema"`
	} `json:"response_format"`
	Options *struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
	Temperature *float64

	header http.Header
	path   string
}

// form returns the type of the response format.
func (a asked) form() string {
	if a.Format == nil {
		return "text"
	}
	return a.Format.Type
}

// legal returns the moves that the schema allows.
func (a asked) legal() []string { return a.Format.Schema.Schema.Properties.Move.Enum }

// stub is an endpoint for tests. It notes the requests and answers the nth, from 1, by a function.
type stub struct {
	answer func(w http.ResponseWriter, r *http.Request, a asked, n int)

	mu    sync.Mutex
	asked []asked
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := asked{header: r.Header, path: r.URL.RequestURI()}
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, a)
	n := len(s.asked)
	s.mu.Unlock()
	s.answer(w, r, a, n)
}

// requests returns the requests so far.
func (s *stub) requests() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// RoundTrip serves a request without a network, for tests with synthetic time.
func (s *stub) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return recorder.Result(), nil
}

// say answers with a text, 100 tokens read and 7 written.
func say(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	content, _ := json.Marshal(text) // a text always has a form
	fmt.Fprintf(w, `{"choices": [{"message": {"role": "assistant", "content": %s}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 100, "completion_tokens": 7}}`, content)
}

// fail answers with a status and a message, as OpenAI does.
func fail(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error": {"message": %q, "code": %q}}`, message, code)
}

// plays answers each request with the first legal move.
func plays(w http.ResponseWriter, _ *http.Request, a asked, _ int) {
	say(w, fmt.Sprintf(`{"move": %q}`, a.legal()[0]))
}

// says returns an endpoint that always answers with the same text.
func says(text string) *stub {
	return &stub{answer: func(w http.ResponseWriter, _ *http.Request, _ asked, _ int) { say(w, text) }}
}

// hangs answers when nobody waits any more.
func hangs(_ http.ResponseWriter, r *http.Request, _ asked, _ int) { <-r.Context().Done() }

// over returns an endpoint that reaches the stub over a real socket.
func (s *stub) over(t *testing.T, c llm.Config) *llm.Endpoint {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	c.URL = server.URL + "/v1"
	return endpoint(t, c)
}

// inside returns an endpoint that reaches the stub without a network.
func (s *stub) inside(t *testing.T, c llm.Config) *llm.Endpoint {
	t.Helper()
	c.URL, c.Transport = "http://stub/v1", s
	return endpoint(t, c)
}

func endpoint(t *testing.T, c llm.Config) *llm.Endpoint {
	t.Helper()
	c.Model = "parrot"
	e, err := llm.NewEndpoint(c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// model returns a model behind an endpoint, with greedy as its fallback.
func model(t *testing.T, e *llm.Endpoint) *llm.Model {
	t.Helper()
	prompt, err := llm.NewPrompt("")
	if err != nil {
		t.Fatal(err)
	}
	fallback, err := players.Parse("greedy")
	if err != nil {
		t.Fatal(err)
	}
	return &llm.Model{Endpoint: e, Prompt: prompt, Fallback: fallback, Attempts: 3, Patience: time.Minute}
}

// positionText is a position with two legal moves, N and W.
const positionText = "0,0/0,2 D"

func position(t *testing.T, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(rules.GPCC2015, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ask sends one question about the position and returns the answer.
func ask(ctx context.Context, t *testing.T, e *llm.Endpoint) (llm.Completion, error) {
	t.Helper()
	return e.Ask(ctx, []llm.Message{{Role: "user", Content: "your move?"}}, position(t, positionText).AppendMoves(nil))
}

// wants fails the test unless a text has another one in it.
func wants(t *testing.T, text, want string) {
	t.Helper()
	if !strings.Contains(text, want) {
		t.Errorf("%q, want %q in it", text, want)
	}
}
