package cmdline

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"
)

// Candidate is a possible completion of the word that is being typed.
type Candidate struct {
	Text    string
	Meaning string // a phrase, or ""
}

// Typed is the part of a command line before the cursor.
type Typed struct {
	Command string            // such as "event run"
	Flags   map[string]string // the values of the flags so far, and the defaults of text flags
	Given   []string          // the names of the flags so far
	Word    string            // the word that is being typed, up to the cursor
}

// Choices have the completions of flags and arguments. If a function returns none, the shell offers files.
type Choices struct {
	Flags     map[string]func(Typed) []Candidate // by the flag's name
	Arguments map[string]func(Typed) []Candidate // by the argument's name in the command's usage, such as EVENT
}

// Words returns a function for Choices that offers these words on every command line.
func Words(words ...string) func(Typed) []Candidate {
	var candidates []Candidate
	for _, word := range words {
		candidates = append(candidates, Candidate{Text: word})
	}
	return func(Typed) []Candidate { return candidates }
}

// complete returns the completions of the last word in words. The words come after the program's name.
func (c Choices) complete(app *cli.App, words []string) (candidates []Candidate) {
	if len(words) == 0 {
		words = []string{""}
	}
	before, word := words[:len(words)-1], words[len(words)-1]
	path, rest, command := findCommand(app, before)
	if command == nil {
		if len(before) > 0 {
			return nil
		}
		command = &cli.Command{Subcommands: app.Commands, Flags: []cli.Flag{&cli.BoolFlag{Name: "version", Usage: "print the version"}}}
	}
	p := readTyped(command, rest)
	p.Command = strings.Join(path, " ")
	name, value, joined := strings.Cut(strings.TrimLeft(word, "-"), "=")
	switch {
	case p.foreign:
	case p.awaits != nil:
		p.Word = word
		candidates = c.values(p.awaits, p.Typed)
	case strings.HasPrefix(word, "-") && joined:
		p.Word = value
		for _, v := range matching(c.values(flagNamed(command, name), p.Typed), value) {
			candidates = append(candidates, Candidate{strings.TrimSuffix(word, value) + v.Text, v.Meaning})
		}
	case strings.HasPrefix(word, "-"):
		candidates = flagsOf(command, p.Given)
	case len(command.Subcommands) > 0:
		candidates = namesOf(command.Subcommands)
	default:
		p.Word = word
		candidates = c.arguments(command, p)
	}
	return matching(candidates, word)
}

// partial is a command line as far as it has been typed.
type partial struct {
	Typed
	awaits    cli.Flag // the flag that takes the next word as its value, or nil
	arguments int      // the number of arguments so far
	foreign   bool     // the rest is for another program
}

// readTyped reads the words after a command's name.
func readTyped(command *cli.Command, rest []string) partial {
	p := partial{Typed: Typed{Flags: map[string]string{}}}
	for _, f := range command.Flags {
		if text, ok := f.(*cli.StringFlag); ok {
			p.Flags[text.Name] = text.Value
		}
	}
	for _, word := range rest {
		name, value, joined := strings.Cut(strings.TrimLeft(word, "-"), "=")
		flag := flagNamed(command, name)
		switch {
		case p.awaits != nil:
			p.Flags[p.awaits.Names()[0]], p.awaits = word, nil
		case word == "--":
			p.foreign = true
			return p
		case len(word) < 2 || word[0] != '-':
			p.arguments++
		case flag == nil:
		case joined:
			p.Flags[name] = value
			p.Given = append(p.Given, name)
		default:
			p.Given = append(p.Given, name)
			if takesValue(flag) {
				p.awaits = flag
			}
		}
	}
	return p
}

// values returns the possible values of a flag. It returns none for a nil flag.
func (c Choices) values(flag cli.Flag, t Typed) []Candidate {
	if flag == nil {
		return nil
	}
	name := flag.Names()[0]
	if formats := formatsOf(flag); formats != nil {
		return Words(formats...)(t)
	}
	if choice := c.Flags[name]; choice != nil {
		return choice(t)
	}
	return nil
}

