package cmdline

import (
	"cmp"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/internal/text/terminal"
)

// page is the help about a program or a command.
type page struct {
	name        string // with the program, such as "arena event run"
	purpose     string
	usage       string
	version     string // of a program
	description string
	commands    []group
	flags       []group
}

// group is a part of a page with commands or flags.
type group struct {
	title   string // "" for commands and flags that are in no group
	widest  int    // width of the longest name in all groups of commands, or in this group of flags
	entries []entry
}

// entry is a command or a flag.
type entry struct{ name, meaning string }

// pageOf returns the page of an app or of a command.
func pageOf(data any) page {
	switch it := data.(type) {
	case *cli.App:
		return page{
			name: it.Name, purpose: it.Usage, usage: it.Name + " COMMAND [OPTIONS]", version: it.Version,
			description: it.Description, commands: commandGroups(it.Commands), flags: flagGroups(it.VisibleFlags()),
		}
	case *cli.Command:
		name := cmp.Or(it.HelpName, it.Name)
		p := page{name: name, purpose: it.Usage, description: it.Description, commands: commandGroups(it.Subcommands), flags: flagGroups(it.VisibleFlags())}
		if p.usage = strings.TrimSpace(name + " [OPTIONS] " + it.ArgsUsage); len(p.commands) > 0 {
			p.usage = name + " COMMAND [OPTIONS]"
		}
		return p
	}
	return page{}
}

// usualOptions returns the flags without a group, and the other groups.
func (p *page) usualOptions() (usual group, others []group) {
	for _, g := range p.flags {
		if g.title == "" {
			usual = g
		} else {
			others = append(others, g)
		}
	}
	return usual, others
}

// commandGroups returns the visible commands by their groups.
func commandGroups(commands []*cli.Command) (groups []group) {
	for _, c := range commands {
		if !c.Hidden {
			groups = grouped(groups, c.Category, entry{strings.Join(c.Names(), ", "), c.Usage})
		}
	}
	widest := 0
	for _, g := range groups {
		widest = max(widest, g.widest)
	}
	for i := range groups {
		groups[i].widest = widest // so that all meanings begin in the same column
	}
	return groups
}

func flagGroups(flags []cli.Flag) (groups []group) {
	for _, f := range flags {
		name, meaning, _ := strings.Cut(f.String(), "\t")
		name, _, _ = strings.Cut(name, " [ ") // the library repeats the name of a flag that may be repeated
		groups = grouped(groups, groupOf(f), entry{name, meaning})
	}
	return groups
}

// grouped adds an entry to the group with that title, and adds the group if it is missing.
func grouped(groups []group, title string, e entry) []group {
	i := slices.IndexFunc(groups, func(g group) bool { return g.title == title })
	if i < 0 {
		i, groups = len(groups), append(groups, group{title: title})
	}
	g := &groups[i]
	g.entries, g.widest = append(g.entries, e), max(g.widest, terminal.Width(e.name))
	return groups
}

// lines returns the entries as lines of two columns.
func (g *group) lines() string {
	var text strings.Builder
	for _, e := range g.entries {
		gap := strings.Repeat(" ", g.widest-terminal.Width(e.name)+2)
		text.WriteString(strings.TrimRight("   "+e.name+gap+e.meaning, " ") + "\n")
	}
	return text.String()
}

// Group puts commands into a group of the help. The help keeps the order of the commands: a group is where its first
// command is.
func Group(title string, commands ...*cli.Command) []*cli.Command {
	for _, c := range commands {
		c.Category = title
	}
	return commands
}

// GroupFlags puts flags into a group of their command's help. Flags without a group are the usual ones, which come
// first.
func GroupFlags(title string, flags ...cli.Flag) []cli.Flag {
	for _, f := range flags {
		field(f, "Category").SetString(title)
	}
	return flags
}

// HideFlag leaves a flag out of the help.
func HideFlag(f cli.Flag) { field(f, "Hidden").SetBool(true) }

// ShowDefault makes the help show a text as the default of a flag.
func ShowDefault(f cli.Flag, text string) cli.Flag {
	field(f, "DefaultText").SetString(text)
	return f
}

// field returns a field of a flag. All flags of the library have Category, DefaultText, EnvVars, Hidden and Usage.
func field(f cli.Flag, name string) reflect.Value { return reflect.ValueOf(f).Elem().FieldByName(name) }

// groupOf returns the group of a flag, "" for the usual ones.
func groupOf(f cli.Flag) string {
	if c, ok := f.(cli.CategorizableFlag); ok {
		return c.GetCategory()
	}
	return ""
}

// helpWidth is the width of help texts outside of a terminal.
const helpWidth = 80

// printHelp prints the help of an app or of a command in lines that fit the terminal. It replaces [cli.HelpPrinter],
// which sorts groups by their names. The library's template is not used.
func printHelp(w io.Writer, _ string, data any) {
	width := terminal.WidthOf(w)
	if width == 0 {
		width = helpWidth
	}
	_, _ = io.WriteString(w, terminal.Hang(helpText(data), width)) // the library's printer does not return errors either
}

// helpText returns the help of an app or of a command. If there are groups of flags, the usual flags, which are in no
// group, come before the description, so that they are on the first screen.
func helpText(data any) string {
	p := pageOf(data)
	var text strings.Builder
	add := func(title, body string) {
		if body != "" {
			text.WriteString("\n" + strings.ToUpper(title) + ":\n" + body)
		}
	}
	add("name", "   "+p.name+" - "+p.purpose+"\n")
	add("usage", "   "+p.usage+"\n")
	if p.version != "" {
		add("version", "   "+p.version+"\n")
	}
	usual, others := p.usualOptions()
	if len(others) > 0 {
		add("options", usual.lines())
		usual.entries = nil
	}
	if p.description != "" {
		add("description", "   "+paragraphs(p.description, 3)+"\n")
	}
	for _, g := range p.commands {
		add(cmp.Or(g.title, "commands"), g.lines())
	}
	add("options", usual.lines())
	for _, g := range others {
		add(g.title, g.lines())
	}
	return strings.TrimPrefix(text.String(), "\n")
}

// paragraphs joins the lines of each paragraph, since printHelp wraps the text, and indents all but the first line of
// the result. An indented line, as in a list, stays a line of its own.
func paragraphs(text string, indent int) string {
	text = strings.TrimRight(text, "\n")
	text = lineBreak.ReplaceAllString(text, "$1 $2")
	margin := strings.Repeat(" ", indent)
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n"+margin), margin+"\n", "\n")
}

// lineBreak is the end of a line within a paragraph.
var lineBreak = regexp.MustCompile(`(\S)\n(\S)`)
