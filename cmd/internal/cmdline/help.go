package cmdline

import (
	"cmp"
	"io"
	"regexp"
	"strings"

	"versus2048/internal/text/terminal"
)

// helpWidth is the width of help texts outside of a terminal.
const helpWidth = 80

// printHelp prints the help of an app or of a command in lines that fit the terminal. It replaces
// [cli.HelpPrinter], which sorts groups by their names. The library's template is not used.
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

// paragraphs joins the lines of each paragraph, since printHelp wraps them, and indents all but the first line of the
// result. An indented line, as in a list, begins a new line.
func paragraphs(text string, indent int) string {
	text = strings.TrimRight(text, "\n")
	text = lineBreak.ReplaceAllString(text, "$1 $2")
	margin := strings.Repeat(" ", indent)
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n"+margin), margin+"\n", "\n")
}

// lineBreak is the end of a line within a paragraph.
var lineBreak = regexp.MustCompile(`(\S)\n(\S)`)
