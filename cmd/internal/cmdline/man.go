package cmdline

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// man is the argument with which the command completion prints a manual page in place of a shell's script. The page
// comes from the same definitions as the help.
const man = "man"

// manual returns the manual page of a program, with a section for each command, in the language of man(7).
func manual(app *cli.App) string {
	var text strings.Builder
	p := pageOf(app)
	fmt.Fprintf(&text, ".TH %s 1 \"\" \"versus 2048\" \"User Commands\"\n", strings.ToUpper(app.Name))
	fmt.Fprintf(&text, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n", roff(app.Name), roff(p.purpose), roff(p.usage))
	for _, g := range p.commands {
		writeEntries(&text, "SH", g.title, g.entries)
	}
	for _, c := range app.Commands {
		writeManual(&text, app.Name, c)
	}
	return text.String()
}

// writeManual writes the sections of a command and of its subcommands. before has the words before the command's name:
// the program and the parent commands.
func writeManual(text *strings.Builder, before string, c *cli.Command) {
	if c.Hidden {
		return
	}
	p := pageOf(c)
	name := before + " " + c.Name
	fmt.Fprintf(text, ".SH %s\n%s\n.PP\n.B %s\n", roff(strings.ToUpper(name)), roff(p.purpose), roff(name+strings.TrimPrefix(p.usage, p.name)))
	for paragraph := range strings.SplitSeq(p.description, "\n\n") {
		if paragraph = paragraphs(paragraph, 0); paragraph != "" {
			fmt.Fprintf(text, ".PP\n%s\n", roff(paragraph))
		}
	}
	for _, g := range p.flags {
		writeEntries(text, "SS", g.title, g.entries)
	}
	for _, sub := range c.Subcommands {
		writeManual(text, name, sub)
	}
}

// writeEntries writes commands or flags under a title. macro is the macro for the title. The usual flags have no title,
// and --help is left out.
func writeEntries(text *strings.Builder, macro, title string, entries []entry) {
	if title != "" {
		fmt.Fprintf(text, ".%s %s\n", macro, roff(strings.ToUpper(title)))
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.name, "--help") {
			fmt.Fprintf(text, ".TP\n.B %s\n%s\n", roff(e.name), roff(e.meaning))
		}
	}
}

// roff escapes a text. Without escapes, hyphens would become typographic hyphens, and a copied flag would not work. A
// line that begins with a point or a single quote would be a macro.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
