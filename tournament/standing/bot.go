package standing

import (
	"strings"

	"versus2048/players"
	"versus2048/tournament"
)

// Bot is what a list rates: a version of a bot. A bot that connects by itself is a name with the version, author
// and spec that its hello told. A bot that the arena starts is its complete spec, whatever it was called and
// whichever version of the arena played it: the meaning of a complete spec does not change.
type Bot struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Author  string `json:"author,omitempty"`
	Spec    string `json:"spec,omitempty"`
	// Mixed bots are several versions of one name: it is not on record which of them played, since a version of the
	// arena recorded the games that did not write that down.
	Mixed bool `json:"mixed,omitempty"`
}

// HostedBot returns the bot that the arena starts by a spec. Its name is the shortest such spec.
func HostedBot(spec string) Bot { return Bot{Name: players.Short(spec), Spec: spec} }

// ConnectedBot returns the bot that describes itself in this way.
func ConnectedBot(id tournament.Identity) Bot {
	return Bot{Name: id.Name, Version: id.Version, Author: id.Author, Spec: id.Spec}
}

// String returns the name and, if there is one, the version.
func (b Bot) String() string {
	switch {
	case b.Mixed:
		return b.Name + " (several versions)"
	case b.Version != "":
		return b.Name + " " + b.Version
	}
	return b.Name
}

// Hosted reports whether the arena starts the bot.
func (b Bot) Hosted() bool { return b.Spec != "" && b == HostedBot(b.Spec) }

// key identifies the bot in matches.
func (b Bot) key() string {
	mixed := ""
	if b.Mixed {
		mixed = "mixed"
	}
	return strings.Join([]string{b.Name, b.Version, b.Author, b.Spec, mixed}, "\x00")
}