// arguments returns the possible next arguments of a command.
func (c Choices) arguments(command *cli.Command, p partial) (candidates []Candidate) {
	names := strings.Fields(command.ArgsUsage)
	if len(names) == 0 {
		return nil
	}
	next := names[min(p.arguments, len(names)-1)]
	if p.arguments >= len(names) && !strings.Contains(next, "...") {
		return nil
	}
	for name := range strings.SplitSeq(strings.Trim(next, "[]."), "|") {
		if choice := c.Arguments[name]; choice != nil {
			candidates = append(candidates, choice(p.Typed)...)
		} else if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" { // a word that stands for itself
			candidates = append(candidates, Candidate{Text: name})
		}
	}
	return candidates
}

// flagsOf returns the visible flags of a command, except given flags that cannot be repeated, and --help.
func flagsOf(command *cli.Command, given []string) (candidates []Candidate) {
	for _, f := range command.Flags {
		name, meaning := f.Names()[0], ""
		if v, ok := f.(cli.VisibleFlag); ok && !v.IsVisible() {
			continue
		}
		if d, ok := f.(cli.DocGenerationFlag); ok {
			meaning = strings.ReplaceAll(d.GetUsage(), "`", "")
		}
		if _, many := f.(*cli.StringSliceFlag); many || !slices.Contains(given, name) {
			candidates = append(candidates, Candidate{"--" + name, meaning})
		}
	}
	return append(candidates, Candidate{"--help", "help for the command"})
}

// namesOf returns the commands that are not hidden.
func namesOf(commands []*cli.Command) (candidates []Candidate) {
	for _, c := range commands {
		if !c.Hidden {
			candidates = append(candidates, Candidate{c.Name, c.Usage})
		}
	}
	return candidates
}

// matching returns the candidates that begin with the typed text.
func matching(candidates []Candidate, typed string) []Candidate {
	return slices.DeleteFunc(slices.Clone(candidates), func(c Candidate) bool { return !strings.HasPrefix(c.Text, typed) })
}

// quoted returns a candidate with the quotes or escapes of a shell. So every candidate is one word of the command, even
// the name of a bot that a stranger has chosen. open is the quote that bash has open before the candidate, "" for none.
// Zsh and fish quote candidates themselves.
func quoted(shell, text, open string) string {
	switch shell {
	case bash:
		return bashText(text, open)
	case powershell:
		return powershellWord(text)
	}
	return text
}

// bashText returns a text in the form that bash expects in the open quote.
func bashText(text, open string) string {
	text = bashQuotes[open].Replace(text)
	if open != "" && strings.HasSuffix(text, open) {
		return text + open // the quote makes bash end the word, so that it adds no quote
	}
	return text
}

// bashQuotes escape the special characters of bash: without quotes, in single quotes and in double quotes.
var bashQuotes = map[string]*strings.Replacer{
	"":   escaping(" \t|&;()<>*?[]{}!\"'#$~\\^`", `\`),
	"'":  strings.NewReplacer("'", `'\''`),
	"\"": strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`", "!", `"'!'"`), // otherwise a ! would recall history
}

// escaping returns a replacer that puts a text before each of the characters. If the text is "", the replacer doubles
// the characters.
func escaping(characters, text string) *strings.Replacer {
	var pairs []string
	for c := range strings.SplitSeq(characters, "") {
		pairs = append(pairs, c, cmp.Or(text, c)+c)
	}
	return strings.NewReplacer(pairs...)
}

// powershellWord puts a text into quotes if it has special characters for PowerShell. PowerShell puts the result in
// place of the whole typed word and its open quote.
func powershellWord(text string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./:=,+", r)
	}
	if !strings.ContainsFunc(text, special) {
		return text
	}
	return "'" + powershellQuotes.Replace(text) + "'"
}

// The characters besides ' and " that PowerShell takes for a single or a double quote.
const (
	powershellSingle = "\u2018\u2019\u201a\u201b"
	powershellDouble = "\u201c\u201d\u201e"
)

// powershellQuotes doubles the characters that PowerShell takes for a single quote.
var powershellQuotes = escaping("'"+powershellSingle, "")
