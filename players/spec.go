package players

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"versus2048/rules"
)

// Spec names a kind of bot and says how it is set. Make one with Parse.
type Spec struct {
	kind    Kind
	values  values
	path    string   // of the option that is a file, absolute
	perfect *perfect // what plays from that file
}

// Parse reads a spec: a kind's name alone, or name:option=value,option=value,
// such as "mcts:playouts=10000,seed=7". Options that are left out have their
// defaults. A file that the spec names is opened and verified, and stays open for
// as long as the spec or one of its players is in use. The error names an unknown
// kind, an unknown or repeated option or a bad value, and says what is allowed.
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
	s := Spec{kind: kind, values: values{}}
	if hasSettings {
		for _, setting := range strings.Split(settings, ",") {
			if err := s.set(setting); err != nil {
				return Spec{}, err
			}
		}
	}
	if err := s.complete(); err != nil {
		return Spec{}, err
	}
	return s, nil
}

// complete fills in what was not given, and opens the file if there is one.
func (s *Spec) complete() (err error) {
	for _, o := range s.kind.Options {
		if _, given := s.values[o.Name]; given {
			continue
		}
		if o.File {
			return fmt.Errorf("option %s is missing: want %s:%[1]s=FILE", o.Name, s.kind.Name)
		}
		if s.values[o.Name], err = o.parse(o.Default); err != nil {
			return fmt.Errorf("default of %w", err)
		}
	}
	if s.kind.open != nil {
		s.perfect, err = s.kind.open(s.path)
	}
	return err
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
func (s *Spec) set(setting string) (err error) {
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
	if option.File {
		s.values[name] = 0 // given
		s.path, err = absolute(option, value)
		return err
	}
	s.values[name], err = option.parse(value)
	return err
}

// absolute is a path that means the same in every folder.
func absolute(o Option, path string) (string, error) {
	full, err := filepath.Abs(path)
	if err == nil && (path == "" || strings.Contains(full, ",")) {
		err = errors.New("want the path of a file, in folders without commas")
	}
	if err != nil {
		return "", fmt.Errorf("option %s=%.80q: %w", o.Name, path, err)
	}
	return full, nil
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
		b.WriteString(o.Name + "=" + s.text(o))
	}
	return b.String()
}

// text is an option's value as parse reads it.
func (s Spec) text(o Option) string {
	if o.File {
		return s.path
	}
	return o.format(s.values[o.Name])
}

// Plays returns an error if the bot can't play under these rules on boards of this
// size, which all can but one that has solved another game.
func (s Spec) Plays(r rules.Ruleset, size rules.Size) error {
	if s.perfect == nil {
		return nil
	}
	return s.perfect.plays(r, size)
}

// New is the bot for one game, whose seed is given. What it plays depends on
// nothing but the spec, the seed and the position it is asked about, but for the
// options that the package's comment names.
func (s Spec) New(seed uint64) Player {
	if s.perfect != nil {
		return s.perfect
	}
	return &bot{seed: seed, ownSeed: s.values["seed"], chooser: s.kind.build(s.values)}
}
