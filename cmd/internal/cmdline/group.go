package cmdline

import (
	"reflect"

	"github.com/urfave/cli/v2"
)

// Group puts commands into a group of the help, which has the order of the commands: a group stands where the first of
// its commands does.
func Group(title string, commands ...*cli.Command) []*cli.Command {
	for _, c := range commands {
		c.Category = title
	}
	return commands
}

// GroupFlags puts flags into a group of their command's help. Flags that are in no group are the usual ones, which
// come first.
func GroupFlags(title string, flags ...cli.Flag) []cli.Flag {
	for _, f := range flags {
		reflect.ValueOf(f).Elem().FieldByName("Category").SetString(title) // each type of the library's flags has it
	}
	return flags
}

// groupOf returns the group of a flag, "" for the usual ones.
func groupOf(f cli.Flag) string {
	if c, ok := f.(cli.CategorizableFlag); ok {
		return c.GetCategory()
	}
	return ""
}
