package web_test

import (
	"bytes"
	"fmt"
	"html"
	"image/png"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"versus2048/tournament"
)

// Every page has a title, a description and a picture for links to it, and the pictures are there.
func TestEveryPageHasAPreview(t *testing.T) {
	h := open(t)
	pictures := map[string]bool{}
	titles := map[string]bool{}
	for _, page := range everyPage(h) {
		_, text := h.get(page)
		for _, key := range []string{`name="description"`, `property="og:title"`, `property="og:description"`} {
			if found := regexp.MustCompile(`<meta `+key+` content="([^"]+)">`).FindAllString(text, -1); len(found) != 1 {
				t.Errorf("%s has %q", page, found)
			}
		}
		picture := regexp.MustCompile(`<meta property="og:image" content="([^"]+)">`).FindStringSubmatch(text)
		title := regexp.MustCompile(`<title>([^<]+)</title>`).FindStringSubmatch(text)
		if picture == nil || title == nil {
			t.Fatalf("%s has neither picture nor title", page)
		}
		pictures[html.UnescapeString(picture[1])] = true
		titles[title[1]] = true
	}
	if len(pictures) < 4 || len(titles) < 15 {
		t.Errorf("%d pictures, %d titles", len(pictures), len(titles))
	}
	for address := range pictures {
		h.mustBePicture(address)
	}
}

// mustBePicture fetches a picture as a messenger does, which asks again while the arena is busy with an event.
func (h *host) mustBePicture(address string) []byte {
	h.t.Helper()
	status, body := fetch(h.t, http.MethodGet, address)
	for status == http.StatusTooManyRequests {
		status, body = fetch(h.t, http.MethodGet, address)
	}
	picture, err := png.Decode(strings.NewReader(body))
	if status != http.StatusOK || err != nil || picture.Bounds().Dx() != 1200 || !strings.HasPrefix(address, h.URL()) {
		h.t.Fatalf("%s: status %d, %v", address, status, err)
	}
	return []byte(body)
}

// Two games, their event and the arena have different pictures. In the description of a page a name is no HTML.
func TestPreviewsShowTheirGames(t *testing.T) {
	h := open(t)
	event := h.play(func(e *tournament.Event) { e.Bots = []string{"<script>=random", "bob=greedy"} })
	first := h.game(event, true)
	usual := h.mustBePicture(h.URL() + "/preview.png")
	game := h.mustBePicture(fmt.Sprintf("%s/games/%d/preview.png", h.URL(), first.ID))
	other := h.mustBePicture(fmt.Sprintf("%s/games/%d/preview.png", h.URL(), first.ID%2+1))
	shown := h.mustBePicture(fmt.Sprintf("%s/events/%d/preview.png", h.URL(), event))
	if bytes.Equal(game, other) || bytes.Equal(game, usual) || bytes.Equal(shown, game) {
		t.Error("two of the pictures are equal")
	}
	for _, path := range []string{"/games/99/preview.png", "/events/99/preview.png"} {
		if status, _ := h.get(path); status != http.StatusNotFound {
			t.Errorf("%s: status %d", path, status)
		}
	}
	answer := do(t, h.request(http.MethodGet, "/preview.png", "", nil))
	answer.Body.Close()
	if got := answer.Header.Get("Cache-Control"); got != "private, max-age=300" { // other visitors may lack the right to look
		t.Errorf("caches may keep a picture by %q", got)
	}
	if _, text := h.get(fmt.Sprintf("/games/%d", first.ID)); strings.Contains(text, `content="<script>`) || !strings.Contains(text, "&lt;script&gt;") {
		t.Error("the description has the name as HTML")
	}
}
