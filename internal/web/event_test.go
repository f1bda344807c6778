package web_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/results"
	"versus2048/results/parquet"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
	"versus2048/tournament/rating"
)

// asOperator sends a request with the operator's secret and does not follow redirections.
func (h *host) asOperator(method, path, form string) (status int) {
	h.t.Helper()
	request, err := http.NewRequestWithContext(h.t.Context(), method, h.URL()+path, strings.NewReader(form))
	if err != nil {
		h.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+h.secret)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

// read asks for JSON.
func read[T any](h *host, path string) (value T) {
	h.t.Helper()
	status, text := h.get(path)
	if err := json.Unmarshal([]byte(text), &value); err != nil || status != http.StatusOK {
		h.t.Fatalf("%s: %d %.200s (%v)", path, status, text, err)
	}
	return value
}

// list is an answer with a page of games.
type list struct {
	Total int              `json:"total"`
	Games []results.Listed `json:"games"`
}

// Every format's page has its standings, its own pairings, its settings and the command that repeats it.
func TestEventPages(t *testing.T) {
	h := open(t)
	four := []string{"ann=greedy", "bob=random", "cat=greedy", "dan=random"}
	for name, c := range map[string]struct {
		change func(*tournament.Event)
		want   []string
	}{
		"round-robin": {func(e *tournament.Event) { e.Bots = four }, []string{"Head to head", "--matches 1", "[[bot]]"}},
		"swiss":       {func(e *tournament.Event) { e.Bots, e.Settings.Plan.Kind = four, "swiss" }, []string{"round 1", "round 2", "--format swiss"}},
		"knockout":    {func(e *tournament.Event) { e.Bots, e.Settings.Plan.Kind = four, "knockout" }, []string{"Pairings", "final", "winner"}},
		"double-elimination": {
			func(e *tournament.Event) { e.Bots, e.Settings.Plan.Kind = four, "double-elimination" },
			[]string{"Pairings", "losers&#39;", "--format double-elimination"},
		},
		"ladder": {
			func(e *tournament.Event) { e.Bots, e.Settings.Plan.Kind, e.Matches = four, "ladder", 3 },
			[]string{"last matches", "deviation", "--format ladder"},
		},
		"sprt": {func(e *tournament.Event) {
			e.Settings.Plan = tournament.Plan{Kind: "sprt", SPRT: rating.SPRT{Elo0: 0, Elo1: 100}}
			e.Matches = 20
		}, []string{"<polyline", "H1 is accepted at", "For testers", "LLR:", "elo0=0.0,elo1=100.0"}},
	} {
		id := h.play(c.change)
		status, text := h.get(fmt.Sprintf("/events/%d", id))
		for _, want := range append(c.want, name, "Standings", "Ratings", "arena event run", "Settings") {
			if status != http.StatusOK || !strings.Contains(text, want) {
				t.Errorf("%s: the page (%d) has no %q", name, status, want)
			}
		}
		outcome := regexp.MustCompile(`<p class="outcome"><bdi>(.+)</bdi>`).FindStringSubmatch(text)
		if outcome == nil {
			t.Errorf("%s: the page does not tell who won", name)
			continue
		}
		if _, text := h.get("/events?format=" + name); !strings.Contains(text, fmt.Sprintf(`href="/events/%d"`, id)) || !strings.Contains(text, outcome[1]) {
			t.Errorf("%s: the list of its format does not have event %d with its outcome, %s", name, id, outcome[1])
		}
	}
}

// The command of an event's page is read as the bots of the event, also if these are named by their specs.
func TestCommandOfEvent(t *testing.T) {
	h := open(t)
	for _, bots := range [][]string{
		{"ann=mcts:playouts=2", "random"},
		{"mcts:playouts=2", "evminimax:depth=1,seed=3"},
	} {
		id := h.play(func(e *tournament.Event) { e.Bots = bots })
		again, err := h.store.Event(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		want := again.Entries
		again.Bots, again.Entries = nil, nil
		_, text := h.get(fmt.Sprintf("/events/%d", id))
		for _, bot := range regexp.MustCompile(` --bot (\S+)`).FindAllStringSubmatch(html.UnescapeString(text), -1) {
			again.Bots = append(again.Bots, bot[1])
		}
		again, err = roster.Resolve(again, func(string) bool { return false }, 0)
		if err != nil || !reflect.DeepEqual(again.Entries, want) {
			t.Errorf("%q: the command is read as %v, want %v: %v", bots, again.Entries, want, err)
		}
	}
}

// An event with names that no command can give has only a file on its page.
func TestEventWithoutCommand(t *testing.T) {
	h := open(t)
	for _, entry := range []tournament.Entry{
		{Name: "a=b", Spec: "greedy"}, {Name: "a:b", Spec: "greedy"}, {Name: "mcts:playouts=2", Spec: "mcts:playouts=3"},
	} {
		id := h.play(func(e *tournament.Event) { e.Bots, e.Entries = []string{"random"}, []tournament.Entry{entry} })
		_, text := h.get(fmt.Sprintf("/events/%d", id))
		if strings.Contains(text, "--bot ") || !strings.Contains(text, "Only a file can") || !strings.Contains(text, "[[bot]]") {
			t.Errorf("the page of an event with the bot %v has a command, or no file", entry)
		}
	}
}

// The list of games agrees with the database, filtered and sorted.
func TestGamesOfEvent(t *testing.T) {
	h := open(t)
	id := h.play(func(e *tournament.Event) { e.Bots, e.Matches = []string{"ann=greedy", "bob=random", "cat=random"}, 2 })
	all, total, err := h.store.List(t.Context(), results.Listing{Event: id})
	if err != nil || total != 12 {
		t.Fatalf("%d games, want 12 (%v)", total, err)
	}
	byCat := 0
	for _, g := range all {
		if g.Attacker == "cat" || g.Defender == "cat" {
			byCat++
		}
	}
	base := fmt.Sprintf("/api/events/%d/games", id)
	for query, want := range map[string]int{"": 12, "?bot=cat": byCat, "?ending=mate": 12, "?ending=time": 0, "?faults=1": 0} {
		if got := read[list](h, base+query); got.Total != want || len(got.Games) != want {
			t.Errorf("%s: %d games of %d, want %d", query, len(got.Games), got.Total, want)
		}
	}
	top := read[list](h, base+"?sort=score&reverse=1&limit=1")
	for _, g := range all {
		if len(top.Games) != 1 || g.Score > top.Games[0].Score {
			t.Errorf("the highest score is %d, and %v comes first", g.Score, top.Games)
		}
	}
	for _, bad := range []string{"?sort=x", "?offset=-1", "?ending=x"} {
		if status, _ := h.get(base + bad); status != http.StatusBadRequest {
			t.Errorf("%s: %d, want 400", bad, status)
		}
	}
	for query, kept := range map[string]bool{"?faults=1": true, "": false} { // the page's module asks with the fields of the form
		if _, text := h.get(fmt.Sprintf("/events/%d%s", id, query)); strings.Contains(text, `<input type="hidden" name="faults" value="1">`) != kept {
			t.Errorf("the form of /events/%d%s keeps the filter by faults: want %t", id, query, kept)
		}
	}
	if status, _ := h.get("/api/events/99/games"); status != http.StatusNotFound {
		t.Errorf("event 99: %d, want 404", status)
	}
}

// A download has the bytes of an export.
func TestExportFromPage(t *testing.T) {
	h := open(t)
	id := h.play(nil)
	var want bytes.Buffer
	if _, err := h.store.Export(t.Context(), &want, id); err != nil {
		t.Fatal(err)
	}
	if _, got := h.get(fmt.Sprintf("/events/%d/export", id)); got != want.String() {
		t.Errorf("the download has %d bytes that are not the export's %d", len(got), want.Len())
	}
}

// A download of tables is an archive of the files that “arena export --format parquet” writes.
func TestTablesFromPage(t *testing.T) {
	h := open(t)
	id := h.play(nil)
	path := fmt.Sprintf("/events/%d/export?format=", id)
	answer := do(t, h.request(http.MethodGet, path+"parquet", "", nil))
	defer answer.Body.Close()
	if got := answer.Header.Get("Content-Type"); got != "application/zip" {
		t.Errorf("Content-Type %q", got)
	}
	if got, want := answer.Header.Get("Content-Disposition"), fmt.Sprintf(`attachment; filename="event-%d-parquet.zip"`, id); got != want {
		t.Errorf("Content-Disposition %q, want %q", got, want)
	}
	file, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	table, err := fs.ReadFile(archive, parquet.GamesFile)
	if err != nil {
		t.Fatal(err)
	}
	games, err := parquet.Read[parquet.Game](bytes.NewReader(table), int64(len(table)))
	if err != nil || len(games) != 2 || games[0].Attacker == "" || games[0].Ending != "mate" {
		t.Errorf("games %+v, %v", games, err)
	}
	if status, text := h.get(path + "csv"); status != http.StatusBadRequest || !strings.Contains(text, "Want format=jsonl or format=parquet.") {
		t.Errorf("format=csv: %d %s", status, text)
	}
}

// A page that has not changed is not sent twice.
func TestETag(t *testing.T) {
	h := open(t)
	id := h.play(nil)
	for _, path := range []string{fmt.Sprintf("/events/%d", id), "/events", fmt.Sprintf("/api/events/%d/statistics", id), "/bots/ann", "/bots/ann/vs/bob"} {
		tag := ""
		for _, want := range []int{http.StatusOK, http.StatusNotModified} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL()+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("If-None-Match", tag)
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if tag = answer.Header.Get("ETag"); answer.StatusCode != want || tag == "" {
				t.Errorf("%s: %d with the tag %q, want %d", path, answer.StatusCode, tag, want)
			}
		}
	}
}

// Only an operator has the buttons, and only an operator's requests are obeyed.
func TestSteering(t *testing.T) {
	h := open(t)
	h.waiting("ann", 1)
	id := h.start(func(e *tournament.Event) {
		e.Bots, e.Matches, e.Settings.Plan.Kind = []string{"ann", "bob=random", "cat=greedy"}, 0, "ladder"
	})
	until(t, "the event to begin", func() bool { p, _ := h.server.Progress(id); return p.State == server.Running })
	page := fmt.Sprintf("/events/%d", id)
	if _, text := h.get(page); strings.Contains(text, "<form method=\"post\"") {
		t.Error("a viewer's page has an operator's form")
	}
	for _, action := range []string{"pause", "resume", "stop", "join", "leave"} {
		if status, _ := fetch(t, http.MethodPost, h.URL()+page+"/"+action); status != http.StatusForbidden {
			t.Errorf("a viewer's %s: %d, want 403", action, status)
		}
	}
	for _, step := range []struct {
		action, form string
		status       int
		state        string
	}{
		{"pause", "", http.StatusSeeOther, "paused"},
		{"resume", "", http.StatusSeeOther, "running"},
		{"join", "bot=" + url.QueryEscape("dan=greedy"), http.StatusSeeOther, "running"},
		{"join", "", http.StatusBadRequest, "running"},
		{"leave", "bot=nobody", http.StatusBadRequest, "running"},
		{"leave", "bot=dan", http.StatusSeeOther, "running"},
		{"stop", "", http.StatusSeeOther, "interrupted"},
		{"stop", "", http.StatusBadRequest, "interrupted"},
	} {
		if status := h.asOperator(http.MethodPost, page+"/"+step.action, step.form); status != step.status {
			t.Errorf("%s %s: %d, want %d", step.action, step.form, status, step.status)
		}
		if p, _ := h.server.Progress(id); string(p.State) != step.state {
			t.Errorf("after %s the event is %s, want %s", step.action, p.State, step.state)
		}
	}
	if _, text := h.get("/"); !strings.Contains(text, fmt.Sprintf("arena event resume %d", id)) {
		t.Error("the first page does not say how to resume the interrupted event")
	}
	if _, text := h.get("/events?state=interrupted"); !strings.Contains(text, `href="`+page+`"`) {
		t.Error("the list of interrupted events does not have it")
	}
}

// Bots leave events of every format from their page, and join ladders alone.
func TestLeavingARoundRobin(t *testing.T) {
	h := open(t)
	h.waiting("ann", 1)
	id := h.start(func(e *tournament.Event) { e.Bots, e.Matches = []string{"ann", "bob=random"}, 1 })
	until(t, "the event to begin", func() bool { p, _ := h.server.Progress(id); return p.State == server.Running })
	page := fmt.Sprintf("/events/%d", id)
	_, text := h.send(http.MethodGet, page, "", map[string]string{"Authorization": "Bearer " + h.secret})
	if !strings.Contains(text, page+`/leave"`) || strings.Contains(text, page+`/join"`) {
		t.Error("the page of a round-robin has no form to leave it, or one to join it")
	}
	for _, step := range []struct {
		action, bot string
		want        int
	}{{"join", "cat=random", http.StatusBadRequest}, {"leave", "ann", http.StatusSeeOther}} {
		if status := h.asOperator(http.MethodPost, page+"/"+step.action, "bot="+url.QueryEscape(step.bot)); status != step.want {
			t.Errorf("%s: %d, want %d", step.action, status, step.want)
		}
	}
	if e, err := h.store.Event(t.Context(), id); err != nil || e.Present("ann") {
		t.Errorf("ann is there still: %v", err)
	}
}

// An event that was given more matches when it was over is shown so at once, whether this arena played it or an
// earlier one.
func TestExtendedEventOnPages(t *testing.T) {
	h := open(t)
	client := &server.Client{URL: h.URL(), Token: h.secret}
	played := h.play(nil)
	idle, err := h.store.CreateEvent(t.Context(), tournament.Event{
		Name: "idle", Rules: rules.GPCC2015, Size: rules.Full, Matches: 1, Concurrency: 1,
		Entries: []tournament.Entry{{Name: "ann", Spec: "random"}, {Name: "bob", Spec: "random"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{played, idle} {
		page := fmt.Sprintf("/events/%d", id)
		if _, text := h.get(page); !strings.Contains(text, " of 2</span>") {
			t.Errorf("event %d is not shown with 2 games:\n%s", id, text)
		}
		if err := client.Extend(t.Context(), id, 3); err != nil {
			t.Fatal(err)
		}
		if _, text := h.get(page); !strings.Contains(text, " of 6</span>") || !strings.Contains(text, "event resume") {
			t.Errorf("event %d is not shown with 6 games:\n%s", id, text)
		}
	}
}

// Only an operator sees the seed of an event that is not over, with the command that repeats it: the seed would help an
// opponent.
func TestSeedIsSecret(t *testing.T) {
	h := open(t)
	client := &server.Client{URL: h.URL(), Token: h.secret}
	e := tournament.Event{Bots: []string{"random", "ann"}, Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 1, InProcess: true, Seed: 4711}
	event, err := client.Book(t.Context(), server.Booking{Event: e})
	h.must(err)
	for over := range 2 {
		for _, path := range []string{"/events/%d", "/events/%d/report", "/events/%d/report?format=markdown"} {
			for _, reader := range []map[string]string{{}, {"Authorization": "Bearer " + h.secret}} {
				status, text := h.send(http.MethodGet, fmt.Sprintf(path, event), "", reader)
				if want := over == 1 || len(reader) > 0; status != http.StatusOK || strings.Contains(text, "4711") != want || strings.Contains(text, "After the event, the command") == want {
					t.Errorf("%s, over %d, reader %v: status %d, it must show the seed: %t", path, over, reader, status, want)
				}
			}
		}
		if over == 0 {
			h.must(client.Cancel(t.Context(), event))
		}
	}
}

// Pages show the obstacles for an event in the queue, and an operator takes it out.
func TestQueueOnPages(t *testing.T) {
	h := open(t)
	client := &server.Client{URL: h.URL(), Token: h.secret}
	every, err := agenda.ParseEvery("24h")
	if err != nil {
		t.Fatal(err)
	}
	e := tournament.Event{Bots: []string{"random", "ann"}, Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 1, InProcess: true}
	for _, b := range []server.Booking{{Event: e}, {Event: e, Every: every, StartAt: "2126-12-01T20:00:00Z"}} {
		if _, err := client.Book(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"/":                    "not connected: ann",
		"/events":              "scheduled",
		"/events?state=queued": `href="/events/1"`,
		"/events/1":            "not connected: ann",
		"/events/2":            "it begins at 2126-12-01 20:00:00 &#43;00:00; number 1 of a series, every 24h",
	} {
		if _, text := h.get(path); !strings.Contains(text, want) {
			t.Errorf("%s does not have %q", path, want)
		}
	}
	if _, text := h.get("/events?state=being+played"); strings.Contains(text, `href="/events/1"`) {
		t.Error("an event in the queue is listed as being played")
	}
	for _, step := range []struct {
		action string
		status int
		state  server.State
	}{
		{"1/skip", http.StatusBadRequest, server.Queued},
		{"1/cancel", http.StatusSeeOther, server.Interrupted},
		{"2/skip", http.StatusSeeOther, server.Scheduled},
		{"2/cancel", http.StatusSeeOther, server.Interrupted},
		{"2/cancel", http.StatusBadRequest, server.Interrupted},
	} {
		path := "/events/" + step.action
		if status, _ := fetch(t, http.MethodPost, h.URL()+path); status != http.StatusForbidden {
			t.Errorf("%s by a viewer: %d, want 403", path, status)
		}
		if status := h.asOperator(http.MethodPost, path, ""); status != step.status {
			t.Errorf("%s: %d, want %d", path, status, step.status)
		}
		if p, _ := h.server.Progress(int64(step.action[0] - '0')); p.State != step.state {
			t.Errorf("after %s the event is %s", path, p.State)
		}
	}
}

// Standings, progress and games of an event change while a visitor looks.
func TestEventLive(t *testing.T) {
	h := open(t)
	ann := h.waiting("ann", 1)
	id := h.start(func(e *tournament.Event) {
		e.Bots, e.Matches, e.Concurrency = []string{"ann", "bob=random"}, 4, 1
	})
	b := browse(t, h.URL())
	b.visit(fmt.Sprintf("/events/%d", id))
	b.await(`document.querySelector("[data-done-text]").textContent === "0 of 8"`)
	ann.play(3)
	b.await(`document.querySelector("[data-done-text]").textContent === "3 of 8"`)
	b.await(`[...document.querySelectorAll("[data-standings] tbody tr")].every((row) => row.cells[2].textContent === "1")`)
	b.await(`document.querySelectorAll("[data-games-list] tbody a").length > 2`)
	ann.play(5)
	b.await(`document.querySelector("[data-state]").textContent === "finished"`)
	b.await(`document.querySelector("[data-done-text]").textContent === "8 of 8"`)
	b.await(`document.querySelectorAll("[data-games-list] tbody a").length === 8`)
	want := h.progressOf(id)
	got := eval[[][]string](b, `[...document.querySelectorAll("[data-standings] tbody tr")].map((row) => [row.cells[1].textContent.trim(), row.cells[2].textContent])`)
	for i, place := range want {
		if got[i][0] != place.Name || got[i][1] != fmt.Sprint(place.Played) {
			t.Errorf("place %d is %v, want %s with %d matches", i+1, got[i], place.Name, place.Played)
		}
	}
	until(t, "the ratings", func() bool { // a page may lack the ratings if its event ended while they were computed
		b.visit(fmt.Sprintf("/events/%d", id))
		return eval[bool](b, `document.querySelectorAll("#ratings tbody tr").length === 2`)
	})
}

// The part of the page of an event that has the focus is renewed as well, and keeps the focus. Only a field in which a
// user types stays unchanged until the user has left it.
func TestFocusOnEventPage(t *testing.T) {
	h := open(t)
	ann := h.waiting("ann", 1)
	id := h.start(func(e *tournament.Event) {
		e.Bots, e.Matches, e.Concurrency, e.Settings.Plan.Kind = []string{"ann", "bob=random"}, 0, 1, "ladder"
	})
	b := browse(t, h.URL())
	page := fmt.Sprintf("/events/%d", id)
	b.visit("/login?next=" + page)
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	const played = `[...document.querySelectorAll("[data-standings] tbody tr")].map((row) => row.cells[2].textContent).join()`
	b.await(`document.querySelector("[data-standings]") !== null`)
	for matches, at := range []string{`[aria-label="standings"]`, `[data-standings] a[href="/bots/ann"]`} {
		eval[bool](b, fmt.Sprintf(`(document.querySelector('%s').focus(), true)`, at))
		ann.play(2)
		b.await(fmt.Sprintf(`%s === "%d,%[2]d"`, played, matches+1))
		if !eval[bool](b, fmt.Sprintf(`document.activeElement === document.querySelector('%s')`, at)) {
			t.Errorf("%s lost the focus", at)
		}
	}
	eval[bool](b, `(document.querySelector("#steer [name=bot][list]").focus(), document.activeElement.value = "cat", true)`)
	if status := h.asOperator(http.MethodPost, page+"/stop", ""); status != http.StatusSeeOther {
		t.Fatalf("the stop: %d", status)
	}
	b.await(`document.querySelector("[data-state]").textContent === "interrupted"`)
	if got := eval[string](b, `document.activeElement.value`); got != "cat" {
		t.Errorf("the field in which somebody works has %q", got)
	}
	eval[bool](b, `(document.activeElement.blur(), true)`)
	b.await(`document.querySelector("#steer form[action$=resume]") !== null && document.querySelector("#steer [name=bot]") === null`)
}

// An operator who logged in steers an event with the buttons of its page.
func TestSteeringInTheBrowser(t *testing.T) {
	h := open(t)
	h.waiting("ann", 1)
	id := h.start(func(e *tournament.Event) {
		e.Bots, e.Matches, e.Settings.Plan.Kind = []string{"ann", "bob=random", "cat=greedy"}, 0, "ladder"
	})
	b := browse(t, h.URL())
	page := fmt.Sprintf("/events/%d", id)
	b.visit("/login?next=" + page)
	b.run(chromedp.SendKeys(chromedp.CSS("#token"), h.secret+"\r"))
	for _, step := range []struct{ prepare, action, state string }{
		{"", "pause", "paused"},
		{"", "resume", "running"},
		{`document.querySelector("#steer [name=bot][list]").value = "dan=random"`, "join", "running"},
		{`document.querySelector("#steer select").value = "dan"`, "leave", "running"},
		{"", "stop", "interrupted"},
	} {
		form := fmt.Sprintf(`form[action$=%q]`, "/"+step.action)
		b.await(fmt.Sprintf("document.querySelector(%q) !== null", form))
		// At once, since the page renews a form that nobody is at.
		eval[bool](b, fmt.Sprintf(`(%s, document.querySelector(%q).querySelector("button").click(), true)`, cmp.Or(step.prepare, "0"), form))
		b.await(fmt.Sprintf(`document.querySelector("[data-state]")?.textContent === %q`, step.state))
		if step.action == "join" || step.action == "leave" {
			b.await(fmt.Sprintf(`[...document.querySelectorAll("#steer option")].some((o) => o.value === "dan") === %t`, step.action == "join"))
		}
	}
	if p, _ := h.server.Progress(id); p.State != server.Interrupted {
		t.Errorf("the event is %s, want it interrupted", p.State)
	}
}

func (h *host) progressOf(id int64) []tournament.Place {
	p, _ := h.server.Progress(id)
	return p.Standings.Places
}

// The list of games scrolls through all of them, and is sorted and filtered.
func TestGameList(t *testing.T) {
	h := open(t)
	id := h.play(func(e *tournament.Event) {
		e.Bots, e.Matches, e.Size = []string{"ann=random", "bob=random"}, 60, rules.Size{Width: 2, Height: 2}
	})
	b := browse(t, h.URL())
	b.visit(fmt.Sprintf("/events/%d", id))
	const numbers = `[...document.querySelectorAll("[data-games-list] tbody a")].map((a) => Number(a.textContent))`
	b.await(numbers + `.length > 10`)
	if n := eval[int](b, numbers+`.length`); n > 80 {
		t.Errorf("%d rows are on the page, want only those in view", n)
	}
	b.await(`(document.querySelector("[data-games-list]").scrollTop = 1e9, [...document.querySelectorAll("[data-games-list] td:first-child")].some((cell) => cell.textContent === "60.2"))`)
	for _, sorted := range []string{"ascending", "descending"} { // the server does it
		eval[bool](b, `(document.querySelector("[data-order=score]").click(), true)`)
		b.await(fmt.Sprintf(`document.querySelector("[data-order=score]")?.closest("th").ariaSort === %q`, sorted))
	}
	top := read[list](h, fmt.Sprintf("/api/events/%d/games?sort=score&reverse=1&limit=1", id)).Games[0]
	b.await(fmt.Sprintf(`document.querySelector("[data-games-list] tbody a")?.textContent === "%d"`, top.ID))
	b.await(`document.querySelector("[data-games-list].windowed") !== null`) // it listens
	eval[bool](b, `(() => { const s = document.querySelector("[name=ending]"); s.value = "time"; s.dispatchEvent(new Event("change", { bubbles: true })); return true; })()`)
	b.await(`document.querySelector("[data-games-count]")?.textContent === "0 games"`)
}

// allPlies are the plies of all small boards.
const allPlies = `[...document.querySelectorAll("[data-ply-text]")].map((e) => e.textContent).join(" ")`

// Boards of all games in progress change, and lead to their games.
func TestBoards(t *testing.T) {
	h := open(t)
	ann := h.waiting("ann", 4)
	id := h.start(func(e *tournament.Event) {
		e.Bots, e.Concurrency, e.Matches, e.Size = []string{"ann", "bob=random"}, 4, 4, rules.Full
	})
	b := browse(t, h.URL())
	b.visit(fmt.Sprintf("/events/%d/boards", id))
	b.await(`document.querySelectorAll(".small-board").length === 4`)
	before := eval[string](b, allPlies)
	ann.step(1)
	b.await(fmt.Sprintf(`%s !== %q`, allPlies, before))
	href := eval[string](b, `document.querySelector(".small-board a").getAttribute("href")`)
	if status, _ := h.get(href); status != http.StatusOK {
		t.Errorf("%s: %d", href, status)
	}
	if err := h.server.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	b.await(`!document.querySelector("[data-none]").hidden && document.querySelector("[data-state]").textContent === "interrupted"`)
}

// The pages fit the screen, and have their tables without JavaScript.
func TestEventWidths(t *testing.T) {
	h := open(t)
	long := strings.Repeat("W", 64)
	id := h.play(func(e *tournament.Event) { e.Bots = []string{"ann=greedy", long + "=random"} })
	b := browse(t, h.URL())
	for _, path := range []string{"/events", fmt.Sprintf("/events/%d", id), fmt.Sprintf("/events/%d/boards", id), "/bots/ann", "/bots/" + long, "/bots/ann/vs/" + long} {
		b.run(chromedp.EmulateViewport(360, 900))
		b.visit(path)
		for _, width := range []int64{360, 768, 1440} {
			b.run(chromedp.EmulateViewport(width, 900))
			if wide := eval[int64](b, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s is %d wide on a screen of %d", path, wide, width)
			}
		}
	}
	_, text := h.get(fmt.Sprintf("/events/%d", id)) // the page without JavaScript
	for section, want := range map[string]int{"standings": 2, "matrix": 2, "games": 2} {
		_, after, _ := strings.Cut(text, `id="`+section+`"`)
		_, body, _ := strings.Cut(after, "<tbody>")
		body, _, _ = strings.Cut(body, "</tbody>")
		if rows := strings.Count(body, "<tr"); rows != want {
			t.Errorf("without JavaScript %s has %d rows, want %d", section, rows, want)
		}
	}
}
