package standing

import (
	"strings"

	"versus2048/players"
	"versus2048/tournament"
)

// Bot is an entry of a list: a version of a bot. A bot that connects by itself is identified by its name, and
// by the version, author and spec in its hello. A bot that the arena starts is identified by its complete spec,
// under any name and in any version of the arena, since the meaning of a complete spec does not change.
type Bot struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Author  string `json:"author,omitempty"`
	Spec    string `json:"spec,omitempty"`
	// Mixed reports that the bot stands for several versions of one name. The games were recorded
	// by a version of the arena that did not record which of them played.
	Mixed bool `json:"mixed,omitempty"`
}

// HostedBot returns the bot that the arena starts by a spec. Its name is the shortest equivalent spec.
func HostedBot(spec string) Bot { return Bot{Name: players.Short(spec), Spec: spec} }

// ConnectedBot returns the bot with this description of itself.
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
