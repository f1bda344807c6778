package web_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/gorilla/websocket"

	"versus2048/internal/server"
	"versus2048/protocol"
	"versus2048/results"
)

// post sends a body in JSON, with more headers, and returns the answer.
func (h *host) post(path, body string, header map[string]string) (status int, text string) {
	h.t.Helper()
	all := map[string]string{"Content-Type": "application/json"}
	maps.Copy(all, header)
	return h.send(http.MethodPost, path, body, all)
}

// verify checks every game on record.
func (h *host) verify() {
	h.t.Helper()
	_, err := h.store.Verify(h.t.Context(), results.Filter{}, func(g results.Stored, why error) {
		h.t.Errorf("game %d: %v", g.ID, why)
	})
	if err != nil {
		h.t.Error(err)
	}
}

// Every page is refused to visitors without its right, from this machine and from another one.
func TestRightsOfAllPages(t *testing.T) {
	h := open(t)
	foreign := map[string]string{"Origin": "https://example.org"}
	for i, r := range h.site.Routes() {
		elsewhere := map[string]string{"X-Forwarded-For": fmt.Sprintf("203.0.113.%d", i)} // none has been refused before
		method, path, _ := strings.Cut(r.Pattern, " ")
		path = strings.NewReplacer("{$}", "", "{game}", "99", "{build}", "x", "{file...}", "style.css").Replace(path)
		for i := strings.Index(path, "{"); i >= 0; i = strings.Index(path, "{") {
			path = path[:i] + "99" + path[strings.Index(path, "}")+1:]
		}
		if status := h.status(method, path, elsewhere); (status == http.StatusForbidden) != (r.Right != server.OpenRight) {
			t.Errorf("%s from another machine: %d, its right is %s", r.Pattern, status, r.Right)
		}
		if status := h.status(method, path, nil); (status == http.StatusForbidden) != (r.Right == server.OperateRight) {
			t.Errorf("%s from this machine: %d, its right is %s", r.Pattern, status, r.Right)
		}
		if status := h.status(method, path, foreign); method == http.MethodPost && status != http.StatusForbidden {
			t.Errorf("%s from a page of another site: %d", r.Pattern, status)
		}
		picture := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
		if status := h.status(method, path, picture); method == http.MethodGet && (status != http.StatusForbidden) != (r.Shared || r.Right == server.OpenRight) {
			t.Errorf("%s as a picture on a page of another site: %d", r.Pattern, status)
		}
		if status := h.status(method, path, map[string]string{"Host": "rebound.example"}); status != http.StatusMisdirectedRequest {
			t.Errorf("%s under another host's name: %d", r.Pattern, status)
		}
	}
}

// The link that the arena prints makes one browser an operator's, on its machine or over TLS, and is void then. What it
// gives is as good as the secret of the operator's file: in clear from another machine it is nothing.
func TestLoginLink(t *testing.T) {
	h := open(t)
	path := h.server.LoginLink()
	inClear := map[string]string{"X-Forwarded-For": "192.0.2.1"}
	overTLS := map[string]string{"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"}
	follow := func(path string, header map[string]string) (status int, cookie *http.Cookie) {
		t.Helper()
		answer, err := new(http.Transport).RoundTrip(h.request(http.MethodGet, path, "", header))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if all := answer.Cookies(); len(all) > 0 {
			cookie = all[0]
		}
		return answer.StatusCode, cookie
	}
	for name, c := range map[string]struct {
		path   string
		header map[string]string
	}{"a wrong one": {"/login?once=guess", nil}, "in clear": {path, inClear}} {
		if status, cookie := follow(c.path, c.header); status != http.StatusForbidden || cookie != nil {
			t.Errorf("%s: status %d, cookie %v", name, status, cookie)
		}
	}
	if status := h.status(http.MethodHead, path, nil); status != http.StatusOK {
		t.Errorf("a look without a visit: status %d", status)
	}
	status, cookie := follow(path, nil)
	if status != http.StatusSeeOther || cookie == nil || !cookie.HttpOnly || cookie.Secure {
		t.Fatalf("the link: status %d, cookie %v", status, cookie)
	}
	mine := map[string]string{"Cookie": cookie.Name + "=" + cookie.Value}
	if status := h.status(http.MethodGet, "/new", mine); status != http.StatusOK {
		t.Errorf("an operator's page: status %d", status)
	}
	inClear["Cookie"] = mine["Cookie"]
	if status := h.status(http.MethodGet, "/new", inClear); status != http.StatusForbidden {
		t.Errorf("an operator's page in clear: status %d", status)
	}
	if status, cookie := follow(path, nil); status != http.StatusForbidden || cookie != nil {
		t.Errorf("the link again: status %d, cookie %v", status, cookie)
	}
	status, cookie = follow(h.server.LoginLink(), overTLS)
	if status != http.StatusSeeOther || cookie == nil || !cookie.Secure {
		t.Fatalf("another link over TLS: status %d, cookie %v", status, cookie)
	}
	overTLS["Cookie"] = cookie.Name + "=" + cookie.Value
	if status := h.status(http.MethodGet, "/new", overTLS); status != http.StatusOK {
		t.Errorf("an operator's page over TLS: status %d", status)
	}
	if status := h.status(http.MethodPost, "/logout", overTLS); status != http.StatusSeeOther {
		t.Errorf("logging out: status %d", status)
	}
	if status := h.status(http.MethodGet, "/new", overTLS); status != http.StatusForbidden {
		t.Errorf("after logging out: status %d", status)
	}
}

