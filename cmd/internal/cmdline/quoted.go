package cmdline

import (
	"strings"
	"unicode"
)

// quoted returns a candidate in the quotes of a shell, so that it is always one word of the command: it may be the name
// of a bot, which a stranger has chosen. open is the quote that bash has open before it, "" for none. Zsh and fish
// quote by themselves.
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
	"":   escaping(" \t|&;()<>*?[]{}!\"'#$~\\^`"),
	"'":  strings.NewReplacer("'", `'\''`),
	"\"": strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`", "!", `"'!'"`), // otherwise a ! would recall history
}

// escaping returns a replacer that puts a backslash before each of the characters.
func escaping(characters string) *strings.Replacer {
	var pairs []string
	for c := range strings.SplitSeq(characters, "") {
		pairs = append(pairs, c, `\`+c)
	}
	return strings.NewReplacer(pairs...)
}

// powershellWord puts a text into quotes if it has special characters for PowerShell. It replaces the whole word, with
// the quote before it, if there is one.
func powershellWord(text string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./:=,+", r)
	}
	if !strings.ContainsFunc(text, special) {
		return text
	}
	return "'" + powershellQuotes.Replace(text) + "'"
}

// powershellQuotes doubles the characters that PowerShell takes for a single quote.
var powershellQuotes = strings.NewReplacer("'", "''", "\u2018", "\u2018\u2018", "\u2019", "\u2019\u2019", "\u201a", "\u201a\u201a", "\u201b", "\u201b\u201b")
