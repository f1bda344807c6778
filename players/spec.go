package players

import (
	"fmt"
	"strings"
)

// Spec names a kind of bot and says how it is set. Make one with Parse.
type Spec struct {
	kind   Kind
	values values
}

// Parse reads a spec: a kind's name alone, or name:option=value,option=value,
// such as "mcts:playouts=10000,seed=7". Options that are left out have their
// defaults. The error names an unknown kind, an unknown or repeated option or
// a bad value, and says what is allowed.
func Parse(text string) (Spec, error) {
	spec, err := parseSpec(text)
	if err != nil {
		return Spec{}, fmt.Errorf("bot %.100q: %w", text, err)
	}
	return spec, nil
}

func parseSpec(text string) (Spec, error) {
	name, settings, hasSettings := strings.Cut(text, ":")
	kind, err := findKind(name)
	if err != nil {
		return Spec{}, err
	}
	s := Spec{kind, values{}}
	if hasSettings {
		for _, setting := range strings.Split(settings, ",") {
			if err := s.set(setting); err != nil {
				return Spec{}, err
			}
		}
	}
	for _, o := range kind.Options {
		if _, given := s.values[o.Name]; !given {
			if s.values[o.Name], err = o.parse(o.Default); err != nil {
				return Spec{}, fmt.Errorf("default of %w", err)
			}
		}
	}
	return s, nil
}

func findKind(name string) (Kind, error) {
	var names []string
	for _, k := range Kinds() {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return Kind{}, unknown("bot", name, names)
}

// set takes one option=value into the spec.
func (s Spec) set(setting string) error {
	name, value, ok := strings.Cut(setting, "=")
	if !ok {
		return fmt.Errorf("%.40q: want option=value", setting)
	}
	option, ok := s.kind.option(name)
	if !ok {
		return unknown("option", name, s.kind.optionNames())
	}
	if _, given := s.values[name]; given {
		return fmt.Errorf("option %s is given twice", name)
	}
	v, err := option.parse(value)
	s.values[name] = v
	return err
}

// Kind is the name of the kind of bot.
func (s Spec) Kind() string { return s.kind.Name }

// String writes the spec with every option, in the order of Kinds. It is the
// form to keep on record: defaults may change, what it says does not.
func (s Spec) String() string {
	var b strings.Builder
	b.WriteString(s.kind.Name)
	for i, o := range s.kind.Options {
		b.WriteByte(":,"[min(i, 1)])
		b.WriteString(o.Name + "=" + o.format(s.values[o.Name]))
	}
	return b.String()
}

// New is the bot for one game, whose seed is given. What it plays depends on
// nothing but the spec, the seed and the position it is asked about, but for the
// options that the package's comment names.
func (s Spec) New(seed uint64) Player {
	return &bot{seed: seed, ownSeed: s.values["seed"], chooser: s.kind.build(s.values)}
}
