package protocol_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
)

// script is an arena that says what is written, whatever the bot says.
func script(t *testing.T, lines ...string) (url string, ended <-chan error) {
	t.Helper()
	done := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		upgrader := websocket.Upgrader{Subprotocols: []string{protocol.Subprotocol}}
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			done <- err
			return
		}
		defer ws.Close()
		for _, line := range lines {
			_ = ws.WriteMessage(websocket.TextMessage, []byte(line)) // the client may have had enough
		}
		for err == nil {
			_, _, err = ws.ReadMessage()
		}
		done <- err
	}))
	t.Cleanup(server.Close)
	return "ws" + strings.TrimPrefix(server.URL, "http"), done
}

const welcome = `{"type":"welcome","name":"bot","ping_ms":5000,"grace_ms":1,"max_frame_bytes":65536,"games":[],"motto":"hi"}`

func TestClientIgnoresWhatItDoesNotKnow(t *testing.T) {
	weather := `{"type":"weather","sky":"grey"}`
	url, ended := script(t, welcome, weather, weather, weather, weather, `{"type":"goodbye"}`)
	if err := client(url, nil).Run(t.Context()); err != nil {
		t.Errorf("Run returned %v", err)
	}
	if err := <-ended; !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Errorf("the client left with %v, want a normal close", err)
	}
}

func TestClientLeavesAnArenaOfBadForm(t *testing.T) {
	url, ended := script(t, welcome, `{"type":"request"}`, `{"type":"request"}`, `{"type":"request"}`)
	c := client(url, nil)
	c.Reconnect = 0
	if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "bad form") {
		t.Errorf("Run returned %v", err)
	}
	if err := <-ended; !websocket.IsCloseError(err, websocket.ClosePolicyViolation) {
		t.Errorf("the client left with %v, want a policy violation", err)
	}
}
