package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/gorilla/websocket"

	"versus2048/internal/server/gate"
	"versus2048/internal/testkit"
	"versus2048/protocol"
)

// greet connects as a bot and says hello.
func (h *host) greet(hello map[string]any) *websocket.Conn {
	h.t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
	ws, answer, err := dialer.DialContext(h.t.Context(), "ws"+strings.TrimPrefix(h.URL(), "http")+"/bot", nil)
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

// The guide shows the actions of a bot as they happen, whatever the bot is called.
func TestGuideSeesTheBot(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	const name = `<script>alert("שלום")</script> 🙂`
	b.visit("/connect")
	if text := b.text("main"); !strings.Contains(text, "ws"+strings.TrimPrefix(h.URL(), "http")+"/bot") {
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
	b := browse(t, h.URL())
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

// The form makes no token for a name that looks like another one with a token. The name itself may get more tokens.
func TestTokenFormRefusesNamesAlike(t *testing.T) {
	h := open(t)
	_, err := h.store.Tokens().Make(t.Context(), "bot", "carol")
	h.must(err)
	operator := map[string]string{"Authorization": "Bearer " + h.secret, "Content-Type": "application/x-www-form-urlencoded"}
	for name, want := range map[string]int{"caroI": http.StatusBadRequest, "Carol": http.StatusBadRequest, "carol": http.StatusOK, "dora": http.StatusOK} {
		status, text := h.send("POST", "/connect/token", "name="+name, operator)
		if refused := strings.Contains(text, "looks like"); status != want || refused != (want == http.StatusBadRequest) {
			t.Errorf("%s: status %d, want %d", name, status, want)
		}
	}
}

// An operator makes an invitation, and its link leads to the commands with which a bot takes a name. A viewer has no
// form for it, and an arena that registers nobody has none either.
func TestInvitationForm(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/login?next=/connect")
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	b.await(`document.querySelector("#token-name") !== null`)
	if eval[bool](b, `document.querySelector("#names") !== null`) {
		t.Error("an arena that registers nobody has a form for invitations")
	}
	h.mode = gate.RegistrationByInvitation
	h.restart()
	b.visit("/connect")
	if eval[bool](b, `document.querySelector("#names") !== null`) {
		t.Error("a viewer has the form for invitations")
	}
	b.visit("/login?next=/connect")
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	b.await(`document.querySelector("#names") !== null`)
	b.run(chromedp.SetValue(chromedp.CSS("#names"), "2"), chromedp.SendKeys(chromedp.CSS("#days"), "\r"))
	b.await(`document.querySelector(".token") !== null`)
	link := b.text(".token")
	if text := b.text("main"); !strings.Contains(text, "An invitation for 2 names, valid for 7 days") || !strings.HasPrefix(link, h.URL()+"/connect?invitation=") {
		t.Fatalf("the link is %q: %s", link, text)
	}
	code := strings.TrimPrefix(link, h.URL()+"/connect?invitation=")
	visitor := browse(t, h.URL())
	visitor.visit("/connect?invitation=" + code)
	if text := visitor.text("main"); !strings.Contains(text, "--invitation "+code) || !strings.Contains(text, "VERSUS2048_TOKEN="+code+"-$(") {
		t.Errorf("the page of the link lacks the code: %s", text)
	}
	h.greet(map[string]any{"name": "snake", "token": code + "-a secret of the snake"})
	if code := h.refused(protocol.Subprotocol, `{"type":"hello","name":"snake","token":"`+code+`-a secret of somebody"}`); code != "bad_token" {
		t.Errorf("another secret gets %s", code)
	}
}

// The owner of a name sees that its token is valid, and replaces it: the new one is shown once, and the old one is not
// valid any more. Nobody can do either without the token.
func TestOwnersRenewTheirToken(t *testing.T) {
	h := open(t)
	old, err := h.store.Tokens().Make(t.Context(), "bot", "snake")
	if err != nil {
		t.Fatal(err)
	}
	form := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	for _, body := range []string{"name=snake&token=guess&renew=yes", "name=other&token=" + old + "&renew=yes", "name=snake", ""} {
		if status, text := h.send("POST", "/connect/renew", body, form); status != http.StatusBadRequest || !strings.Contains(text, "This is not the token of this name") {
			t.Errorf("%q: status %d", body, status)
		}
	}
	b := browse(t, h.URL())
	b.visit("/connect")
	fill := func(token string) {
		b.run(chromedp.SetValue(chromedp.CSS("#own-name"), "snake"), chromedp.SetValue(chromedp.CSS("#own-token"), token))
	}
	fill(old)
	b.run(chromedp.SendKeys(chromedp.CSS("#own-token"), "\r"))
	b.await(`document.querySelector("main").textContent.includes("This is the token of snake, valid since")`)
	fill(old)
	b.run(chromedp.Click(chromedp.CSS("button[name=renew]")))
	b.await(`document.querySelector(".token") !== null`)
	h.greet(map[string]any{"name": "snake", "token": b.text(".token")})
	if code := h.refused(protocol.Subprotocol, `{"type":"hello","name":"snake","token":"`+old+`"}`); code != "bad_token" {
		t.Errorf("the old token gets %s", code)
	}
}

// Operators alone make, list and revoke invitations, over TLS or from this machine.
func TestInvitationsAreSecret(t *testing.T) {
	h := open(t)
	operator := map[string]string{"Authorization": "Bearer " + h.secret, "Content-Type": "application/json"}
	if status, text := h.send("POST", "/api/invitations", `{}`, operator); status != http.StatusBadRequest || !strings.Contains(text, "--registration invite") {
		t.Errorf("an arena that registers nobody: status %d: %s", status, text)
	}
	inForm := map[string]string{"Authorization": "Bearer " + h.secret, "Content-Type": "application/x-www-form-urlencoded"}
	if status, text := h.send("POST", "/connect/invitation", "names=2&days=7", inForm); status != http.StatusBadRequest || !strings.Contains(text, "--registration invite") {
		t.Errorf("the form of an arena without invitations: %d without the reason: %s", status, text)
	}
	h.mode = gate.RegistrationByInvitation
	h.restart()
	operator["Authorization"] = "Bearer " + h.secret
	olga, err := h.store.Tokens().Make(t.Context(), "operator", "olga")
	h.must(err)
	inText := map[string]string{"Authorization": "Bearer " + h.secret, "Content-Type": "text/plain"}
	inClear := map[string]string{"Authorization": "Bearer " + olga, "Content-Type": "application/json", "X-Forwarded-For": "192.0.2.1"}
	for name, c := range map[string]struct {
		method, path, body string
		header             map[string]string
		want               int
		says               string
	}{
		"a stranger lists":   {"GET", "/api/invitations", "", nil, http.StatusForbidden, ""},
		"a stranger invites": {"POST", "/api/invitations", `{}`, nil, http.StatusForbidden, ""},
		"a stranger revokes": {"POST", "/api/invitations/revoke", `{"id": 1}`, nil, http.StatusForbidden, ""},
		"invites in clear":   {"POST", "/api/invitations", `{}`, inClear, http.StatusForbidden, "TLS"},
		"a list in clear":    {"GET", "/api/invitations", "", inClear, http.StatusForbidden, "TLS"},
		"revokes in clear":   {"POST", "/api/invitations/revoke", `{"id": 1}`, inClear, http.StatusForbidden, "TLS"},
		"too many names":     {"POST", "/api/invitations", `{"names": 1001}`, operator, http.StatusBadRequest, "want 1 to 1000"},
		"an unknown field":   {"POST", "/api/invitations", `{"name": 3}`, operator, http.StatusBadRequest, "unknown field"},
		"none of this id":    {"POST", "/api/invitations/revoke", `{"id": 7}`, operator, http.StatusOK, `{"revoked":false}`},
		"no id":              {"POST", "/api/invitations/revoke", `7`, operator, http.StatusBadRequest, "number"},
		"invites in text":    {"POST", "/api/invitations", `{}`, inText, http.StatusBadRequest, "application/json"},
		"revokes in text":    {"POST", "/api/invitations/revoke", `{"id": 1}`, inText, http.StatusBadRequest, "application/json"},
	} {
		if status, text := h.send(c.method, c.path, c.body, c.header); status != c.want || !strings.Contains(text, c.says) {
			t.Errorf("%s: status %d, want %d: %s", name, status, c.want, text)
		}
	}
	if status, text := h.send("POST", "/api/invitations", `{"names": 2}`, operator); status != http.StatusOK || !strings.Contains(text, `"code":"`) {
		t.Errorf("an operator: status %d: %s", status, text)
	}
	if _, text := h.send("GET", "/api/invitations", "", operator); !strings.Contains(text, `"names":2,"taken":0,"revoked":false}]`) || strings.Contains(text, "code") {
		t.Errorf("the list: %s", text)
	}
	if status, text := h.send("POST", "/api/tokens/reset", `{"role": "operator", "name": "olga"}`, operator); status != http.StatusOK || !strings.HasPrefix(text, `{"token":"`) {
		t.Errorf("resetting: status %d: %s", status, text)
	}
	if status, _ := h.send("GET", "/api/invitations", "", inClear); status != http.StatusForbidden {
		t.Errorf("the token before the reset: status %d", status)
	}
}

// Operators alone make, list and revoke tokens, over TLS or from this machine: a request through a proxy without TLS
// gets none.
func TestTokensAreSecret(t *testing.T) {
	h := open(t)
	const ann = `{"role": "bot", "name": "ann"}`
	operator := func(more ...string) map[string]string {
		header := map[string]string{"Authorization": "Bearer " + h.secret, "Content-Type": "application/json"}
		for i := 0; i < len(more); i += 2 {
			header[more[i]] = more[i+1]
		}
		return header
	}
	_, text := h.send("POST", "/api/tokens", `{"role": "operator", "name": "olga"}`, operator())
	olga := strings.TrimSuffix(strings.TrimPrefix(text, `{"token":"`), `"}`)
	elsewhere := func(more ...string) map[string]string {
		return operator(append([]string{"Authorization", "Bearer " + olga, "X-Forwarded-For", "192.0.2.1"}, more...)...)
	}
	for name, c := range map[string]struct {
		method, path, body string
		header             map[string]string
		want               int
	}{
		"a stranger lists":            {"GET", "/api/tokens", "", nil, http.StatusForbidden},
		"a stranger makes one":        {"POST", "/api/tokens", ann, nil, http.StatusForbidden},
		"a stranger revokes":          {"POST", "/api/tokens/revoke", ann, nil, http.StatusForbidden},
		"in clear":                    {"POST", "/api/tokens", ann, elsewhere(), http.StatusForbidden},
		"a list in clear":             {"GET", "/api/tokens", "", elsewhere(), http.StatusForbidden},
		"no name":                     {"POST", "/api/tokens", `{"role": "bot"}`, operator(), http.StatusBadRequest},
		"a spec":                      {"POST", "/api/tokens", `{"role": "bot", "name": "mcts:x"}`, operator(), http.StatusBadRequest},
		"no role":                     {"POST", "/api/tokens", `{"name": "ann"}`, operator(), http.StatusBadRequest},
		"not in JSON":                 {"POST", "/api/tokens", ann, operator("Content-Type", "text/plain"), http.StatusBadRequest},
		"another role":                {"POST", "/api/tokens/revoke", `{"role": "king", "name": "ann"}`, operator(), http.StatusBadRequest},
		"an operator on this machine": {"GET", "/api/tokens", "", operator(), http.StatusOK},
	} {
		status, text := h.send(c.method, c.path, c.body, c.header)
		if clear := strings.HasSuffix(name, "in clear"); status != c.want || clear != strings.Contains(text, "TLS") {
			t.Errorf("%s: status %d, want %d: %s", name, status, c.want, text)
		}
	}
	if status, text := h.send("POST", "/api/tokens", ann, elsewhere("X-Forwarded-Proto", "https")); status != http.StatusOK {
		t.Errorf("over TLS: status %d: %s", status, text)
	}
	if _, text := h.send("POST", "/api/tokens/revoke", ann, operator()); text != `{"revoked":1}` {
		t.Errorf("revoking the one token that was made: %s", text)
	}
}

// refused connects as a bot and returns the code of its refusal.
func (h *host) refused(subprotocol, hello string) (code string) {
	h.t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{subprotocol}}
	ws, answer, err := dialer.DialContext(h.t.Context(), "ws"+strings.TrimPrefix(h.URL(), "http")+"/bot", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	answer.Body.Close()
	defer ws.Close()
	refusal := struct{ Type, Code string }{}
	_ = ws.WriteMessage(websocket.TextMessage, []byte(hello)) // it may have been refused already
	if err := ws.ReadJSON(&refusal); err != nil || refusal.Type != "refusal" {
		h.t.Fatalf("the answer to the hello is %+v (%v)", refusal, err)
	}
	return refusal.Code
}

// The guide says why a bot was turned away while it happens, whatever its texts are, and no token.
func TestGuideSaysWhyTheBotWasRefused(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	const seen = `document.querySelector("[data-seen]").textContent`
	b.visit("/connect")
	for _, test := range []struct{ subprotocol, hello, want string }{
		{"versus2048.v0", `{}`, "the subprotocol"},
		{protocol.Subprotocol, `{"type":"hello","name":" spaced"}`, "there is a space at an end"},
		{protocol.Subprotocol, `{"type":"<b>ola</b>"}`, "<b>ola</b>"},
	} {
		h.refused(test.subprotocol, test.hello)
		b.await(seen + `.includes("before it said its name") && ` + seen + `.includes("` + test.want + `")`)
	}
	if text := b.text("[data-seen]"); !strings.Contains(text, "bad_hello") {
		t.Errorf("the code is not shown: %q", text)
	}

	b.visit("/connect?bot=snake")
	const secret = "v2048_thissecretmustnotbeshown"
	for range 2 {
		h.refused(protocol.Subprotocol, `{"type":"hello","name":"snake","token":"`+secret+`"}`)
	}
	b.await(seen + `.includes("snake was turned away 2 times") && ` + seen + `.includes("(bad_token)")`)
	for _, path := range []string{"/connect?bot=snake", "/connect"} {
		if _, page := h.get(path); strings.Contains(page, secret) {
			t.Errorf("%s shows the token that a bot sent", path)
		}
	}
	if _, page := h.get("/connect?bot=snake"); !strings.Contains(page, "turned away 2 times") {
		t.Error("without JavaScript the page does not say why the bot was turned away")
	}
	if _, page := h.get("/connect?bot=other"); strings.Contains(page, "bad_token") || strings.Contains(page, "Turned away lately") {
		t.Error("a visitor sees why another bot was turned away")
	}
	if _, page := h.send("GET", "/connect", "", map[string]string{"Authorization": "Bearer " + h.secret}); !strings.Contains(page, "Turned away lately") {
		t.Error("an operator does not see who was turned away")
	}

	h.greet(map[string]any{"name": "snake"})
	b.await(seen + `.includes("We see your bot") && !` + seen + `.includes("turned away")`)
	h.refused(protocol.Subprotocol, `{"type":"hello","name":"snake"}`)
	b.await(seen + `.includes("We see your bot") && ` + seen + `.includes("(name_in_use)")`)
}

// However many bots are turned away, the arena remembers the last ones only.
func TestRefusalsAreBounded(t *testing.T) {
	testkit.Long(t)
	h := open(t)
	for i := range 110 {
		h.refused(protocol.Subprotocol, fmt.Sprintf(`{"type":"hello","name":"bot %d","token":"x"}`, i))
	}
	if n := len(h.server.Refusals(1000)); n != 100 {
		t.Errorf("%d refusals are remembered, want 100", n)
	}
}
