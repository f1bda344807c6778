package webhook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/trouble"
	"versus2048/internal/server/webhook"
	"versus2048/internal/testkit"
	"versus2048/tournament"
)

// told calls do with a teller, and returns the bodies that a webhook got, and the log.
func told(t *testing.T, do func(*webhook.Teller)) (bodies []string, log string) {
	t.Helper()
	got := make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
	}))
	defer server.Close()
	target, err := webhook.ParseTarget(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&lines, nil))
	hooks := webhook.New(webhook.Config{Targets: []webhook.Target{target}, Log: logger})
	do(&webhook.Teller{Hooks: hooks, Address: "https://arena.example.org", Version: "v1", Log: logger})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	hooks.Run(ended)
	server.Close()
	close(got)
	for body := range got {
		bodies = append(bodies, body)
	}
	return bodies, lines.String()
}

// everything tells one notice of each type but ping.
func everything(teller *webhook.Teller) {
	teller.Opened()
	teller.News(server.News{Type: server.EventStarted, Progress: &server.Progress{Event: 3, Name: "spring open", State: server.Running, Total: 12}})
	teller.News(server.News{Type: server.EventPaused, Progress: &server.Progress{}})
	teller.Lost(trouble.Event{ID: 3, Name: "spring open"}, trouble.Gone{Bot: "snake", Why: trouble.Excluded})
	what := trouble.Trouble{Kind: trouble.BotFaults, Subject: `bot "snake" in event 3`, Event: 3, Bot: "snake", Since: time.Unix(1.8e9, 0).UTC(), Text: "it fails"}
	teller.Changed(what, false)
	teller.Changed(what, true)
	teller.News(server.News{
		Type:     server.EventFinished,
		Progress: &server.Progress{Event: 3, Name: "spring open", State: server.Failed, Message: "the disk is full", Done: 12, Total: 12, Faults: &server.Faults{Games: 2}},
		Standings: &tournament.Standings{
			Format: "round-robin", Columns: []string{"points"}, Places: []tournament.Place{{Place: 1, Name: "ann", Played: 6, Values: []float64{5}}},
		},
	})
	teller.Closed()
}

func TestTypes(t *testing.T) {
	bodies, log := told(t, everything)
	var types []string
	for _, body := range bodies {
		var n webhook.Notice
		if err := json.Unmarshal([]byte(body), &n); err != nil || n.Text == "" || n.Arena == "" || n.Time.IsZero() {
			t.Errorf("%v: %s", err, body)
		}
		types = append(types, n.Type)
	}
	want := slices.DeleteFunc(webhook.Types(), func(kind string) bool { return kind == webhook.Ping })
	slices.Sort(types)
	if slices.Sort(want); !slices.Equal(types, want) {
		t.Errorf("the types %q, want %q", types, want)
	}
	if strings.Count(log, "msg=trouble ") != 1 || strings.Count(log, "trouble is over") != 1 {
		t.Error(log)
	}
}

func TestTexts(t *testing.T) {
	standings := &tournament.Standings{Places: []tournament.Place{{Place: 1, Name: "ann"}, {Place: 1, Name: "b\nb"}, {Place: 3, Name: "cy"}, {Place: 4, Name: "di"}}}
	for want, n := range map[string]server.News{
		`event 3 "x" has started`:                                       {Type: server.EventStarted, Progress: &server.Progress{Event: 3, Name: "x"}},
		`event 3 "x" goes on, after 4 of 12 games`:                      {Type: server.EventStarted, Progress: &server.Progress{Event: 3, Name: "x", Done: 4, Total: 12}},
		`event 3 "x" was interrupted after 4 games, and can be resumed`: {Type: server.EventFinished, Progress: &server.Progress{Event: 3, Name: "x", State: server.Interrupted, Done: 4}},
		`event 3 "x" has failed after 4 games: the disk is full`:        {Type: server.EventFinished, Progress: &server.Progress{Event: 3, Name: "x", State: server.Failed, Message: "the disk is full", Done: 4}},
		`event 3 "x" was interrupted after 1 game, and can be resumed`:  {Type: server.EventFinished, Progress: &server.Progress{Event: 3, Name: "x", State: server.Interrupted, Done: 1}},
		`event 3 "x" is over after 4 games: 1. ann, 1. b\nb, 3. cy`:     {Type: server.EventFinished, Standings: standings, Progress: &server.Progress{Event: 3, Name: "x", State: server.Finished, Done: 4}},
		`event 3 "x" is over after 4 games; games lost by a fault: 1`:   {Type: server.EventFinished, Standings: &tournament.Standings{}, Progress: &server.Progress{Event: 3, Name: "x", Done: 4, Faults: &server.Faults{Games: 1}}},
	} {
		bodies, _ := told(t, func(teller *webhook.Teller) { teller.News(n) })
		var got webhook.Notice
		if len(bodies) != 1 || json.Unmarshal([]byte(bodies[0]), &got) != nil || got.Text != want {
			t.Errorf("%q, want %q", got.Text, want)
		}
	}
}

