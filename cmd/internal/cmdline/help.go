package cmdline

import (
	"io"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/internal/text/terminal"
)

// helpWidth is the width of help texts where there is no terminal.
const helpWidth = 80

// printHelp prints a help text of the library in lines that fit the terminal. It replaces
// [cli.HelpPrinter], whose own wrapping leaves out the flags.
func printHelp(w io.Writer, text string, data any) {
	var whole strings.Builder
	cli.HelpPrinterCustom(&whole, text, data, map[string]any{"wrap": paragraphs})
	width := terminal.WidthOf(w)
	if width == 0 {
		width = helpWidth
	}
	_, _ = io.WriteString(w, terminal.Hang(whole.String(), width)) // the library's printer does not return errors either
}

// paragraphs joins the lines of each paragraph, which printHelp makes fit, and indents all but the first line
// of the result. A line that is indented already begins a line of its own, as in a list. The library's
// templates call it where they would wrap.
func paragraphs(text string, indent int) string {
	text = strings.TrimRight(text, "\n")
	text = lineBreak.ReplaceAllString(text, "$1 $2")
	margin := strings.Repeat(" ", indent)
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n"+margin), margin+"\n", "\n")
}

// lineBreak is a line's end within a paragraph.
var lineBreak = regexp.MustCompile(`(\S)\n(\S)`)
