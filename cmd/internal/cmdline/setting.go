package cmdline

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/tournament"
)

// SettingFlag returns the flag of an event's setting, by its name, in no group of the help.
func SettingFlag(name string) cli.Flag {
	s := setting(name)
	return flagOf(s, "", s.Meaning())
}

// SettingFlagFor is SettingFlag for a command in which the setting has another default and another meaning.
func SettingFlagFor(name, value, usage string) cli.Flag {
	s := setting(name)
	s.Usual, s.Otherwise = value, ""
	return flagOf(s, "", usage)
}

// SettingChoices returns a function for Choices that offers the values of an event's setting, by its name.
func SettingChoices(name string) func(Typed) []Candidate { return Words(setting(name).Choices...) }

// setting returns the setting of that name. It panics if an event has none.
func setting(name string) tournament.Setting {
	s, ok := tournament.SettingNamed(name)
	if !ok {
		panic("an event has no setting " + name)
	}
	return s
}

// SettingFlags returns the flags of all settings of an event, except the settings that only requests have. The flags of
// the rank First are in no group of the help. The flag of the bots has a usage of its own, since a command line takes
// programs, too.
func SettingFlags(bots string) (flags []cli.Flag) {
	for _, s := range tournament.AllSettings() {
		group, usage := string(s.Group), s.Meaning()
		if s.Rank == tournament.First {
			group = ""
		}
		if s.Name == "bot" {
			usage = bots
		}
		if !s.RequestOnly {
			flags = append(flags, flagOf(s, group, usage))
		}
	}
	return flags
}

// flagOf returns the flag of a setting. Its type is the type of the setting's value.
func flagOf(s tournament.Setting, group, usage string) cli.Flag {
	var usual tournament.Event
	if err := s.SetUsual(&usual); err != nil {
		panic(fmt.Sprintf("the usual %s: %v", s.Name, err))
	}
	switch value := s.Value(&usual).(type) {
	case []string:
		return &cli.StringSliceFlag{Name: s.Name, Category: group, DefaultText: s.Otherwise, Usage: usage}
	case bool:
		return &cli.BoolFlag{Name: s.Name, Category: group, Usage: usage}
	case int:
		return &cli.IntFlag{Name: s.Name, Category: group, Value: value, DefaultText: s.Otherwise, Usage: usage}
	case uint64:
		return &cli.Uint64Flag{Name: s.Name, Category: group, Value: value, DefaultText: s.Otherwise, Usage: usage}
	case float64:
		return &cli.Float64Flag{Name: s.Name, Category: group, Value: value, DefaultText: s.Otherwise, Usage: usage}
	case time.Duration:
		return &cli.DurationFlag{Name: s.Name, Category: group, Value: value, DefaultText: s.Otherwise, Usage: usage}
	}
	return &cli.StringFlag{Name: s.Name, Category: group, Value: s.Usual, DefaultText: s.Otherwise, Usage: usage}
}

// ReadSetting sets a setting of an event, by its name, to the value of its flag.
func ReadSetting(c *cli.Context, name string, e *tournament.Event) error {
	s := setting(name)
	if list, ok := s.Field(e).(*[]string); ok {
		*list = c.StringSlice(name)
		return nil
	}
	if err := s.Set(e, fmt.Sprint(c.Value(name))); err != nil {
		return fmt.Errorf("--%s %w", name, err)
	}
	return nil
}
