package llm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/llm"
)

func TestAsk(t *testing.T) {
	t.Parallel()
	s := &stub{answer: plays}
	e := s.over(t, llm.Config{Key: "sk-secret", Agent: "tester/1", Parameters: map[string]any{"temperature": 0.5}})
	c, err := ask(t.Context(), t, e)
	if err != nil || c.Text != `{"move": "N"}` || c.Tokens != (llm.Tokens{Read: 100, Written: 7}) || c.Cut {
		t.Errorf("%+v, %v", c, err)
	}
	a := s.requests()[0]
	if a.path != "/v1/chat/completions" || a.Model != "parrot" || a.Stream || a.form() != "json_schema" || *a.Temperature != 0.5 ||
		a.header.Get("Authorization") != "Bearer sk-secret" || a.header.Get("User-Agent") != "tester/1" || strings.Join(a.legal(), " ") != "N W" {
		t.Errorf("the request is %+v", a)
	}
}

func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"http://localhost:8080/v1":                       "http://localhost:8080/v1",
		"http://localhost:8080/v1/":                      "http://localhost:8080/v1",
		"https://a.example/v1/chat/completions":          "https://a.example/v1",
		"https://a.example/openai/v1?api-version=secret": "https://a.example/openai/v1",
		"https://a.example/org%2Fname/v1/":               "https://a.example/org%2Fname/v1",
		"https://a.example/org%2F/chat/completions":      "https://a.example/org%2F",
		"https://a.example/@me/v1#secret":                "https://a.example/@me/v1",
		"https://a.example":                              "https://a.example",
		"https://a.example/a b":                          "https://a.example/a%20b",
	} {
		e, err := llm.NewEndpoint(llm.Config{URL: text})
		if err != nil || e.String() != want {
			t.Errorf("%s is shown as %v, %v", text, e, err)
		}
	}
	for _, text := range []string{"", "localhost:8080", "ftp://a.example", "http://", "https://me:secret@a.example/v1", "me:secret@a.example", "http://a b/?key=secret"} {
		if _, err := llm.NewEndpoint(llm.Config{URL: text}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// An endpoint that knows no JSON Schema, or no JSON at all, is asked in vain once.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		known, want string
		status      int
	}{
		{"json_schema", "json_schema json_schema", 400},
		{"json_object", "json_schema json_object json_object", 400},
		{"text", "json_schema json_object text text", 422},
	} {
		s := &stub{answer: func(w http.ResponseWriter, _ *http.Request, a asked, _ int) {
			if a.form() != c.known {
				fail(w, c.status, "", "unknown response_format")
				return
			}
			say(w, "N")
		}}
		e := s.over(t, llm.Config{})
		for range 2 {
			if answer, err := ask(t.Context(), t, e); err != nil || answer.Text != "N" {
				t.Fatalf("%s: %v, %v", c.known, answer, err)
			}
		}
		forms := ""
		for _, a := range s.requests() {
			forms += " " + a.form()
		}
		if forms = strings.TrimSpace(forms); forms != c.want {
			t.Errorf("%s: the endpoint is asked for %s, want %s", c.known, forms, c.want)
		}
	}
}

// A request that is refused in every form does not change the form of the next request.
func TestRefusedForAnotherReason(t *testing.T) {
	t.Parallel()
	s := &stub{answer: func(w http.ResponseWriter, _ *http.Request, _ asked, n int) {
		if n <= 3 {
			fail(w, 400, "", "the prompt is too long")
			return
		}
		say(w, "N")
	}}
	e := s.over(t, llm.Config{})
	_, err := ask(t.Context(), t, e)
	if refused := (*llm.StatusError)(nil); !errors.As(err, &refused) || refused.Status != 400 || refused.Message != "the prompt is too long" {
		t.Errorf("the error is %v", err)
	}
	if _, err := ask(t.Context(), t, e); err != nil || s.requests()[3].form() != "json_schema" {
		t.Errorf("%v, then the endpoint is asked for %s", err, s.requests()[3].form())
	}
}

