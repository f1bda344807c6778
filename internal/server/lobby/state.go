package lobby

import (
	"cmp"
	"slices"
	"time"
)

// State is the state of a lobby at one moment.
type State struct {
	Name  string `json:"name"`            // of the event
	Open  bool   `json:"open"`            // bots are gathered
	Event int64  `json:"event,omitempty"` // the number of the event that was started, 0 before that
	Bots  []Bot  `json:"bots"`            // all that are here, away or late, by name
	// Expected is the number of expected bots, 0 if that is unknown. Missing is the number of bots that still have to
	// come, among them all that are expected by name.
	Expected int    `json:"expected"`
	Missing  int    `json:"missing"`
	Code     string `json:"code,omitempty"`    // of the invitation
	Address  string `json:"address,omitempty"` // of the plan
	Plan     Plan   `json:"-"`                 // has the seed, which is secret while the event is played
}

// Here returns the number of bots that are here.
func (s State) Here() (n int) {
	for _, b := range s.Bots {
		if b.Place == Here {
			n++
		}
	}
	return n
}

// missing counts the bots that still have to come, among them all that are expected by name.
func (s State) missing() int {
	late := 0
	for _, b := range s.Bots {
		if b.Place != Here && slices.Contains(s.Plan.Names, b.Name) {
			late++
		}
	}
	return max(late, s.Expected-s.Here())
}

// Complete reports whether all expected bots are here and have passed their check. It reports false if no bot has
// passed, or if the bots that have passed and the arena's own are fewer than two.
func (s State) Complete() bool {
	passed := 0
	for _, b := range s.Bots {
		switch ready := b.Place == Here && b.Check.Result == Passed; {
		case ready:
			passed++
		case slices.Contains(s.Plan.Names, b.Name):
			return false
		}
	}
	return s.Missing == 0 && passed >= max(1, s.Expected, fewest-len(s.Plan.Event.Bots))
}

// Place is where a bot is.
type Place string

// The places.
const (
	Here Place = "here"
	Late Place = "late" // expected by name, and not seen yet
	Away Place = "away" // it was here and has left
)

// Bot is a bot that is expected, or that has come.
type Bot struct {
	Name  string    `json:"name"`
	Place Place     `json:"state"` // "here", "away" (it was here) or "late" (expected by name, and not seen yet)
	Since time.Time `json:"since"` // when it came or left, or when the lobby was opened
	Check Check     `json:"check"`
}

// Check is the short check of a bot.
type Check struct {
	Result Result `json:"result"`        // "waiting", "running", "passed" or "failed"
	Why    string `json:"why,omitempty"` // a sentence: why the bot has failed
}

// Result is the state of a check.
type Result string

// The results.
const (
	Waiting Result = "waiting" // for the bot, or for other checks
	Running Result = "running"
	Passed  Result = "passed"
	Failed  Result = "failed"
)

// State returns the present state.
func (l *Lobby) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := State{
		Name: l.plan.Event.Name, Open: l.event == 0, Event: l.event, Bots: []Bot{},
		Expected: l.plan.expected(), Code: l.plan.Code, Address: l.plan.Address, Plan: l.plan,
	}
	for _, g := range l.bots {
		now.Bots = append(now.Bots, g.Bot)
	}
	for _, name := range l.plan.Names {
		if l.bots[name] == nil {
			now.Bots = append(now.Bots, Bot{Name: name, Place: Late, Since: l.opened, Check: Check{Result: Waiting}})
		}
	}
	slices.SortFunc(now.Bots, func(a, b Bot) int { return cmp.Compare(a.Name, b.Name) })
	now.Missing = now.missing()
	return now
}
