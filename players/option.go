package players

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Option is one setting of a kind of bot.
type Option struct {
	Name    string
	Default string // as a spec writes it; "" for a file, which must be given
	Meaning string
	// Choices are the words that the option takes; nil for one that is a number,
	// or true or false.
	Choices []string
	// Least and Most are the range of a whole number. Both are 0 for an option
	// that is none.
	Least, Most uint64
	// File tells that the option is the path of a file, in which a comma would end
	// it. Specs keep it as an absolute one.
	File bool
}

// Allowed says which values the option takes: "1 to 8", "true or false",
// "score, log or rank" or "the path of a file".
func (o Option) Allowed() string {
	switch last := len(o.Choices) - 1; {
	case o.File:
		return "the path of a file"
	case o.isSwitch():
		return "true or false"
	case last >= 0:
		return strings.Join(o.Choices[:last], ", ") + " or " + o.Choices[last]
	}
	return fmt.Sprintf("%d to %d", o.Least, o.Most)
}

func (o Option) isSwitch() bool { return o.Choices == nil && o.Most == 0 && !o.File }

// words are what the option takes, nil for a number. A value is a word's place.
func (o Option) words() []string {
	if o.isSwitch() {
		return []string{"false", "true"}
	}
	return o.Choices
}

// parse reads a value.
func (o Option) parse(text string) (uint64, error) {
	if words := o.words(); words != nil {
		i := slices.Index(words, text)
		if i < 0 {
			return 0, o.refuse(text)
		}
		return uint64(i), nil
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil || v < o.Least || v > o.Most {
		return 0, o.refuse(text)
	}
	return v, nil
}

func (o Option) refuse(text string) error {
	return fmt.Errorf("option %s=%.40q: want %s", o.Name, text, o.Allowed())
}

// format writes a value as parse reads it.
func (o Option) format(v uint64) string {
	if words := o.words(); words != nil {
		return words[v]
	}
	return strconv.FormatUint(v, 10)
}

// seedOption is what every bot that draws has.
func seedOption() Option {
	return Option{
		Name: "seed", Default: "0", Most: 1<<53 - 1,
		Meaning: "mixed with the game's seed into all random choices",
	}
}
