package cmdline

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/urfave/cli/v2"

	"versus2048/internal/text/terminal"
)

// print prints the values of all flags as a file for --config. Defaults are comments in it, because many of them depend
// on other flags.
func (s *configured) print(c *cli.Context) error {
	var text strings.Builder
	fmt.Fprintf(&text, "# The options of %s, for --%s. Defaults, and options with secrets, are comments.\n", c.Command.HelpName, configFlag)
	group := ""
	isOther := func(f cli.Flag) int { return min(len(groupOf(f)), 1) }
	usualFirst := func(a, b cli.Flag) int { return isOther(a) - isOther(b) }
	for _, f := range slices.SortedStableFunc(slices.Values(s.flags), usualFirst) {
		if g := groupOf(f); g != group {
			group = g
			fmt.Fprintf(&text, "\n# %s\n", strings.ToUpper(g))
		}
		line, err := s.line(c, f)
		if err != nil {
			return err
		}
		text.WriteString("\n" + comment(f.(cli.DocGenerationFlag).GetUsage()) + line + "\n")
	}
	_, err := io.WriteString(c.App.Writer, text.String())
	return err
}

// line returns the line of a flag: its key, its value, and where the value comes from.
func (s *configured) line(c *cli.Context, f cli.Flag) (string, error) {
	name := f.Names()[0]
	value, secret := s.shown(c, f)
	encoded, err := toml.Marshal(map[string]any{name: value})
	if err != nil {
		return "", fmt.Errorf("printing --%s: %w", name, err)
	}
	key, from := strings.TrimSpace(string(encoded)), cmp.Or(s.from[name], fromDefault)
	switch {
	case from == fromDefault:
		if usual := reflect.ValueOf(f).Elem().FieldByName("DefaultText").String(); usual != "" {
			from += ": " + usual
		}
		key = "# " + key
	case secret:
		variables := s.variables[name]
		key, from = "# "+key, from+"; its secret is left out: give it by $"+variables[len(variables)-1]
	}
	return key + " # " + from, nil
}

// shown returns the value of a flag for a file, and whether a secret in it is hidden.
func (s *configured) shown(c *cli.Context, f cli.Flag) (value any, secret bool) {
	name := f.Names()[0]
	hidden := func(text string) string {
		shown := s.hide(name, text)
		secret = secret || shown != text
		return shown
	}
	switch f.(type) {
	case *cli.StringSliceFlag:
		list := []string{}
		for _, text := range c.StringSlice(name) {
			list = append(list, hidden(text))
		}
		return list, secret
	case *cli.StringFlag:
		value = hidden(c.String(name))
		return value, secret
	case *cli.DurationFlag:
		return c.Duration(name).String(), false
	}
	return c.Value(name), false
}

// comment returns a text as lines of a comment.
func comment(text string) string {
	text = terminal.Hang(strings.ReplaceAll(text, "`", ""), helpWidth-2)
	return "# " + strings.ReplaceAll(text, "\n", "\n# ") + "\n"
}
