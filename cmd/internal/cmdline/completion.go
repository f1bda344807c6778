package cmdline

import (
	"embed"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"versus2048/internal/text/plain"
)

// scripts register a program's completion with a shell. PROGRAM stands for the program's name.
//
//go:embed completion/*
var scripts embed.FS

// The shells with completion.
const (
	bash       = "bash"
	zsh        = "zsh"
	fish       = "fish"
	powershell = "powershell"
)

// completeCommand is the hidden command that a shell calls for candidates. Its first argument is the shell's name. Fish
// and zsh then give the words after the program's name. Bash and PowerShell give the whole line up to the cursor. Bash
// adds the end of that line that a candidate will replace.
const completeCommand = "__complete"

// CompletionCommands returns two commands. completion prints a script that makes a shell complete the program's
// commands, or the manual page. The other command is hidden: the shell calls it.
func CompletionCommands(program string, choices Choices) []*cli.Command {
	return []*cli.Command{
		{
			Name:      "completion",
			Usage:     "print a script that makes a shell complete commands, flags, bots and events, or print the manual page",
			ArgsUsage: "bash|zsh|fish|powershell|man",
			Description: strings.ReplaceAll("Into ~/.bashrc: eval \"$(PROGRAM completion bash)\"\n\n"+
				"Into ~/.zshrc, after compinit: eval \"$(PROGRAM completion zsh)\"\n\n"+
				"For fish: PROGRAM completion fish > ~/.config/fish/completions/PROGRAM.fish\n\n"+
				"Into $PROFILE of PowerShell: PROGRAM completion powershell | Out-String | Invoke-Expression\n\n"+
				"The manual page: PROGRAM completion man > /usr/local/share/man/man1/PROGRAM.1", "PROGRAM", program),
			Action: printScript,
		},
		{
			Name:   completeCommand,
			Hidden: true,
			Action: func(c *cli.Context) error { return answer(c.App.Writer, c.App, choices, c.Args().Slice()) },
		},
	}
}

// printScript prints the script for a shell, or the manual page.
func printScript(c *cli.Context) error {
	if c.NArg() == 1 && c.Args().First() == man {
		_, err := io.WriteString(c.App.Writer, manual(c.App))
		return err
	}
	script, err := scripts.ReadFile("completion/" + c.Args().First())
	if err != nil || c.NArg() > 1 {
		return Usagef("completion %s: want one of %s, %s, %s, %s, %s", strings.Join(c.Args().Slice(), " "), bash, zsh, fish, powershell, man)
	}
	_, err = io.WriteString(c.App.Writer, strings.ReplaceAll(string(script), "PROGRAM", c.App.Name))
	return err
}

// answer prints each candidate in a line, with its meaning after a tab for shells that show meanings.
func answer(w io.Writer, app *cli.App, choices Choices, args []string) error {
	if len(args) == 0 {
		return Usagef("%s: the shell is missing", completeCommand)
	}
	shell, words, kept, quote := args[0], args[1:], 0, ""
	if shell == bash || shell == powershell {
		if len(words) == 0 {
			return Usagef("%s: the line is missing", completeCommand)
		}
		end := strings.Join(words[1:], "")
		words, quote = splitLine(shell, words[0])
		if shell == bash {
			kept = keptBytes(words[len(words)-1], quote+end)
		}
		words = words[1:]
	}
	var text strings.Builder
	for _, c := range choices.complete(app, words) {
		text.WriteString(quoted(shell, plain.Line(c.Text[kept:]), quote))
		if shell != bash && c.Meaning != "" {
			text.WriteString("\t" + plain.Line(shortMeaning(c.Meaning)))
		}
		text.WriteByte('\n')
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// keptBytes returns the number of bytes at the beginning of the typed word that bash keeps. Bash replaces end, the rest
// of the word, which still has its quotes and escapes.
func keptBytes(word, end string) int {
	words, _ := splitLine(bash, "_ "+end)
	if last := words[len(words)-1]; strings.HasSuffix(word, last) {
		return len(word) - len(last)
	}
	return 0
}

// shortMeaning returns a meaning up to its first semicolon, cut to the room beside a candidate.
func shortMeaning(text string) string {
	const most = 70
	text, _, _ = strings.Cut(text, ";")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "..."
}

// splitLine splits an unfinished line into words as a shell does, with its quotes and escapes. There are at least two
// words: the first one is the program, and the last one is being typed. open is the unclosed quote of the last word, ""
// for none.
func splitLine(shell, line string) (words []string, open string) {
	words, begun, quote := []string{""}, false, rune(0)
	for text := append([]rune(line), 0); len(text) > 1; { // 0 stands for the end
		r, next, taken := text[0], text[1], 1
		kind, last := quoteKind(shell, r), &words[len(words)-1]
		switch {
		case escapes(shell, quote, r, next):
			taken = min(2, len(text)-1)
			*last, begun = *last+string(text[1:taken]), true
		case quote != 0 && kind != quote:
			*last += string(r)
		case quote != 0:
			quote = 0
		case kind != 0:
			quote, begun = kind, true
		case r != ' ' && r != '\t':
			*last, begun = *last+string(r), true
		case begun:
			words, begun = append(words, ""), false
		}
		text = text[taken:]
	}
	if len(words) == 1 {
		words = append(words, "")
	}
	if quote != 0 {
		open = string(quote)
	}
	return words, open
}

// quoteKind returns the quote, single or double, that a shell takes a character for, and 0 for another character.
func quoteKind(shell string, r rune) rune {
	switch {
	case r == '\'' || r == '"':
		return r
	case shell == powershell && strings.ContainsRune(powershellSingle, r):
		return '\''
	case shell == powershell && strings.ContainsRune(powershellDouble, r):
		return '"'
	}
	return 0
}

// escapes reports whether r makes a shell take the next character literally. quote is the quote that is open before r,
// 0 for none. next is 0 at the end of the line.
func escapes(shell string, quote, r, next rune) bool {
	switch {
	case shell == powershell && quote != 0 && quoteKind(shell, r) == quote:
		return quoteKind(shell, next) == quote // a quote twice stands for itself
	case shell == powershell:
		return r == '`' && quote != '\''
	case quote == '"':
		return r == '\\' && strings.ContainsRune("$`\"\\\x00", next) // before other characters, a backslash stands for itself
	}
	return r == '\\' && quote == 0
}
