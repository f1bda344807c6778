package web_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// A bot may be named anything: its name stays a text, in addresses too.
func TestHostileNames(t *testing.T) {
	h := open(t)
	names := []string{"<script>document.title='hacked'</script>", "a/b", "🤖 robot", "אבג", strings.Repeat("漢", 32), `"'&?#%2F`, "mcts:playouts=3"}
	id := h.play(func(e *tournament.Event) {
		e.Bots = nil
		for _, name := range names {
			e.Entries = append(e.Entries, tournament.Entry{Name: name, Spec: "random"})
		}
	})
	b := browse(t, h.URL())
	visit := func(path string) {
		t.Helper()
		if status, text := h.get(path); status != http.StatusOK || strings.Contains(text, "<script>document") {
			t.Errorf("%s: %d, or a name that is a script", path, status)
		}
		b.visit(path)
		if title := eval[string](b, `document.title`); title == "hacked" {
			t.Errorf("%s runs the script of a name", path)
		}
	}
	for _, path := range []string{"/events", "/bots/" + url.PathEscape(names[0]) + "/vs/" + url.PathEscape(names[1]), fmt.Sprintf("/events/%d", id)} {
		visit(path)
	}
	links := eval[map[string]string](b, `Object.fromEntries([...document.querySelectorAll("#standings a.bot")].map((a) => [a.textContent, a.getAttribute("href")]))`)
	for _, name := range names {
		if links[name] == "" {
			t.Fatalf("the page of the event does not lead to %q: %q", name, links)
		}
		visit(links[name])
		if got := b.text("h1 bdi"); got != name {
			t.Errorf("the link %q leads to %q, want %q", links[name], got, name)
		}
	}
}

// The counts on the page of a bot agree with the database.
func TestBotPage(t *testing.T) {
	h := open(t)
	h.play(func(e *tournament.Event) { e.Bots, e.Matches = []string{"ann=greedy", "bob=random", "cat=random"}, 2 })
	h.play(func(e *tournament.Event) { e.Bots, e.Matches = []string{"ann=greedy", "bob=random"}, 3 })
	type page struct {
		Events []struct {
			Event     int64          `json:"event"`
			Rating    map[string]any `json:"rating"`
			Defending struct {
				Games int `json:"games"`
			} `json:"defending"`
		} `json:"events"`
		Opponents []struct {
			Name    string           `json:"name"`
			Matches tournament.Tally `json:"matches"`
		} `json:"opponents"`
		Tiles []struct {
			Tile, Games int
		} `json:"largest_tiles"`
		Matches tournament.Tally
		Best    struct {
			Event int64
			Score int
		}
		Last  []tournament.Outcome
		Games []results.Listed
	}
	ann := read[page](h, "/api/bots/ann")
	if len(ann.Events) != 2 || ann.Events[0].Event != 2 || ann.Events[0].Defending.Games != 3 || ann.Events[1].Defending.Games != 4 || ann.Events[0].Rating == nil {
		t.Errorf("ann's events are %+v", ann.Events)
	}
	played := map[string]int{}
	for _, o := range ann.Opponents {
		played[o.Name] = o.Matches.Played()
	}
	if played["bob"] != 5 || played["cat"] != 2 {
		t.Errorf("ann has played %v, want 5 matches against bob and 2 against cat", played)
	}
	games := 0
	for _, tile := range ann.Tiles {
		games += tile.Games
	}
	if games != 7 {
		t.Errorf("ann's largest tiles are those of %d games, want 7", games)
	}
	best := 0
	for event := range 2 {
		for _, g := range read[list](h, fmt.Sprintf("/api/events/%d/games", event+1)).Games {
			if g.Defender == "ann" {
				best = max(best, g.Score)
			}
		}
	}
	if ann.Matches.Played() != 7 || len(ann.Last) != 7 || ann.Best.Score != best {
		t.Errorf("ann has played %+v, the last matches %v, and its best game has %d points, want 7 matches and %d points", ann.Matches, ann.Last, ann.Best.Score, best)
	}
	if len(ann.Games) != 14 || ann.Games[0].Event != 2 || !slices.IsSortedFunc(ann.Games, func(a, b results.Listed) int { return cmp.Compare(b.ID, a.ID) }) ||
		slices.ContainsFunc(ann.Games, func(g results.Listed) bool { return g.Defender != "ann" && g.Attacker != "ann" }) {
		t.Errorf("ann's last games are %+v, want the 14 that it played, the latest first", ann.Games)
	}
	var last tournament.Tally
	for _, outcome := range ann.Last {
		last.Add(tournament.MatchResult{Pairing: tournament.Pairing{First: "ann"}, Outcome: outcome}, "ann")
	}
	if last != ann.Matches {
		t.Errorf("ann's last matches are %+v, want all of them, %+v", last, ann.Matches)
	}
	if status, _ := h.get("/bots/nobody"); status != http.StatusNotFound {
		t.Errorf("a bot that does not exist: %d, want 404", status)
	}
}