func TestLogin(t *testing.T) {
	h := open(t)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	try := func(token, next string) (status int, at string) {
		t.Helper()
		answer, err := client.PostForm(h.URL()+"/login", url.Values{"token": {token}, "next": {next}})
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode, answer.Request.URL.String()
	}
	if status, _ := try("wrong", "/"); status != http.StatusForbidden {
		t.Errorf("a wrong token: %d", status)
	}
	if status, _ := try("", "/"); status != http.StatusBadRequest {
		t.Errorf("no token: %d", status)
	}
	for next, want := range map[string]string{
		"/play?x=1": "/play?x=1", "//example.org/": "/", "https://example.org/": "/", "/\\example.org": "/", "play": "/", "/\t/example.org": "/",
	} {
		if status, at := try(h.secret, next); status != http.StatusOK || at != h.URL()+want {
			t.Errorf("next %q leads to %s (%d)", next, at, status)
		}
	}
	address, _ := url.Parse(h.URL())
	if cookies := jar.Cookies(address); len(cookies) != 1 {
		t.Errorf("cookies: %v", cookies)
	}
	answer, err := http.PostForm(h.URL()+"/login", url.Values{"token": {"wrong"}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if len(answer.Cookies()) > 0 {
		t.Error("a wrong token got a cookie")
	}
}

// A refusal names the way to get the right: the arena's host can open pages for looking, but not the pages for
// operators.
func TestRefusalsSayWhatHelps(t *testing.T) {
	h := open(t)
	elsewhere := map[string]string{"X-Forwarded-For": "203.0.113.1"}
	for path, public := range map[string]bool{"/events": true, "/new": false, "/status": false} {
		status, text := h.send(http.MethodGet, path, "", elsewhere)
		if status != http.StatusForbidden || !strings.Contains(text, "Log in with") || strings.Contains(text, "--public") != public {
			t.Errorf("%s: status %d, and a word about --public: want %v\n%s", path, status, public, text)
		}
	}
}

// The link to the login leads back to its page, also from a button that was refused.
func TestLoginLeadsBack(t *testing.T) {
	h := open(t)
	event := h.play(nil)
	page := fmt.Sprintf("/events/%d", event)
	for _, test := range []struct{ method, path, referer, next string }{
		{http.MethodGet, page + "?sort=score", "", page + "?sort=score"},
		{http.MethodGet, "/login?next=/new", "", "/new"},
		{http.MethodPost, page + "/pause", h.URL() + page + "?sort=score", page + "?sort=score"},
		{http.MethodPost, page + "/pause", "https://example.org/x", "/"},
		{http.MethodPost, page + "/pause", "", "/"},
	} {
		header := map[string]string{"Referer": test.referer, "Content-Type": "application/x-www-form-urlencoded"}
		_, text := h.send(test.method, test.path, "", header)
		if want := `href="/login?next=` + strings.ToLower(url.QueryEscape(test.next)) + `"`; !strings.Contains(text, want) {
			t.Errorf("%s %s from %q has no %s:\n%s", test.method, test.path, test.referer, want, text)
		}
	}
}

// In a browser: a wrong token is refused in words, a right one makes an operator, until logout. No
// script sees the cookie.
func TestLoginInTheBrowser(t *testing.T) {
	h := open(t)
	b := browse(t, h.URL())
	b.visit("/login?next=/play")
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), "nonsense\r"))
	b.await(`document.querySelector("[role=alert]")?.textContent.includes("not an operator's token") === true`)
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	b.await(`location.pathname === "/play" && document.readyState === "complete" && document.querySelector("#logout") !== null`)
	if cookie := eval[string](b, `document.cookie`); cookie != "" {
		t.Errorf("scripts see the cookie %q", cookie)
	}
	eval[bool](b, `(document.querySelector("[form=logout]").click(), true)`) // the page is still building itself
	b.await(`location.pathname === "/" && document.querySelector("#logout") === null`)
}

// A WebSocket of a page of another site is refused, one of an own page and of a program are not.
func TestWebSocketsOfPages(t *testing.T) {
	h := open(t)
	for origin, want := range map[string]int{
		"": http.StatusSwitchingProtocols, h.URL(): http.StatusSwitchingProtocols, "https://arena.example.org": http.StatusSwitchingProtocols,
		"https://example.org": http.StatusForbidden, "http://127.0.0.1": http.StatusForbidden, "null": http.StatusForbidden,
	} {
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
		ws, answer, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(h.URL(), "http")+"/bot", header)
		if answer == nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if err == nil {
			ws.Close()
		}
		if answer.StatusCode != want {
			t.Errorf("a WebSocket with the origin %q: %d, want %d", origin, answer.StatusCode, want)
		}
		if origin == "" {
			continue
		}
		status, _ := h.post("/api/play", `{}`, map[string]string{"Origin": origin})
		if (status == http.StatusForbidden) != (want == http.StatusForbidden) {
			t.Errorf("a POST with the origin %q: %d", origin, status)
		}
	}
}