func TestChunks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body, want string // want is the text, or the error after "error: "
		tokens     llm.Tokens
	}{
		"openai": {
			": a comment\n\ndata: {\"choices\": [{\"delta\": {\"role\": \"assistant\", \"content\": \"\"}}]}\n\n" +
				"data: {\"choices\": [{\"delta\": {\"content\": \"{\\\"move\\\":\"}, \"finish_reason\": null}]}\r\n\r\n" +
				"data:{\"choices\": [{\"delta\": {\"content\": \"\\\"W\\\"}\"}}]}\n\ndata: {\"choices\": [{\"delta\": {}, \"finish_reason\": \"stop\"}]}\n\n" +
				"data: {\"choices\": [], \"usage\": {\"prompt_tokens\": 5, \"completion_tokens\": 2}}\n\ndata: [DONE]\n\n",
			`{"move":"W"}`,
			llm.Tokens{Read: 5, Written: 2},
		},
		"without the mark of the end": {"data: {\"choices\": [{\"delta\": {\"content\": \"W\"}, \"finish_reason\": \"stop\"}]}\n\n", "W", llm.Tokens{}},
		"fewer tokens than none":      {"data: {\"choices\": [{\"delta\": {\"content\": \"W\"}, \"finish_reason\": \"stop\"}], \"usage\": {\"prompt_tokens\": -1, \"completion_tokens\": -1}}\n\n", "W", llm.Tokens{}},
		"broken off":                  {"data: {\"choices\": [{\"delta\": {\"content\": \"W\"}}]}\n\n", "error: its answer breaks off", llm.Tokens{}},
		"broken off in a line":        {"data: {\"choices\": [{\"delta\": {\"cont", "error: its answer breaks off", llm.Tokens{}},
		"broken off in the end":       {"data: {\"choices\": [{\"delta\": {\"content\": \"W\"}, \"finish_reason\": \"stop\"}]}\n\ndata: [DO", "W", llm.Tokens{}},
		"an error without an end":     {"data: {\"error\": \"out of memory\"}", "error: it reports an error: out of memory", llm.Tokens{}},
		"an error":                    {"data: {\"error\": {\"message\": \"out of\\u001b memory\", \"code\": 500}}\n\n", `error: it reports an error: out of\x1b memory`, llm.Tokens{}},
		"nonsense":                    {"data: nonsense\n\n", "error: its answer is no chat completion", llm.Tokens{}},
		"a line without an end":       {"data: " + strings.Repeat("x", 5<<20), "error: its answer is no chat completion", llm.Tokens{}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // pauses between tries take no time
				s := &stub{answer: func(w http.ResponseWriter, _ *http.Request, _ asked, _ int) {
					w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
					_, _ = io.WriteString(w, c.body) // a recorder takes everything
				}}
				answer, err := ask(t.Context(), t, s.inside(t, llm.Config{Stream: true}))
				if err != nil {
					wants(t, "error: "+err.Error(), c.want)
				} else if answer.Text != c.want || answer.Tokens != c.tokens {
					t.Errorf("%+v, want %q and %+v", answer, c.want, c.tokens)
				}
				if a := s.requests()[0]; !a.Stream || !a.Options.Usage {
					t.Errorf("the request is %+v", a)
				}
			})
		})
	}
}

// An answer that the limit of tokens has cut stays so, whatever chunks follow.
func TestCutChunks(t *testing.T) {
	c, err := llm.ReadCompletion("text/event-stream", strings.NewReader(
		"data: {\"choices\": [{\"delta\": {\"content\": \"W\"}, \"finish_reason\": \"length\"}]}\n\n"+
			"data: {\"choices\": [{\"delta\": {}}]}\n\ndata: [DONE]\n\n"))
	if err != nil || c.Text != "W" || !c.Cut {
		t.Errorf("%+v, %v", c, err)
	}
}

// Any bytes that a server sends are an answer or an error.
func FuzzCompletion(f *testing.F) {
	f.Add(`{"choices": [{"message": {"content": "N"}}]}`, "application/json")
	f.Add("data: {\"choices\": [{\"delta\": {\"content\": \"N\"}, \"finish_reason\": \"stop\"}]}\n\n", "text/event-stream")
	f.Add(`{"error": {"code": 7}}`, "")
	f.Fuzz(func(t *testing.T, body, contentType string) {
		c, err := llm.ReadCompletion(contentType, strings.NewReader(body))
		if len(c.Text) > 4*len(body) || err != nil && err.Error() == "" {
			t.Errorf("%q, %v", c.Text, err)
		}
	})
}

// Chunks arrive one by one over a socket.
func TestChunksOverNetwork(t *testing.T) {
	t.Parallel()
	s := &stub{answer: func(w http.ResponseWriter, _ *http.Request, _ asked, _ int) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{"{", `\"move\"`, `:\"N\"}`} {
			fmt.Fprintf(w, "data: {\"choices\": [{\"delta\": {\"content\": \"%s\"}}]}\n\n", part)
			_ = http.NewResponseController(w).Flush() // the client has not left
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}}
	if answer, err := ask(t.Context(), t, s.over(t, llm.Config{Stream: true})); err != nil || answer.Text != `{"move":"N"}` {
		t.Errorf("%+v, %v", answer, err)
	}
}