// The page of a bot has its opponents, however many bots their event has: the crosstable of a large event has no cells.
func TestOpponentsInLargeEvent(t *testing.T) {
	testkit.Long(t)
	h := open(t)
	id := h.play(func(e *tournament.Event) {
		e.Bots, e.Matches, e.Size, e.Settings.Plan.Kind = nil, 1, rules.Size{Width: 2, Height: 2}, "ladder"
		for i := range 501 {
			e.Entries = append(e.Entries, tournament.Entry{Name: fmt.Sprint("bot ", i), Spec: "random"})
		}
	})
	for _, bot := range []string{"bot 0", "bot 1", "bot 500"} {
		list := read[struct {
			Games []struct{ Attacker, Defender string }
		}](h, fmt.Sprintf("/api/events/%d/games?bot=%s", id, url.QueryEscape(bot)))
		want, got := map[string]int{}, map[string]int{} // games
		for _, g := range list.Games {
			if g.Attacker == bot {
				want[g.Defender]++
			} else {
				want[g.Attacker]++
			}
		}
		page := read[struct {
			Opponents []struct {
				Name    string
				Matches tournament.Tally
			}
		}](h, "/api/bots/"+url.PathEscape(bot))
		for _, o := range page.Opponents {
			got[o.Name] = 2 * o.Matches.Played()
		}
		if len(want) == 0 || !maps.Equal(got, want) {
			t.Errorf("%s has played games against %v, its page says %v", bot, want, got)
		}
	}
}

// The history of two bots has all their matches, and names the stronger bot from either side.
func TestPairPage(t *testing.T) {
	h := open(t)
	for range 2 {
		h.play(func(e *tournament.Event) {
			e.Bots, e.Matches = []string{"ann=mcts:playouts=60", "bob=random", "cat=random"}, 3
		})
	}
	type page struct {
		Total    int `json:"total"`
		Variants []struct {
			Matches tournament.Tally `json:"matches"`
			Verdict string           `json:"verdict"`
		} `json:"variants"`
		Matches []struct {
			Games []int64 `json:"games"`
		} `json:"matches"`
	}
	for _, path := range []string{"/api/bots/ann/vs/bob", "/api/bots/bob/vs/ann"} {
		pair := read[page](h, path)
		if pair.Total != 6 || len(pair.Matches) != 6 || len(pair.Variants) != 1 || pair.Variants[0].Matches.Played() != 6 {
			t.Fatalf("%s: %+v, want 6 matches under the same rules", path, pair)
		}
		if !strings.HasPrefix(pair.Variants[0].Verdict, "ann ") {
			t.Errorf("%s: %q, want ann to be ahead", path, pair.Variants[0].Verdict)
		}
		for _, m := range pair.Matches {
			if len(m.Games) != 2 {
				t.Errorf("%s: a match with the games %v", path, m.Games)
			}
		}
	}
	if _, text := h.get("/bots/ann/vs/bob"); !strings.Contains(text, "Elo") {
		t.Error("the page does not say how much stronger ann is")
	}
	if status, _ := h.get("/bots/ann/vs/ann"); status != http.StatusNotFound {
		t.Errorf("a bot against itself: %d, want 404", status)
	}
}
