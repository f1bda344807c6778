package welcome

import "strings"

// Level is an opponent for people, by its strength.
type Level struct {
	Name string // in addresses, and of the bot in its games
	Spec string // of the bot
	Text string // a sentence for people
}

// Levels returns the levels, the weakest first. The matches in docs/strength.md are the reasons for the choice.
func Levels() []Level {
	return []Level{
		{"beginner", "greedy", "looks at the points of the next slide only"},
		{"club", "evminimax:depth=1", "looks a slide ahead and keeps large tiles together"},
		{"champion", "champion", "the strongest bot of this program"},
	}
}

// Title is the level's name for people.
func (l Level) Title() string { return strings.ToUpper(l.Name[:1]) + l.Name[1:] }