// After a refusal that may pass, the request is sent again as late as the endpoint asks, by everybody.
func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		header func() string
		want   time.Duration
	}{
		{func() string { return "20" }, 20 * time.Second},
		{func() string { return time.Now().Add(40 * time.Second).UTC().Format(http.TimeFormat) }, 40 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			s := &stub{answer: func(w http.ResponseWriter, r *http.Request, a asked, n int) {
				if n == 1 {
					w.Header().Set("Retry-After", c.header())
					fail(w, http.StatusTooManyRequests, "rate_limit_exceeded", "slow down")
					return
				}
				plays(w, r, a, n)
			}}
			e := s.inside(t, llm.Config{})
			if _, err := ask(t.Context(), t, e); err != nil || time.Since(began).Round(time.Second) != c.want {
				t.Errorf("the answer comes after %v, want %v: %v", time.Since(began), c.want, err)
			}
		})
	}
}

// Nobody waits for a pause that is longer than the time left.
func TestRetryAfterTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stub{answer: func(w http.ResponseWriter, _ *http.Request, _ asked, _ int) {
			w.Header().Set("Retry-After", "3600")
			fail(w, http.StatusTooManyRequests, "", "slow down")
		}}
		e := s.inside(t, llm.Config{})
		for range 2 {
			began := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			_, err := ask(ctx, t, e)
			cancel()
			if err == nil || time.Since(began) > 2*time.Second {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
		}
		if n := len(s.requests()); n != 1 {
			t.Errorf("%d requests within the pause, want 1", n)
		}
	})
}

func TestFailuresThatPass(t *testing.T) {
	for name, failure := range map[string]func(w http.ResponseWriter){
		"500": func(w http.ResponseWriter) { http.Error(w, "<h1>oh no</h1>", http.StatusInternalServerError) },
		"503": func(w http.ResponseWriter) { fail(w, http.StatusServiceUnavailable, "", "Loading model") },
		"an error in an answer": func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, `{"error": "overloaded"}`) // a recorder takes everything
		},
		"a stream that breaks within a line": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, `data: {"choices": [{"delta": {"cont`) // likewise
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &stub{answer: func(w http.ResponseWriter, r *http.Request, a asked, n int) {
					if n < 4 {
						failure(w)
						return
					}
					plays(w, r, a, n)
				}}
				began := time.Now()
				_, err := ask(t.Context(), t, s.inside(t, llm.Config{}))
				// The pauses are 0.5, 1 and 2 s, each half as long or half as much longer.
				if spent := time.Since(began); err != nil || len(s.requests()) != 4 || spent < 1750*time.Millisecond || spent > 5250*time.Millisecond {
					t.Errorf("%d requests within %v: %v", len(s.requests()), spent, err)
				}
			})
		})
	}
}

func TestTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stub{answer: func(w http.ResponseWriter, _ *http.Request, _ asked, _ int) { fail(w, 500, "", "oh no") }}
		if _, err := ask(t.Context(), t, s.inside(t, llm.Config{})); err == nil || len(s.requests()) != 5 {
			t.Errorf("%v after %d requests, want 5", err, len(s.requests()))
		}
	})
}

// A connection that is dropped within an answer is an error that passes, too.
func TestDroppedConnection(t *testing.T) {
	t.Parallel()
	s := &stub{answer: func(w http.ResponseWriter, r *http.Request, a asked, n int) {
		if n == 1 {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"choices"`) // the client has not left
			panic(http.ErrAbortHandler)
		}
		plays(w, r, a, n)
	}}
	if c, err := ask(t.Context(), t, s.over(t, llm.Config{})); err != nil || c.Text != `{"move": "N"}` || len(s.requests()) != 2 {
		t.Errorf("%+v, %v after %d requests", c, err, len(s.requests()))
	}
}

// Failures that another try does not change are reported at once.
func TestFailuresThatLast(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter)
		want   string
	}{
		"key":   {func(w http.ResponseWriter) { fail(w, 401, "invalid_api_key", "Incorrect API key") }, "status 401 Unauthorized: Incorrect API key"},
		"model": {func(w http.ResponseWriter) { fail(w, 404, "model_not_found", "no such model") }, "status 404 Not Found: no such model"},
		"money": {func(w http.ResponseWriter) { fail(w, 429, "insufficient_quota", "check your plan") }, "status 429 Too Many Requests: check your plan"},
		"page":  {func(w http.ResponseWriter) { _, _ = io.WriteString(w, "<html>") }, "no chat completion"},
		"other": {func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"hello": 1}`) }, "no chat completion"},
		"endless": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, strings.Repeat(": "+strings.Repeat("x", 1000)+"\n", 5000)) // 5 MB: the client leaves before the end
		}, "no chat completion"},
		"elsewhere": {func(w http.ResponseWriter) {
			http.Redirect(w, httptest.NewRequest(http.MethodGet, "/", nil), "http://b.example/", http.StatusTemporaryRedirect)
		}, "leads to another address"},
		"detail": {func(w http.ResponseWriter) {
			w.WriteHeader(405)
			_, _ = io.WriteString(w, `{"detail": "Method Not Allowed"}`)
		}, "status 405 Method Not Allowed: Method Not Allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &stub{answer: func(w http.ResponseWriter, _ *http.Request, _ asked, _ int) { c.answer(w) }}
			_, err := ask(t.Context(), t, s.over(t, llm.Config{}))
			if err == nil || len(s.requests()) != 1 {
				t.Fatalf("%v after %d requests", err, len(s.requests()))
			}
			wants(t, err.Error(), c.want)
		})
	}
}

