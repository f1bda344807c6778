package players

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Option is one setting of a kind of bot.
type Option struct {
	Name    string
	Default string // as a spec writes it; "" for a file that must be given
	Meaning string // a phrase for help texts, with the unit
	// Choices are the words that the option takes. For a file they are the words that may replace a path.
	// Choices is nil for a number, and for true or false.
	Choices []string
	// Least and Most are the range of a whole number. Both are 0 for other options.
	Least, Most uint64
	// File reports whether the value is the path of a file. The path cannot contain a comma, which would end the
	// option. Specs keep it as an absolute path.
	File bool
}

// Required reports whether a spec must give the option.
func (o Option) Required() bool { return o.Default == "" }

// Allowed describes the values that the option takes: "1 to 8", "true or false", "score, log or
// rank", "the path of a file" or "none or the path of a file".
func (o Option) Allowed() string {
	switch last := len(o.Choices) - 1; {
	case o.File && last < 0:
		return "the path of a file"
	case o.File:
		return strings.Join(o.Choices, ", ") + " or the path of a file"
	case o.isSwitch():
		return "true or false"
	case last >= 0:
		return strings.Join(o.Choices[:last], ", ") + " or " + o.Choices[last]
	}
	return fmt.Sprintf("%d to %d", o.Least, o.Most)
}

func (o Option) isSwitch() bool { return o.Choices == nil && o.Most == 0 && !o.File }

// isPath reports whether a value of the option is the path of a file.
func (o Option) isPath(value string) bool { return o.File && !slices.Contains(o.Choices, value) }

// contains reports whether a whole number is in the option's range.
func (o Option) contains(v uint64) bool { return v >= o.Least && v <= o.Most }

// words returns the words that the option takes, nil for a number. The value of a word is its index.
func (o Option) words() []string {
	if o.isSwitch() {
		return []string{"false", "true"}
	}
	return o.Choices
}

// setting is an option with the field of a configuration that holds its value. The value is a number,
// the index of a word, or a path.
type setting struct {
	Option
	set  func(uint64)
	get  func() uint64
	path *string // nil unless the option is a file
	// follow returns the default that follows from other options: see Spec.complete. It is nil for an option
	// with a fixed default.
	follow func() string
}

// number binds a field to a whole number, or to the index of one of the option's words.
func number[T ~int | ~uint8 | ~uint64 | ~float64](field *T, o Option) setting {
	return setting{
		Option: o,
		set:    func(v uint64) { *field = T(v) },
		get:    func() uint64 { return uint64(*field) },
	}
}

// toggle binds a field to true or false. If the option has two words, the field is true for the second one.
func toggle(field *bool, o Option) setting {
	return setting{
		Option: o,
		set:    func(v uint64) { *field = v == 1 },
		get: func() uint64 {
			if *field {
				return 1
			}
			return 0
		},
	}
}

// deepeningDepth returns the option depth of a search by iterative deepening. If the search has a limit of time,
// and no depth is given, the depth is the largest possible one.
func deepeningDepth(depth setting, milliseconds *int) setting {
	depth.Meaning += "; if only a time is given, the largest depth"
	depth.follow = func() string {
		if *milliseconds > 0 {
			return strconv.FormatUint(depth.Most, 10)
		}
		return depth.Default
	}
	return depth
}

// file binds a field to the absolute path of a file, or to one of the option's words.
func file(field *string, o Option) setting { return setting{Option: o, path: field} }

// wordsUpTo lists the words of an enumeration from 0 to last.
func wordsUpTo[T interface {
	~uint8
	fmt.Stringer
}](last T) []string {
	var list []string
	for v := T(0); v <= last; v++ {
		list = append(list, v.String())
	}
	return list
}

// parse sets the value as a spec writes it.
func (s setting) parse(text string) error {
	if s.path != nil {
		return s.parsePath(text)
	}
	if words := s.words(); words != nil {
		i := slices.Index(words, text)
		if i < 0 {
			return s.notAllowed(text)
		}
		s.set(uint64(i))
		return nil
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil || !s.contains(v) {
		return s.notAllowed(text)
	}
	s.set(v)
	return nil
}

func (s setting) notAllowed(text string) error {
	return fmt.Errorf("option %s=%.40q: want %s", s.Name, text, s.Allowed())
}

// parsePath sets the value to a word, or to an absolute path, which means the same in every folder.
func (s setting) parsePath(path string) error {
	if !s.isPath(path) {
		*s.path = path
		return nil
	}
	full, err := filepath.Abs(path)
	if err == nil && (path == "" || strings.Contains(full, ",")) {
		err = errors.New("want the path of a file, in folders without commas")
	}
	if err != nil {
		return fmt.Errorf("option %s=%.80q: %w", s.Name, path, err)
	}
	*s.path = full
	return nil
}

// text returns the value as parse reads it.
func (s setting) text() string {
	if s.path != nil {
		return *s.path
	}
	if words := s.words(); words != nil {
		return words[s.get()]
	}
	return strconv.FormatUint(s.get(), 10)
}

// seedOption binds the seed that every bot with random choices has.
func seedOption(seed *uint64) setting {
	return number(seed, Option{
		Name: "seed", Default: "0", Most: 1<<53 - 1,
		Meaning: "mixed with the game's seed into all random choices",
	})
}
