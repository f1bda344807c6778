package web_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/gorilla/websocket"

	"versus2048/protocol"
)

// greet connects as a bot and says hello.
func (h *house) greet(hello map[string]any) *websocket.Conn {
	h.t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
	ws, answer, err := dialer.DialContext(h.t.Context(), "ws"+strings.TrimPrefix(h.url, "http")+"/bot", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	answer.Body.Close()
	h.t.Cleanup(func() { ws.Close() })
	hello["type"] = "hello"
	welcome := struct{ Type string }{}
	if err := ws.WriteJSON(hello); err != nil {
		h.t.Fatal(err)
	}
	if err := ws.ReadJSON(&welcome); err != nil || welcome.Type != "welcome" {
		h.t.Fatalf("the answer to the hello is a %q (%v)", welcome.Type, err)
	}
	return ws
}

// The guide says what a bot does while it does it, whatever the bot is called.
func TestGuideSeesTheBot(t *testing.T) {
	h := open(t)
	b := browse(t, h.url)
	const name = `<script>alert("שלום")</script> 🙂`
	b.visit("/connect")
	if text := b.text("main"); !strings.Contains(text, "ws"+strings.TrimPrefix(h.url, "http")+"/bot") {
		t.Error("the guide does not have this arena's address")
	}
	b.run(chromedp.SendKeys(chromedp.CSS("#bot"), name+"\r"))
	b.await(`document.querySelector("[data-seen]").textContent.includes("No bot of this name")`)
	ws := h.greet(map[string]any{"name": name})
	b.await(`document.querySelector("[data-seen]").textContent.includes("We see your bot: 0 games, 0 faults, 0 wrong messages")`)
	if err := ws.WriteJSON(map[string]any{"type": "move", "game": "7", "ply": 0, "move": "N"}); err != nil {
		t.Fatal(err)
	}
	b.await(`document.querySelector("[data-seen]").textContent.includes("1 wrong message, last: ")`)
}

// An operator makes a token, which is shown once and admits its bot. A viewer has no form for it.
func TestTokenForm(t *testing.T) {
	h := open(t)
	b := browse(t, h.url)
	b.visit("/connect")
	if eval[bool](b, `document.querySelector("#token-name") !== null`) {
		t.Error("a viewer has the form for tokens")
	}
	b.visit("/login?next=/connect")
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	b.await(`document.querySelector("#token-name") !== null`)
	b.run(chromedp.SendKeys(chromedp.CSS("#token-name"), "mcts:x\r"))
	b.await(`document.querySelector("#token-problem") !== null && document.querySelector("#token-name").value === "mcts:x"`)
	b.run(chromedp.SetValue(chromedp.CSS("#token-name"), "snake"))
	b.run(chromedp.SendKeys(chromedp.CSS("#token-name"), "\r"))
	b.await(`document.querySelector(".token") !== null`)
	h.greet(map[string]any{"name": "snake", "token": b.text(".token")})
}