// Requests keep their distance, whoever asks.
func TestRequestsPerMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stub{answer: plays}
		e, began := s.inside(t, llm.Config{PerMinute: 6}), time.Now()
		done := make(chan error)
		for range 3 {
			go func() {
				_, err := ask(t.Context(), t, e)
				done <- err
			}()
		}
		for range 3 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if spent := time.Since(began); spent != 20*time.Second {
			t.Errorf("three requests took %v, want 20s", spent)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if _, err := ask(ctx, t, e); err == nil || time.Since(began) != 20*time.Second {
			t.Errorf("a request without time for its turn: %v after %v", err, time.Since(began))
		}
	})
}

// An endpoint that repeats the key in its answers does not get it into errors or the log.
func TestKeyStaysSecret(t *testing.T) {
	const key = "sk-very-secret-4711"
	for name, answer := range map[string]func(w http.ResponseWriter, n int){
		"refusal":  func(w http.ResponseWriter, _ int) { fail(w, 401, "", "the key Bearer "+key+" is wrong") },
		"text":     func(w http.ResponseWriter, _ int) { http.Error(w, key, 500) },
		"error":    func(w http.ResponseWriter, _ int) { fmt.Fprintf(w, `{"error": {"message": "key %s"}}`, key) },
		"answer":   func(w http.ResponseWriter, _ int) { say(w, "my key is "+key) },
		"nonsense": func(w http.ResponseWriter, _ int) { fmt.Fprint(w, key) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				s := &stub{answer: func(w http.ResponseWriter, _ *http.Request, _ asked, n int) { answer(w, n) }}
				logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
				m := model(t, s.inside(t, llm.Config{Key: key, Log: logger}))
				m.Log, m.Patience = logger, 10*time.Second
				err := m.Check(t.Context())
				if err != nil && strings.Contains(err.Error(), "4711") {
					t.Errorf("the key is in the error %v", err)
				}
				player := m.New("17", game)
				if _, err := player.Choose(t.Context(), position(t, positionText)); err != nil {
					t.Error(err)
				}
				logger.Info("played", "tally", player.Tally())
				if s.requests()[0].header.Get("Authorization") != "Bearer "+key || log.Len() == 0 {
					t.Error("the key was not sent, or nothing is in the log")
				}
				for _, a := range s.requests() {
					if strings.Contains(fmt.Sprint(a.Messages), "4711") {
						t.Errorf("the key is in a prompt: %v", a.Messages)
					}
				}
				if strings.Contains(log.String(), "4711") {
					t.Errorf("the key is in the log:\n%s", &log)
				}
			})
		})
	}
}

// transport is a function that makes requests.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestCheck(t *testing.T) {
	// A server that loads its model is awaited.
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := &stub{answer: func(w http.ResponseWriter, r *http.Request, a asked, n int) {
			if time.Since(began) < 40*time.Second {
				fail(w, http.StatusServiceUnavailable, "", "Loading model")
				return
			}
			plays(w, r, a, n)
		}}
		if err := model(t, s.inside(t, llm.Config{})).Check(t.Context()); err != nil || time.Since(began) < 40*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
	// One that hangs is not.
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		err := model(t, (&stub{answer: hangs}).inside(t, llm.Config{})).Check(t.Context())
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
	// Nobody is there: another try would be in vain.
	synctest.Test(t, func(t *testing.T) {
		began, refused := time.Now(), errors.New("connection refused")
		e := endpoint(t, llm.Config{URL: "http://nobody/v1", Transport: transport(func(*http.Request) (*http.Response, error) { return nil, refused })})
		if err := model(t, e).Check(t.Context()); !errors.Is(err, refused) || err.Error() != refused.Error() || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
	// A bad answer is no reason to stay away.
	if err := model(t, says("maybe").over(t, llm.Config{})).Check(t.Context()); err != nil {
		t.Error(err)
	}
}
