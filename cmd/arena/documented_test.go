package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documented has all commands of ours that the documents show.
type documented struct {
	commands []command
	marks    []*mark
}

// command is a command that the documents show.
type command struct {
	place string // such as README.md:17
	words []string
	block bool    // in an indented block, not within a line
	marks []*mark // before that block
}

func (c command) String() string { return strings.Join(c.words, " ") }

// mark is a comment on a line of its own above an indented block, which readers of the page do not see. It is the
// reason why no script runs the commands of the block, or those of them that begin with the words between backquotes.
type mark struct {
	place, command, reason string
	used                   bool
}

// markLine matches a mark, with or without the beginning of a command.
var markLine = regexp.MustCompile("^<!-- not run: (?:`([^`]+)`: )?([^\\s`].*) -->$")

// excuses reports whether the mark is for this command.
func (m *mark) excuses(c command) bool {
	return m.command == "" || strings.HasPrefix(c.String()+" ", m.command+" ")
}

// wrong lists each command in a block that neither runs nor has a mark, each one that does both, and each mark without
// a command.
func (d documented) wrong(scripts [][]string) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	for _, c := range d.commands {
		if !c.block {
			continue
		}
		runs := slices.ContainsFunc(scripts, func(words []string) bool { return matches(c.words, words) })
		i := slices.IndexFunc(c.marks, func(m *mark) bool { return m.excuses(c) })
		switch {
		case runs && i >= 0:
			complain("%s: %s: a script runs it, so the mark at %s must not be for it", c.place, c, c.marks[i].place)
		case !runs && i < 0:
			complain("%s: %s: no script runs it: add it to one, or <!-- not run: REASON --> above its block", c.place, c)
		case i >= 0:
			c.marks[i].used = true
		}
	}
	for _, m := range d.marks {
		if !m.used {
			complain("%s: this mark is above no block with a command for it: take it out", m.place)
		}
	}
	return complaints
}

// documentedCommands reads all pages.
func documentedCommands(t *testing.T) (all documented) {
	t.Helper()
	pages := []string{"../../README.md", "../../CONTRIBUTING.md"}
	err := filepath.WalkDir("../../docs", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "notes" { // the notebook has the commands of its day
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		d := pageCommands(strings.TrimPrefix(page, "../../"), string(text))
		all.commands = append(all.commands, d.commands...)
		all.marks = append(all.marks, d.marks...)
	}
	return all
}

// inlineCommand matches a command within text, which may be wrapped.
var inlineCommand = regexp.MustCompile("`((?:arena|bot|lab) [^`]+)`")

// fenced matches a block between fences: messages of the protocol.
var fenced = regexp.MustCompile("(?s)```.*?```")

// pageCommands reads a page.
func pageCommands(page, text string) (d documented) {
	text = fenced.ReplaceAllStringFunc(text, func(block string) string { return strings.Repeat("\n", strings.Count(block, "\n")) })
	lines := strings.Split(text, "\n")
	var marks []*mark // of the block that begins or goes on
	inBlock := false
	for i := 0; i < len(lines); i++ {
		place := fmt.Sprintf("%s:%d", page, i+1)
		block, indented := strings.CutPrefix(lines[i], "    ")
		m := markLine.FindStringSubmatch(lines[i])
		if !indented && lines[i] != "" && (m == nil || inBlock) {
			marks, inBlock = nil, false
		}
		if m != nil {
			marks = append(marks, &mark{place: place, command: m[1], reason: m[2]})
			d.marks = append(d.marks, marks[len(marks)-1])
			lines[i] = ""
		}
		if !indented {
			continue
		}
		inBlock = true
		lines[i] = ""
		for strings.HasSuffix(block, "\\") && i+1 < len(lines) {
			i++
			block = strings.TrimSuffix(block, "\\") + strings.TrimSpace(lines[i])
			lines[i] = ""
		}
		for _, words := range blockCommands(block) {
			d.commands = append(d.commands, command{place, words, true, marks})
		}
	}
	d.commands = append(d.commands, inlineCommands(page, strings.Join(lines, "\n"))...)
	return d
}

// inlineCommands returns the commands within the lines of a page.
func inlineCommands(page, text string) (commands []command) {
	for _, m := range inlineCommand.FindAllStringSubmatchIndex(text, -1) {
		place := fmt.Sprintf("%s:%d", page, 1+strings.Count(text[:m[2]], "\n"))
		commands = append(commands, command{place: place, words: splitWords(text[m[2]:m[3]])})
	}
	return commands
}

var (
	// afterCommand matches what follows a command: a comment, or a file for its output
	// or its input.
	afterCommand = regexp.MustCompile(`\s+(#\s|[<>] \S+$).*$`)
	// beforeCommand matches words before the program that change only how it runs.
	beforeCommand = regexp.MustCompile(`^(time|[A-Z]+=\S+) `)
	// ourCommand matches a command line, but not a line of a diagram.
	ourCommand = regexp.MustCompile(`^(arena|bot|lab|python3) [^\s|]`)
	// loop matches a loop of the shell.
	loop = regexp.MustCompile(`^for (\w+) in (.*); do (.*); done$`)
)

// blockCommands returns the commands in a line of an indented block. There are
// several in a loop, and none if the line has no command of ours.
func blockCommands(line string) (commands [][]string) {
	line = afterCommand.ReplaceAllString(line, "")
	if m := loop.FindStringSubmatch(line); m != nil {
		for _, value := range strings.Fields(m[2]) {
			commands = append(commands, blockCommands(strings.ReplaceAll(m[3], "$"+m[1], value))...)
		}
		return commands
	}
	for beforeCommand.MatchString(line) {
		line = beforeCommand.ReplaceAllString(line, "")
	}
	line = strings.TrimPrefix(line, "go run ./cmd/")
	if !ourCommand.MatchString(line) {
		return nil
	}
	return [][]string{splitWords(line)}
}

// word matches a word of a command line, which may have quotes.
var word = regexp.MustCompile(`(?:[^\s'"]|'[^']*'|"[^"]*")+`)

// splitWords splits a command line as a shell does.
func splitWords(line string) []string {
	words := word.FindAllString(line, -1)
	for i := range words {
		words[i] = strings.NewReplacer("'", "", `"`, "").Replace(words[i])
	}
	return words
}