// A notice of an event with a thousand bots is short.
func TestLongStandings(t *testing.T) {
	standings := &tournament.Standings{Places: make([]tournament.Place, 1000)}
	bodies, _ := told(t, func(teller *webhook.Teller) {
		teller.News(server.News{Type: server.EventFinished, Standings: standings, Progress: &server.Progress{}})
	})
	if n := strings.Count(bodies[0], `"place":`); n != 100 || len(standings.Places) != 1000 {
		t.Errorf("%d places", n)
	}
}

// A webhook that fails is a trouble, and is told to the others.
func TestFailingWebhook(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	target, err := webhook.ParseTarget(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	hooks := webhook.New(webhook.Config{Targets: []webhook.Target{target}, Log: log})
	teller := &webhook.Teller{Hooks: hooks, Log: log}
	if teller.Symptoms() != nil {
		t.Error("a symptom before anything was sent")
	}
	teller.Opened()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	hooks.Run(ended)
	all := teller.Symptoms()
	if len(all) != 1 || !all[0].Bad || all[0].Kind != trouble.WebhookFailing || !strings.Contains(all[0].Text, "404") {
		t.Errorf("symptoms %+v", all)
	}
}

// The schema has an example of each type, with the keys that are sent, and docs/WEBHOOKS.md explains each type.
func TestDocumented(t *testing.T) {
	text := testkit.ReadDocument(t, "../../../docs/WEBHOOKS.md")
	documented := map[string][]string{}
	for _, example := range examples(t) {
		var n struct{ Type string }
		if err := json.Unmarshal(example, &n); err != nil {
			t.Fatal(err)
		}
		documented[n.Type] = keys(t, string(example))
	}
	for _, kind := range webhook.Types() {
		if documented[kind] == nil || !strings.Contains(text, "`"+kind+"`") {
			t.Errorf("testdata/examples.json has no example of %s, or docs/WEBHOOKS.md does not explain it", kind)
		}
	}
	bodies, _ := told(t, everything)
	for _, body := range bodies {
		var n struct{ Type string }
		if err := json.Unmarshal([]byte(body), &n); err != nil {
			t.Fatal(err)
		}
		if got := keys(t, body); !slices.Equal(got, documented[n.Type]) {
			t.Errorf("%s has the keys %q, its example %q", n.Type, got, documented[n.Type])
		}
	}
	for _, kind := range trouble.Kinds() {
		if !strings.Contains(text, "\n- `"+string(kind)+"`: ") {
			t.Errorf("docs/WEBHOOKS.md has no item about %s", kind)
		}
	}
	for _, why := range []trouble.Why{trouble.Away, trouble.Excluded, trouble.Left} {
		if !strings.Contains(text, "`"+string(why)+"`") {
			t.Errorf("docs/WEBHOOKS.md does not say what %s means", why)
		}
	}
}

// keys returns all keys in a text in JSON, sorted.
func keys(t *testing.T, text string) (all []string) {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	var add func(value any)
	add = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			for key, inner := range v {
				all = append(all, key)
				add(inner)
			}
		case []any:
			for _, inner := range v {
				add(inner)
			}
		}
	}
	add(value)
	slices.Sort(all)
	return slices.Compact(all)
}
