package recipe

import (
	"fmt"
	"strings"

	"versus2048/tournament"
)

// Template returns a config file with every key, its default and its meaning. A key without a fixed default, or for
// some formats only, is commented out, with an example or its default.
func Template() string {
	var text strings.Builder
	text.WriteString(templateHead)
	var settings []tournament.Setting
	for _, s := range tournament.AllSettings() {
		if !s.RequestOnly && s.Name != tournament.SPRT {
			settings = append(settings, s)
		}
	}
	table := ""
	for _, s := range byTable(settings) {
		var key string
		table, key = beginTable(&text, table, s)
		text.WriteString(explained(key, s))
	}
	text.WriteString(templateTables)
	return text.String()
}

const templateHead = `# An event of versus 2048, for: arena event run --config FILE
# Every key has its default value here, or is commented out where the default
# depends on other keys. Flags on the command line override the file.

`

const templateTables = `
# [plan.sprt]            # sprt: the hypotheses about the first bot
# elo0 = 0.0
# elo1 = 5.0             # no default
# alpha = 0.05
# beta = 0.05
# model = "normalized"   # or "logistic"

# A bot can also have a table of its own, instead of a place in the list above.
# [[bot]]
# name = "ann"
# spec = "greedy"
`

// The columns of a config file: where comments begin and where they end.
const commentColumn, lastColumn = 25, 98

// explained returns the line of a key with its default or an example, and comments that explain it.
func explained(key string, s tournament.Setting) string {
	var e tournament.Event
	meaning, set := s.Meaning(), s.SetUsual(&e)
	if s.Example != "" {
		set = s.Set(&e, s.Example)
	}
	if set != nil {
		panic(fmt.Sprintf("the table of settings: %s: %v", s.Name, set))
	}
	line := key + " = " + value(s.Value(&e))
	if s.Otherwise != "" || s.Formats != nil {
		line = "# " + line
	}
	if s.Otherwise != "" {
		meaning += "; by default " + s.Otherwise
	}
	if len(line) >= commentColumn {
		return beside("", 0, meaning) + line + "\n"
	}
	return beside(line, commentColumn, meaning)
}

// beside writes a comment to the right of a line, from the given column on, in as many lines as the comment needs.
func beside(line string, column int, comment string) string {
	var text strings.Builder
	part := ""
	write := func() {
		fmt.Fprintf(&text, "%-*s# %s\n", column, line, part)
		line, part = "", ""
	}
	for _, word := range strings.Fields(comment) {
		if part != "" && column+len("# ")+len(part)+len(" ")+len(word) > lastColumn {
			write()
		}
		part = strings.TrimSpace(part + " " + word)
	}
	write()
	return text.String()
}
