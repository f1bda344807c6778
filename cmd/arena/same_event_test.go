package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/results"
	"versus2048/tournament"
)

// asker asks a running arena for events as an operator does.
type asker struct {
	*host
	token string
}

func newAsker(t *testing.T) *asker {
	t.Helper()
	h := newHost(t)
	h.serve(t)
	token, _, _ := run(t, "arena", "token", "new", "--operator", "--db", h.db, "ann")
	h.client.Token = strings.TrimSpace(token)
	return &asker{h, h.client.Token}
}

// ask sends a request as an operator, and returns the address that the answer redirects to, or its text.
func (a *asker) ask(t *testing.T, method, path, kind, body string) (place, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, a.client.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Authorization", "Bearer "+a.token)
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Header.Get("Location"), string(all)
}

// byRequest starts the event in a body, and byForm the event in a form. They return its number, or the arena's error.
func (a *asker) byRequest(t *testing.T, body string) (id int64, problem string) {
	_, text := a.ask(t, http.MethodPost, "/api/events", "application/json", body)
	var answer struct{ Event int64 }
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatal(text)
	}
	return answer.Event, text
}

func (a *asker) byForm(t *testing.T, form url.Values) (id int64, problem string) {
	form.Set("do", "start")
	place, text := a.ask(t, http.MethodPost, "/new", "application/x-www-form-urlencoded", form.Encode())
	id, _ = strconv.ParseInt(strings.TrimPrefix(place, "/events/"), 10, 64)
	return id, text
}

// page returns the page with the form, with its defaults.
func (a *asker) page(t *testing.T) string {
	_, text := a.ask(t, http.MethodGet, "/new", "", "")
	return text
}

