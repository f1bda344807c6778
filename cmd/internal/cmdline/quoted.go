package cmdline

import (
	"strings"
	"unicode"
)

// quoted returns a candidate as a shell has to be given it, so that it is one word of the command whatever is in it: it
// may be the name of a bot, which a stranger chose. open is the quote in which bash inserts it, "" for none. Zsh and fish
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

// bashText returns a text as bash takes it in the open quote.
func bashText(text, open string) string {
	text = bashQuotes[open].Replace(text)
	if open != "" && strings.HasSuffix(text, open) {
		return text + open // which bash takes for the end of the word already, so that it adds none
	}
	return text
}

// bashQuotes write what bash does not take as it is: in no quotes, in single and in double ones.
var bashQuotes = map[string]*strings.Replacer{
	"":   escaping(" \t|&;()<>*?[]{}!\"'#$~\\^`"),
	"'":  strings.NewReplacer("'", `'\''`),
	"\"": strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`", "!", `"'!'"`), // by ! it would search its history
}

// escaping returns what puts a backslash before each of the characters.
func escaping(characters string) *strings.Replacer {
	var pairs []string
	for c := range strings.SplitSeq(characters, "") {
		pairs = append(pairs, c, `\`+c)
	}
	return strings.NewReplacer(pairs...)
}

// powershellWord puts a text into quotes unless PowerShell takes it as it is. It replaces the whole word, with the quote
// that may stand before it.
func powershellWord(text string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./:=,+", r)
	}
	if !strings.ContainsFunc(text, special) {
		return text
	}
	return "'" + powershellQuotes.Replace(text) + "'"
}

// powershellQuotes doubles what PowerShell takes for a single quote.
var powershellQuotes = strings.NewReplacer("'", "''", "\u2018", "\u2018\u2018", "\u2019", "\u2019\u2019", "\u201a", "\u201a\u201a", "\u201b", "\u201b\u201b")
