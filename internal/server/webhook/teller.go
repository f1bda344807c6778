package webhook

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/trouble"
	"versus2048/internal/text/plain"
	"versus2048/tournament"
)

// The types of notices. Types may be added; the present ones stay.
const (
	ArenaStarted   = "arena_started"
	ArenaStopped   = "arena_stopped"
	Ping           = "ping" // by arena webhook test
	EventStarted   = "event_started"
	EventFinished  = "event_finished" // or interrupted, or failed: see EventData.State
	BotLost        = "bot_lost"
	TroubleRaised  = "trouble_raised"
	TroubleCleared = "trouble_cleared"
)

// ProgramData is the data of notices about the arena itself.
type ProgramData struct {
	Version string `json:"version"`
}

// EventData is the data of notices about an event.
type EventData struct {
	Event     int64                 `json:"event"`
	Name      string                `json:"name"`
	State     server.State          `json:"state"`
	Message   string                `json:"message,omitempty"` // why it has failed
	Done      int                   `json:"done"`              // finished games
	Total     int                   `json:"total"`             // of all games; 0 if it has no end
	Faults    int                   `json:"faults"`            // games that were lost by a fault
	Standings *tournament.Standings `json:"standings,omitempty"`
}

// mostPlaces is the largest number of places in the standings of a notice.
const mostPlaces = 100

// BotData is the data of a notice about a bot that an event has lost.
type BotData struct {
	Event int64       `json:"event"`
	Name  string      `json:"name"` // of the event
	Bot   string      `json:"bot"`
	Why   trouble.Why `json:"why"`
}

// Teller reports news to the host of an arena: everything to the webhooks, troubles also to the log. Its methods return
// at once, and may be called by several goroutines.
type Teller struct {
	Hooks   *Hooks // nil for none
	Address string // of the arena's pages
	Version string // of the program
	Log     *slog.Logger
}

// New returns a notice with the present time.
func (t *Teller) New(kind, text string, data any) Notice {
	return Notice{Type: kind, Time: time.Now().UTC(), Arena: t.Address, Text: text, Data: data}
}

func (t *Teller) send(kind, text string, data any) { t.Hooks.Send(t.New(kind, text, data)) }

// Opened reports that the arena is open.
func (t *Teller) Opened() {
	t.send(ArenaStarted, fmt.Sprintf("the arena is open (version %s)", t.Version), ProgramData{t.Version})
}

// Closed reports that the arena has shut down. An arena that is killed does not report it.
func (t *Teller) Closed() { t.send(ArenaStopped, "the arena has shut down", ProgramData{t.Version}) }

// News reports that an event has started or is over. It ignores other news.
func (t *Teller) News(n server.News) {
	p := n.Progress
	if p == nil || n.Type != server.EventStarted && n.Type != server.EventFinished {
		return
	}
	e := EventData{Event: p.Event, Name: p.Name, State: p.State, Message: p.Message, Done: p.Done, Total: p.Total}
	if p.Faults != nil {
		e.Faults = p.Faults.Games
	}
	kind, text := EventStarted, startedText(p)
	if n.Type == server.EventFinished {
		e.Standings = shortened(n.Standings)
		kind, text = EventFinished, finishedText(&e)
	}
	t.send(kind, text, e)
}

// shortened returns standings with the first places only.
func shortened(s *tournament.Standings) *tournament.Standings {
	if s == nil || len(s.Places) <= mostPlaces {
		return s
	}
	short := *s
	short.Places = s.Places[:mostPlaces]
	return &short
}

func startedText(p *server.Progress) string {
	text := fmt.Sprintf("event %d %s has started", p.Event, quoted(p.Name))
	if p.Done > 0 {
		text = fmt.Sprintf("event %d %s goes on, after %s games", p.Event, quoted(p.Name), p.Bound.Of(p.Done, p.Total))
	}
	return text
}

// finishedText describes the end of an event, with the first three places.
func finishedText(e *EventData) string {
	about := fmt.Sprintf("event %d %s", e.Event, quoted(e.Name))
	switch e.State {
	case server.Failed:
		return fmt.Sprintf("%s has failed after %s: %s", about, games(e.Done), plain.Line(e.Message))
	case server.Interrupted:
		return fmt.Sprintf("%s was interrupted after %s, and can be resumed", about, games(e.Done))
	}
	text := fmt.Sprintf("%s is over after %s", about, games(e.Done))
	if e.Standings != nil && len(e.Standings.Places) > 0 {
		var places []string
		for _, p := range e.Standings.Places[:min(3, len(e.Standings.Places))] {
			places = append(places, fmt.Sprintf("%d. %s", p.Place, plain.Line(p.Name)))
		}
		text += ": " + strings.Join(places, ", ")
	}
	if e.Faults > 0 {
		text += fmt.Sprintf("; games lost by a fault: %d", e.Faults)
	}
	return text
}

// games counts games in words.
func games(n int) string {
	if n == 1 {
		return "1 game"
	}
	return fmt.Sprintf("%d games", n)
}

// quoted returns a text from a stranger in quotes, on one line.
func quoted(text string) string { return `"` + plain.Line(text) + `"` }

// Lost reports that an event has lost a bot.
func (t *Teller) Lost(e trouble.Event, g trouble.Gone) {
	why := map[trouble.Why]string{
		trouble.Away:     "it has been disconnected for longer than its grace period",
		trouble.Excluded: "its faults have excluded it",
		trouble.Left:     "it has left",
	}[g.Why]
	text := fmt.Sprintf("event %d %s has lost bot %s: %s", e.ID, quoted(e.Name), quoted(g.Bot), why)
	t.send(BotLost, text, BotData{e.ID, e.Name, g.Bot, g.Why})
}

// Changed reports a trouble that was raised or is over, and logs it.
func (t *Teller) Changed(what trouble.Trouble, over bool) {
	if over {
		lasted := max(0, time.Since(what.Since)).Round(time.Second) // the machine's clock may have been set back
		t.Log.Info("trouble is over", "kind", what.Kind, "about", what.Subject, "lasted", lasted)
		t.send(TroubleCleared, fmt.Sprintf("over after %v: %s", lasted, what.Text), what)
		return
	}
	t.Log.Error("trouble", "kind", what.Kind, "about", what.Subject, "what", what.Text)
	t.send(TroubleRaised, "trouble: "+what.Text, what)
}

// fewTries is the number of failed requests in a row that make a webhook a trouble.
const fewTries = 3

// Symptoms returns a symptom for each webhook that does not accept notices.
func (t *Teller) Symptoms() (all []trouble.Symptom) {
	for _, f := range t.Hooks.Failing() {
		all = append(all, trouble.Symptom{
			Kind: trouble.WebhookFailing, Subject: "the webhook " + f.Webhook, Bad: f.Tries >= fewTries || f.Missed > 0,
			Text: fmt.Sprintf("the webhook %s has taken nothing for %v (notices that are lost: %d): %s; try it (arena webhook test), or take it out of the arena's command", f.Webhook, time.Since(f.Since).Round(time.Second), f.Missed, f.Why),
		})
	}
	return all
}