// recorded returns the event as the database has it, without its number and its date. It stops the event, which would
// take time from the events after it.
func (a *asker) recorded(t *testing.T, id int64, problem string) tournament.Event {
	t.Helper()
	if id == 0 {
		t.Errorf("the event is refused: %.2000s", problem)
		return tournament.Event{}
	}
	store, err := results.OpenReader(t.Context(), a.db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	e, err := store.Event(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	_ = a.client.Stop(t.Context(), id) // unless it is over
	e.ID, e.Created = 0, time.Time{}
	return e
}

var (
	typed  = regexp.MustCompile(`<input id="[^"]*" name="([^"]*)" value="([^"]*)"`)
	picked = regexp.MustCompile(`name="([^"]*)">(?:<option>[^<]*</option>)*<option selected>([^<]*)<`)
)

// formOf returns the form of a page, filled in as flags say.
func formOf(page, flags string) url.Values {
	form := url.Values{}
	for _, m := range append(typed.FindAllStringSubmatch(page, -1), picked.FindAllStringSubmatch(page, -1)...) {
		form.Set(m[1], m[2])
	}
	for part := range strings.SplitSeq(" "+flags, " --") {
		if name, value, valued := strings.Cut(part, " "); valued {
			if name == "bot" {
				value = strings.TrimSpace(form.Get(name) + "\n" + value)
			}
			form.Set(name, value)
		} else if name != "" {
			form.Set(name, "on")
		}
	}
	return form
}

// bodyOf returns one body with the keys of both.
func bodyOf(t *testing.T, base, more string) string {
	t.Helper()
	var all map[string]any
	for _, text := range []string{base, more} {
		values := json.NewDecoder(strings.NewReader(text))
		values.UseNumber()
		if err := values.Decode(&all); err != nil { // into the same map
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// base is a short event in each form, which the rows of flagsAndKeys change.
type base struct{ flags, file, body string }

// baseFor returns the base for a row of flagsAndKeys: a gauntlet has a third bot, an open ladder no end.
func baseFor(flags string) base {
	b := base{
		"--bot a=greedy --bot b=random --in-process --concurrency 1", "bots = [\"a=greedy\", \"b=random\"]\nin_process = true\n",
		`{"bots": ["a=greedy", "b=random"], "seed": 1, "in_process": true, "concurrency": 1, "clock": {"per_move_ns": 5000000000}}`,
	}
	add := func(flag, value string) {
		if !strings.Contains(flags, "--"+flag) {
			b.flags += " --" + flag + " " + strings.Trim(value, `"`)
			b.file += flag + " = " + value + "\n"
			b.body = strings.TrimSuffix(b.body, "}") + `, "` + flag + `": ` + value + "}"
		}
	}
	if strings.Contains(flags, "gauntlet") {
		b.flags += " --bot c=random"
		b.file = strings.Replace(b.file, `random"`, `random", "c=random"`, 1)
		b.body = strings.Replace(b.body, `random"`, `random", "c=random"`, 1)
	}
	if !strings.Contains(flags, "--concurrency") {
		b.file += "concurrency = 1\n"
	} else {
		b.flags = strings.Replace(b.flags, " --concurrency 1", "", 1)
	}
	if !strings.Contains(flags, "--open ") {
		add("matches", "1")
	}
	add("size", `"3x3"`) // short games, and there are openings
	return b
}

// The same event by all four doors, flags, file, request and form, is recorded as the same event, setting by setting.
func TestEveryDoorStartsTheSameEvent(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	a := newAsker(t)
	byCommand := func(e tournament.Event, problem string) (int64, string) {
		if problem != "" {
			return 0, problem
		}
		id, err := a.client.Start(t.Context(), e)
		if err != nil {
			problem = err.Error()
		}
		return id, problem
	}
	page := a.page(t)
	for _, row := range append(allFlagsAndKeys(t), door{"", "", "{}"}) {
		b := baseFor(row.flags)
		want, problem := byCommand(eventOf(t, strings.Fields(b.flags+" "+row.flags)...))
		event := a.recorded(t, want, problem)
		if strings.HasPrefix(row.file, "in_process") {
			b.file = strings.Replace(b.file, "in_process = true\n", "", 1)
		}
		doors := map[string]func() (int64, string){
			"file":    func() (int64, string) { return byCommand(configured(t, b.file+row.file)) },
			"request": func() (int64, string) { return a.byRequest(t, bodyOf(t, b.body, row.body)) },
			"form":    func() (int64, string) { return a.byForm(t, formOf(page, b.flags+" "+row.flags)) },
		}
		for door, start := range doors {
			id, problem := start()
			if got := a.recorded(t, id, problem); !reflect.DeepEqual(got, event) {
				t.Errorf("%s by %s is\n%+v\nwant\n%+v", row.flags, door, got, event)
			}
		}
	}
}

// Every flag of an event has its field in the form.
func TestFormHasEveryFlag(t *testing.T) {
	a := newAsker(t)
	page := a.page(t)
	for _, flag := range eventFlags() {
		if name := flag.Names()[0]; !strings.Contains(page, `name="`+name+`"`) {
			t.Errorf("the form has no field for --%s", name)
		}
	}
}

// No door takes a zero for a number that is left out: every door refuses it.
func TestEveryDoorRefusesZeros(t *testing.T) {
	t.Parallel()
	a := newAsker(t)
	page := a.page(t)
	for _, row := range []struct{ flags, file, body, why string }{
		{"--format gauntlet --seeds 0", `plan = {kind = "gauntlet", seeds = 0}`, `{"kind": "gauntlet", "seeds": 0}`, "seeds 0: want at least 1"},
		{"--format swiss --rounds 0", `plan = {kind = "swiss", rounds = 0}`, `{"kind": "swiss", "rounds": 0}`, "rounds 0: want at least 1"},
		{"--format ladder --ahead 0", `plan = {kind = "ladder", ahead = 0}`, `{"kind": "ladder", "ahead": 0}`, "ahead 0: want at least 1"},
		{"--format ladder --open all --most 0", `plan = {kind = "ladder", open = "all", most = 0}`, `{"kind": "ladder", "open": "all", "most": 0}`, "most 0: want at least 1"},
		{"--format placement --within 0", `plan = {kind = "placement", within = 0.0}`, `{"kind": "placement", "within": 0}`, "within 0: want more"},
		{"--format placement --within 1e-400", `plan = {kind = "placement", within = 1e-400}`, `{"kind": "placement", "within": 1e-400}`, "within 0: want more"},
		{"--format sprt --sprt elo1=5,alpha=0", `plan = {kind = "sprt", sprt = {elo1 = 5.0, alpha = 0.0}}`, `{"kind": "sprt", "sprt": {"elo1": 5, "alpha": 0}}`, "alpha 0: want more"},
		{"--format sprt --sprt elo1=5,alpha=1e-400", `plan = {kind = "sprt", sprt = {elo1 = 5.0, alpha = 1e-400}}`, `{"kind": "sprt", "sprt": {"elo1": 5, "alpha": 1e-400}}`, "alpha 0: want more"},
		{"--format sprt --sprt elo1=5,beta=0", `plan = {kind = "sprt", sprt = {elo1 = 5.0, beta = 0.0}}`, `{"kind": "sprt", "sprt": {"elo1": 5, "beta": 0}}`, "beta 0: want more"},
		{"--format sprt --sprt elo1=1e-300", `plan = {kind = "sprt", sprt = {elo1 = 1e-300}}`, `{"kind": "sprt", "sprt": {"elo1": 1e-300}}`, "hardly ever ends"},
	} {
		b := baseFor(row.flags)
		flags := strings.Fields(b.flags + " " + row.flags)
		if _, problem, code := run(t, "arena", append([]string{"event", "run", "--quiet", "--db", t.TempDir() + "/x.db"}, flags...)...); code != 2 || !strings.Contains(problem, row.why) {
			t.Errorf("%s: exit code %d, %q, want %q", row.flags, code, problem, row.why)
		}
		var byFile bytes.Buffer
		if e, problem := configured(t, b.file+row.file); problem != "" {
			byFile.WriteString(problem)
		} else if _, err := a.client.Start(t.Context(), e); err != nil {
			byFile.WriteString(err.Error())
		}
		_, byRequest := a.byRequest(t, bodyOf(t, b.body, `{"settings": {"plan": `+row.body+`}}`))
		_, byForm := a.byForm(t, formOf(page, b.flags+" "+row.flags))
		for door, problem := range map[string]string{"file": byFile.String(), "request": byRequest, "form": byForm} {
			if !strings.Contains(problem, row.why) {
				t.Errorf("%s by %s: %.300q, want %q", row.flags, door, problem, row.why)
			}
		}
	}
}
