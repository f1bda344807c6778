package budget_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/server/budget"
)

// answering returns an arena's door to strangers, with a handler that answers them.
func answering(b *budget.Budget, h http.HandlerFunc) http.Handler {
	door := &budget.Answering{
		Budget: b,
		Free:   func(r *http.Request) (context.Context, bool) { return r.Context(), r.Header.Get("Authorization") != "" },
		From:   func(*http.Request) netip.Prefix { return address(1) },
		Same:   func(r *http.Request) string { return r.Header.Get("Same") },
	}
	return door.Handler(h)
}

// hold takes all turns of a kind.
func hold(t *testing.T, b *budget.Budget, kind budget.Work) {
	t.Helper()
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		turn, err := b.Begin(t.Context(), kind, address(9))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(turn.End)
	}
}

// A stranger waits for a turn, is told to come later if there is none, and an operator does not wait.
func TestStrangersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(always)
		door := answering(b, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
		ask := func(as string) (waited time.Duration) {
			r, answer := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), httptest.NewRecorder()
			r.Header.Set("Authorization", as)
			began := time.Now()
			door.ServeHTTP(answer, r)
			if answer.Code != http.StatusOK || answer.Body.String() != "hello" {
				t.Errorf("the answer is %d %q", answer.Code, answer.Body)
			}
			return time.Since(began)
		}
		if waited := ask(""); waited > 0 {
			t.Errorf("the first stranger waits %v", waited)
		}
		hold(t, b, budget.Answers)
		if waited := ask("Bearer x"); waited > 0 {
			t.Errorf("an operator waits %v", waited)
		}
		if waited := ask(""); waited == 0 {
			t.Error("a stranger waits for nobody")
		}
	})
}

// A handler that waits for something else holds no turn.
func TestWaitingHoldsNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, free := budget.New(always), make(chan struct{})
		door := answering(b, func(w http.ResponseWriter, _ *http.Request) { <-free; fmt.Fprint(w, "late") })
		for range 20 {
			go func() {
				door.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
			}()
		}
		synctest.Wait() // all have come before the other address
		began := time.Now()
		turn, err := b.Begin(t.Context(), budget.Answers, address(2))
		if err != nil || time.Since(began) > 2*time.Second {
			t.Errorf("another address has its turn after %v (%v)", time.Since(began), err)
		}
		turn.End()
		close(free)
	})
}

// A handler that panics holds no turn any more, also if it has begun another one.
func TestPanicEndsTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(always)
		door := answering(b, func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, strings.Repeat("long ", 1<<20))
			panic(http.ErrAbortHandler)
		})
		for range max(1, runtime.GOMAXPROCS(0)/2) {
			func() {
				defer func() { _ = recover() }()
				door.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
			}()
		}
		began := time.Now()
		turn, err := b.Begin(t.Context(), budget.Answers, address(2))
		if err != nil || time.Since(began) > 0 {
			t.Errorf("another address has its turn after %v (%v)", time.Since(began), err)
		}
		turn.End()
	})
}

// A request that has waited long enough is refused, with words and with the time to come again.
func TestImpatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(always)
		stop := make(chan struct{})
		defer close(stop)
		door := answering(b, func(http.ResponseWriter, *http.Request) { <-stop })
		for range 2000 { // each holds a turn until it is known to wait
			go func() {
				door.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
			}()
		}
		synctest.Wait()
		began, answer := time.Now(), httptest.NewRecorder()
		door.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		if answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Retry-After") == "" || !strings.Contains(answer.Body.String(), "plays an event") {
			t.Errorf("the answer is %d %v %q", answer.Code, answer.Header(), answer.Body)
		}
		if waited := time.Since(began); waited != budget.Patience {
			t.Errorf("it waited %v, want %v", waited, budget.Patience)
		}
	})
}

// Requests that wait for the same answer get it together, also if the first client leaves. A later request gets a new
// answer.
func TestTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, made := budget.New(always), 0
		door := answering(b, func(w http.ResponseWriter, _ *http.Request) {
			made++
			w.Header().Set("Nth", fmt.Sprint(made))
			w.WriteHeader(http.StatusTeapot)
			fmt.Fprint(w, "page")
		})
		ask := func(ctx context.Context, answers chan<- *httptest.ResponseRecorder) {
			r, answer := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil), httptest.NewRecorder()
			r.Header.Set("Same", "page")
			door.ServeHTTP(answer, r)
			answers <- answer
		}
		hold(t, b, budget.Answers)
		ctx, leave := context.WithCancel(t.Context())
		left, answers := make(chan *httptest.ResponseRecorder, 1), make(chan *httptest.ResponseRecorder, 20)
		go ask(ctx, left)
		synctest.Wait()
		for range 20 {
			go ask(t.Context(), answers)
		}
		synctest.Wait()
		leave()
		for range 20 {
			if got := <-answers; got.Code != http.StatusTeapot || got.Body.String() != "page" || got.Header().Get("Nth") != "1" {
				t.Fatalf("the answer is %d %q %v", got.Code, got.Body, got.Header())
			}
		}
		ask(t.Context(), answers)
		if got := <-answers; got.Header().Get("Nth") != "2" {
			t.Errorf("a later answer is an old one: %v", got.Header())
		}
	})
}

// crowdSize is the number of requests of a crowd.
const crowdSize = 20

