package players

import (
	"fmt"
	"strconv"
)

// Option is one setting of a kind of bot.
type Option struct {
	Name    string
	Default string // as a spec writes it
	Meaning string
	// Least and Most are the range of a whole number. Both are 0 for an option
	// that is true or false.
	Least, Most uint64
}

// Allowed says which values the option takes: "1 to 8" or "true or false".
func (o Option) Allowed() string {
	if o.isSwitch() {
		return "true or false"
	}
	return fmt.Sprintf("%d to %d", o.Least, o.Most)
}

func (o Option) isSwitch() bool { return o.Most == 0 }

// parse reads a value. A switch is 0 for false and 1 for true.
func (o Option) parse(text string) (uint64, error) {
	var v uint64
	var err error
	switch {
	case !o.isSwitch():
		v, err = strconv.ParseUint(text, 10, 64)
	case text == "true":
		return 1, nil
	case text != "false":
		err = strconv.ErrSyntax
	}
	if err != nil || v < o.Least || v > o.Most {
		return 0, fmt.Errorf("option %s=%.40q: want %s", o.Name, text, o.Allowed())
	}
	return v, nil
}

// format writes a value as parse reads it.
func (o Option) format(v uint64) string {
	if o.isSwitch() {
		return strconv.FormatBool(v == 1)
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
