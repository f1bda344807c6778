package cmdline

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// The flags that Configure adds.
const (
	configFlag = "config"
	printFlag  = "print-config"
)

// The places that values come from.
const (
	fromFlag        = "flag"
	fromEnvironment = "environment"
	fromFile        = "file"
	fromDefault     = "default"
)

// configured is a command with flags that also have values from the environment and from a file.
type configured struct {
	prefix    string
	hide      func(flag, value string) string
	flags     []cli.Flag
	variables map[string][]string // by the flag's name: its environment variables; the first that is not empty counts
	from      map[string]string   // by the flag's name: the place that its value comes from; a default has no entry
}

// Configure lets the flags of a command also have values from environment variables with the prefix, and from the file
// that --config names. The command line comes first, then the environment, then the file. --print-config prints all
// values in place of the command's action. hide removes the secrets from a value. A value that hide changes is printed
// as a comment.
func Configure(command *cli.Command, prefix string, hide func(flag, value string) string) *cli.Command {
	s := &configured{prefix: prefix, hide: hide, flags: slices.Clone(command.Flags), variables: map[string][]string{}, from: map[string]string{}}
	for _, f := range s.flags {
		s.variables[f.Names()[0]] = append([]string{s.variable(f.Names()[0])}, takeVariables(f)...)
	}
	command.Flags = slices.Concat(command.Flags, GroupFlags("configuration",
		&cli.StringFlag{Name: configFlag, Usage: "read options from this TOML `FILE`; its keys are the names of options [$" + s.variable(configFlag) + "]"},
		&cli.BoolFlag{Name: printFlag, Usage: "print all options as such a file, with the place that each value comes from, and end; passwords and paths of webhooks are left out"},
	))
	command.Description = strings.TrimSpace(command.Description + "\n\nEach option has an environment variable, such as " + s.variable("max-connections") +
		" for --max-connections, and a key in the file of --config. The command line comes first, then the environment, then the file. A variable for an option that may be repeated has one value, or a list as in the file.")
	action := command.Action
	command.Before = s.read
	command.Action = func(c *cli.Context) error {
		if !c.Bool(printFlag) {
			return action(c)
		}
		if err := Arguments(c); err != nil {
			return err
		}
		return s.print(c)
	}
	return command
}

// variable returns the environment variable of a flag.
func (s *configured) variable(flag string) string {
	return s.prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// takeVariables removes a flag's own environment variables from the flag, and returns them: the library would take
// their values for values of the command line. The flag's help still names them.
func takeVariables(f cli.Flag) []string {
	variables, usage := field(f, "EnvVars"), field(f, "Usage")
	names := slices.Clone(variables.Interface().([]string))
	variables.SetZero()
	for _, name := range names {
		usage.SetString(usage.String() + " [$" + name + "]")
	}
	return names
}

// read sets each flag that the command line does not have, by the environment or else by the file. Then read checks
// these values, so that errors name the place of a wrong value.
func (s *configured) read(c *cli.Context) error {
	where := map[string]string{}
	for _, f := range s.flags {
		name := f.Names()[0]
		if c.IsSet(name) {
			s.from[name] = fromFlag
		} else if err := s.readVariable(c, f, where); err != nil {
			return err
		}
	}
	path := c.String(configFlag)
	if path == "" {
		path = os.Getenv(s.variable(configFlag))
	}
	if path != "" {
		if err := s.readFile(c, path, where); err != nil {
			return err
		}
	}
	for _, f := range s.flags {
		checked, ok := f.(cli.ActionableFlag)
		if place := where[f.Names()[0]]; ok && place != "" {
			if err := checked.RunAction(c); err != nil {
				return fmt.Errorf("%s: %w", place, err)
			}
		}
	}
	return nil
}

// readVariable sets a flag by the first of its environment variables that is not empty, if there is one.
func (s *configured) readVariable(c *cli.Context, f cli.Flag, where map[string]string) error {
	name := f.Names()[0]
	for _, variable := range s.variables[name] {
		text := os.Getenv(variable)
		if text == "" {
			continue
		}
		values := []string{text}
		if keyType(f).Kind() == reflect.Slice && strings.HasPrefix(text, "[") {
			list, err := (&configured{flags: []cli.Flag{f}}).table().Decode("$"+variable, []byte(name+" = "+text))
			if err != nil {
				return err
			}
			values = texts(list.Field(0))
		}
		s.from[name], where[name] = fromEnvironment, "$"+variable
		return set(c, f, values, where[name])
	}
	return nil
}

// readFile sets the flags by the keys of a file, unless they have values already.
func (s *configured) readFile(c *cli.Context, path string, where map[string]string) error {
	text, err := ReadConfig(path)
	if err != nil {
		return fmt.Errorf("--%s: %w", configFlag, err)
	}
	file, err := s.table().Decode(path, text)
	if err != nil {
		return err
	}
	for i, f := range s.flags {
		name := f.Names()[0]
		if s.from[name] != "" || file.Field(i).IsNil() {
			continue
		}
		s.from[name], where[name] = fromFile, ConfigPlace(path, text, name)
		if err := set(c, f, texts(file.Field(i)), where[name]); err != nil {
			return err
		}
	}
	return nil
}

// set sets a flag to values from elsewhere.
func set(c *cli.Context, f cli.Flag, values []string, where string) error {
	name := f.Names()[0]
	for _, value := range values {
		err := checkValue(f, name, value)
		if _, isBool := f.(*cli.BoolFlag); isBool {
			if _, problem := strconv.ParseBool(value); problem != nil {
				err = Usagef("--%s %s: want true or false", name, value)
			}
		}
		if err == nil {
			err = c.Set(name, value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
	}
	return nil
}

// table returns the keys of the file: the names of the flags.
func (s *configured) table() ConfigTable {
	var fields []reflect.StructField
	names := map[string]bool{}
	for i, f := range s.flags {
		name := f.Names()[0]
		names[name] = true
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("Key%d", i), Type: keyType(f), Tag: reflect.StructTag(fmt.Sprintf("toml:%q", name))})
	}
	return ConfigTable{Type: reflect.StructOf(fields), List: "--" + printFlag + " prints all keys", Meant: func(word string) string {
		if word = strings.ReplaceAll(strings.ToLower(word), "_", "-"); names[word] {
			return word
		}
		return ""
	}}
}

// keyType returns the type of the value that a file has for a flag.
func keyType(f cli.Flag) reflect.Type {
	switch f.(type) {
	case *cli.BoolFlag:
		return reflect.TypeFor[*bool]()
	case *cli.IntFlag, *cli.Int64Flag:
		return reflect.TypeFor[*int]()
	case *cli.Uint64Flag:
		return reflect.TypeFor[*uint64]()
	case *cli.Float64Flag:
		return reflect.TypeFor[*float64]()
	case *cli.StringSliceFlag:
		return reflect.TypeFor[[]string]()
	}
	return reflect.TypeFor[*string]()
}

// texts returns a value of a file as words of a command line.
func texts(value reflect.Value) []string {
	if list, ok := value.Interface().([]string); ok {
		return list
	}
	return []string{fmt.Sprint(value.Elem().Interface())}
}