// askTogether sends requests for the same page while all turns are taken, so that they form a crowd, and delivers their
// answers when they have come. Each client reads the body of its answer only once its reads is closed; reads returns
// the channel of the nth client.
func askTogether(t *testing.T, b *budget.Budget, door http.Handler, reads func(nth int) <-chan struct{}) <-chan *httptest.ResponseRecorder {
	t.Helper()
	hold(t, b, budget.Answers)
	answers := make(chan *httptest.ResponseRecorder, crowdSize)
	for nth := range crowdSize {
		r, client := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), slowReader{httptest.NewRecorder(), reads(nth)}
		r.Header.Set("Same", "page")
		go func() {
			door.ServeHTTP(client, r)
			answers <- client.ResponseRecorder
		}()
		synctest.Wait()
	}
	return answers
}

// slowReader is a client that reads the body of its answer once reads is closed.
type slowReader struct {
	*httptest.ResponseRecorder
	reads <-chan struct{}
}

func (s slowReader) Write(p []byte) (int, error) {
	<-s.reads
	return s.ResponseRecorder.Write(p)
}

// A first client that reads slowly does not hold up the others who wait for the same page.
func TestSlowReaderOfACrowd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, slow, fast := budget.New(always), make(chan struct{}), make(chan struct{})
		close(fast)
		door := answering(b, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "page") })
		answers := askTogether(t, b, door, func(nth int) <-chan struct{} {
			if nth == 0 {
				return slow
			}
			return fast
		})
		for range crowdSize - 1 {
			if got := <-answers; got.Code != http.StatusOK || got.Body.String() != "page" {
				t.Errorf("while the first client reads, the answer is %d %q", got.Code, got.Body)
			}
		}
		close(slow)
		if got := <-answers; got.Body.String() != "page" {
			t.Errorf("the first client reads %q", got.Body)
		}
	})
}

// If the answer to the first request cannot be shared, the others wait for their own turns at the same time: none waits
// for the client of another.
func TestCrowdWithoutAnAnswer(t *testing.T) {
	for name, handle := range map[string]http.HandlerFunc{
		"long": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("long ", 1<<20)) },
		"stream": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "news")
			_ = http.NewResponseController(w).Flush()
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, reads, begun := budget.New(always), make(chan struct{}), make(chan struct{}, crowdSize)
				door := answering(b, func(w http.ResponseWriter, r *http.Request) {
					begun <- struct{}{}
					handle(w, r)
				})
				answers := askTogether(t, b, door, func(int) <-chan struct{} { return reads })
				for range crowdSize {
					select {
					case <-begun:
					case got := <-answers:
						t.Errorf("a request is answered with %d before the first client has read", got.Code)
					}
				}
				close(reads)
			})
		})
	}
}

// Streams are sent piece by piece, long answers whole, and the body of a request arrives, over a real connection.
func TestAnswersArrive(t *testing.T) {
	long := strings.Repeat("2048 ", 500_000)
	mux := http.NewServeMux()
	next := make(chan struct{})
	mux.HandleFunc("GET /stream", func(w http.ResponseWriter, _ *http.Request) {
		for n := range 3 {
			fmt.Fprintf(w, "%d\n", n)
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			<-next
		}
	})
	mux.HandleFunc("GET /long", func(w http.ResponseWriter, _ *http.Request) {
		for piece := range strings.SplitSeq(long, "8") {
			if _, err := io.WriteString(w, piece+"8"); err != nil {
				t.Error(err)
			}
		}
	})
	mux.HandleFunc("POST /echo", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(body)
	})
	mux.HandleFunc("GET /hijack", func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nmine")
	})
	for name, busy := range map[string]func() bool{"event": always, "no event": never} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(answering(budget.New(busy), mux.ServeHTTP))
			defer server.Close()
			checkStream(t, server.URL+"/stream", next)
			if body := get(t, server.URL+"/long"); body != long+"8" {
				t.Errorf("the long answer has %d bytes, want %d", len(body), len(long)+1)
			}
			if body := get(t, server.URL+"/hijack"); body != "mine" {
				t.Errorf("over the connection came %q", body)
			}
			answer, err := http.Post(server.URL+"/echo", "text/plain", strings.NewReader(long))
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if body, err := io.ReadAll(answer.Body); err != nil || string(body) != long || answer.StatusCode != http.StatusAccepted {
				t.Errorf("status %d, %d of %d bytes come back (%v)", answer.StatusCode, len(body), len(long), err)
			}
		})
	}
}

// checkStream reads a stream, and lets each piece come only once the one before has arrived.
func checkStream(t *testing.T, url string, next chan<- struct{}) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	for n := range 3 {
		var got int
		if _, err := fmt.Fscanln(answer.Body, &got); err != nil || got != n {
			t.Fatalf("piece %d is %d (%v)", n, got, err)
		}
		next <- struct{}{}
	}
}

// get returns the body of an answer that must be a success.
func get(t *testing.T, url string) string {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s answers %s: %s (%v)", url, answer.Status, body, err)
	}
	return string(body)
}

// A client that sends the body of a request slowly holds no turn meanwhile.
func TestSlowBody(t *testing.T) {
	b := budget.New(always)
	served := make(chan struct{}, 1)
	server := httptest.NewServer(answering(b, func(w http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err == nil && string(body) == "half" {
			served <- struct{}{}
		}
	}))
	defer server.Close()
	var slow []net.Conn
	for range 20 * runtime.GOMAXPROCS(0) { // their turns would last longer than the patience of a request
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nhal")
		slow = append(slow, conn)
	}
	get(t, server.URL) // it need not wait for them
	fmt.Fprint(slow[0], "f")
	<-served
}
