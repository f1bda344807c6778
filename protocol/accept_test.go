package protocol_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
	"versus2048/rules"
)

func TestBadHello(t *testing.T) {
	url := newArena().listen(t)
	for hello, problem := range map[string]string{
		`{"type":"hello"}`:                                                        `"name" of the hello is missing`,
		`{"type":"hello","name":[]}`:                                              `"name" of the hello is an array, want a string`,
		`{"type":"hello","name":""}`:                                              "want 1 to 64",
		`{"type":"hello","name":"a","plays":{"size":["5x5"]}}`:                    "plays: it plays only size=, and no such game is known",
		`{"type":"hello","name":"a","plays":{"size":"4x4"}}`:                      `"plays.size" of the hello is a string, want an array`,
		`{"type":"hello","name":"` + strings.Repeat("é", 65) + `"}`:               "want 1 to 64",
		`{"type":"hello","name":" bot"}`:                                          "no space at either end",
		`{"type":"hello","name":"b\not"}`:                                         "printable",
		`{"type":"hello","name":"bot","slots":-1}`:                                "slots -1",
		`{"type":"hello","name":"bot","slots":1025}`:                              "slots 1025",
		`{"type":"hello","name":"bot","slots":"two"}`:                             `"slots" of the hello is a string`,
		`{"type":"hello","name":"bot","author":"a\tb"}`:                           "author",
		`{"type":"hello","name":"bot","spec":"` + strings.Repeat("s", 201) + `"}`: "spec",
		`{"type":"goodbye","reason":"","reconnect":false}`:                        "is a goodbye",
		`hello`: "no JSON",
	} {
		t.Run(problem, func(t *testing.T) {
			b := dial(t, url)
			b.write(websocket.TextMessage, hello)
			refusal := receive[protocol.Refusal](b)
			if refusal.Code != protocol.BadHello || !strings.Contains(refusal.Message, problem) {
				t.Errorf("refused with %q: %q; want %q with %q", refusal.Code, refusal.Message, protocol.BadHello, problem)
			}
			b.receiveClose(websocket.ClosePolicyViolation)
		})
	}
}

func TestHelloAllFields(t *testing.T) {
	a := newArena()
	b := dial(t, a.listen(t))
	hello := protocol.Hello{Name: strings.Repeat("é", 64), Version: "1", Author: "A B", Spec: "x:y=1", Token: "t", Slots: 1024, Plays: rules.ParseVariants(nil, []string{"4x4"}, []string{"defender"})}
	b.send(hello)
	welcome := receive[protocol.Welcome](b)
	if got := a.session.Hello(); !reflect.DeepEqual(got, hello) {
		t.Errorf("the session has %+v, want %+v", got, hello)
	}
	if welcome.Name != hello.Name || welcome.PingMS != 5000 || welcome.GraceMS != 20_000 || welcome.MaxFrameBytes != 65536 {
		t.Errorf("welcome is %+v", welcome)
	}
}

func TestHelloDefaults(t *testing.T) {
	a := newArena()
	b := dial(t, a.listen(t))
	b.write(websocket.TextMessage, `{"name":"bot","type":"hello","favourite":{"colour":["red"]}}`)
	receive[protocol.Welcome](b)
	if got, want := a.session.Hello(), (protocol.Hello{Name: "bot", Slots: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("the session has %+v, want %+v", got, want)
	}
}

func TestNoHello(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		began := time.Now()
		if refusal := receive[protocol.Refusal](b); refusal.Code != protocol.BadHello || refusal.Message != "no hello within 10s" {
			t.Errorf("refused with %q: %q", refusal.Code, refusal.Message)
		}
		wantElapsed(t, began, a.limits.HelloTime)
		b.receiveClose(websocket.ClosePolicyViolation)
	})
}

func TestNoSubprotocol(t *testing.T) {
	url := newArena().listen(t)
	ws, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	refusal := receive[protocol.Refusal](&bot{t, ws})
	if refusal.Code != protocol.BadHello || !strings.Contains(refusal.Message, protocol.Subprotocol) {
		t.Errorf("refused with %q: %q", refusal.Code, refusal.Message)
	}
}

func TestPlainHTTPRequest(t *testing.T) {
	url := "http" + strings.TrimPrefix(newArena().listen(t), "ws")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("answered %s, want 426", response.Status)
	}
}

// A web page of another site, shown by a local browser, cannot connect.
func TestForeignOrigin(t *testing.T) {
	url := newArena().listen(t)
	_, response, err := dialer.DialContext(t.Context(), url, http.Header{"Origin": {"http://elsewhere.example"}})
	if err == nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("dialled with %v, want 403", err)
	}
}
