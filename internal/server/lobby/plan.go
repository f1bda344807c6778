package lobby

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"versus2048/internal/server"
	"versus2048/protocol"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Plan is an event without its bots, which are still to come.
//
// The name and the seed of the event identify the plan: after a restart of the arena, a lobby with the same name and
// seed finds the event that it started before. So a host chooses a seed once, and keeps it.
type Plan struct {
	// Event is the event without entries: its name, format, rules, size, clock and so on. The arena itself
	// starts the bots in its field Bots, beside the bots that come. Usually there are none.
	Event    tournament.Event `json:"event"`
	Expected int              `json:"expected,omitempty"` // the number of expected bots, 0 if that is unknown
	Names    []string         `json:"names,omitempty"`    // of expected bots, as far as they are known
	// Code is the code of the invitation for joiners; "" for none. The page of the lobby shows it to everybody who may
	// look.
	Code string `json:"code,omitempty"`
	// Address is the address of the arena's pages for joiners, such as http://192.168.1.5:2048. "" stands for the address
	// that a visitor has used.
	Address string `json:"address,omitempty"`
}

// Validate returns an error if the plan is wrong, or if the expected bots and the arena's own could not play its event.
func (p Plan) Validate() error {
	switch {
	case p.Event.Name == "":
		return errors.New("the event of a lobby has no name: give it one")
	case len(p.Event.Entries) > 0:
		return errors.New("the event of a lobby has entries: name the expected bots in the plan instead")
	case p.Expected < 0 || p.Expected > tournament.MaxBots:
		return fmt.Errorf("%d bots are expected: want at most %d, or 0 if the number is unknown", p.Expected, tournament.MaxBots)
	case p.Address != "" && !strings.HasPrefix(p.Address, "http://") && !strings.HasPrefix(p.Address, "https://"):
		return fmt.Errorf("%q is not an address of the pages: want one such as http://192.168.1.5:2048", p.Address)
	case p.Code != "" && !protocol.IsCode(p.Code):
		return fmt.Errorf("%q is not the code of an invitation", p.Code)
	}
	for i, name := range p.Names {
		if err := server.CheckName(name); err != nil {
			return fmt.Errorf("expected bot %d: %w", i+1, err)
		}
		if slices.Contains(p.Names[:i], name) {
			return fmt.Errorf("bot %q is expected twice: name it once", name)
		}
	}
	return p.validateEvent()
}

// validateEvent returns an error if the expected bots and the arena's own could not play the event of the plan.
func (p Plan) validateEvent() error {
	return playable(p.Event, max(fewest, p.expected()+len(p.Event.Bots)))
}

// playable returns an error if that many bots could not play an event.
func playable(e tournament.Event, bots int) error {
	e.Bots, e.Entries = nil, nil
	for i := range bots {
		e.Entries = append(e.Entries, tournament.Entry{Name: fmt.Sprintf("bot-%d", i+1)})
	}
	return format.Validate(e)
}

// fitted returns an event with fewer rounds if the bots that have come cannot play all of its rounds.
func fitted(e tournament.Event) tournament.Event {
	for rounds := &e.Settings.Plan.Rounds; *rounds > 1 && playable(e, len(e.Bots)) != nil; {
		*rounds--
	}
	return e
}

// fewest is the smallest number of bots of an event.
const fewest = 2

// expected returns the number of expected bots, 0 if that is unknown.
func (p Plan) expected() int { return max(p.Expected, len(p.Names)) }
