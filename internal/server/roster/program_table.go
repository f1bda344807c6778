package roster

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"versus2048/protocol"
	"versus2048/tournament"
)

// Commands has the authorised commands, by the names of the bots. A command is a program and its arguments.
type Commands map[string][]string

// commandPrefix begins a command in place of a spec.
const commandPrefix = "exec:"

// ErrCommandRefused means that a text with a command came from a source that may not name commands.
var ErrCommandRefused = errors.New("a command is run only if the command line or config file of the process that runs the arena names it: " +
	"arena event run --bot NAME=exec:COMMAND, without --server; to play on a running arena, connect the program with bot exec")

// IsCommand reports whether a bot that a user gave is a command: exec:COMMAND or NAME=exec:COMMAND. Neither text
// can be the name of a bot.
func IsCommand(bot string) bool {
	_, command := cut(bot)
	return strings.HasPrefix(command, commandPrefix)
}

// cut splits NAME=exec:COMMAND, where NAME may be missing.
func cut(bot string) (name, command string) {
	if strings.HasPrefix(bot, commandPrefix) {
		return "", bot
	}
	name, command, _ = strings.Cut(bot, "=")
	return name, command
}

// SplitCommands reads the bots in the command line or config file of an arena. It returns the commands among them, and
// all bots with each command replaced by its name. It returns an error for a command without a valid name, without
// words, with quotes that do not end or with words for a shell, and for two commands with the same name.
func SplitCommands(bots []string) (Commands, []string, error) {
	table, rest := Commands{}, make([]string, len(bots))
	for i, bot := range bots {
		if rest[i] = bot; !IsCommand(bot) {
			continue
		}
		name, command := cut(bot)
		words, err := wordsOf(strings.TrimPrefix(command, commandPrefix))
		if err == nil && table[name] != nil {
			err = errors.New("two commands have this name")
		}
		if err == nil {
			err = protocol.CheckName(name)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("bot %.200q: %w: want NAME=exec:COMMAND, such as 'me=exec:python3 me.py'", bot, err)
		}
		table[name], rest[i] = words, name
	}
	return table, rest, nil
}

// GuessCommand reports whether a text in the place of a spec looks like a command without its commandPrefix: it has a
// space, / or \ in it. If files is true, the name of a file in the current folder looks like a command, too.
// GuessCommand returns the command, with ./ before the name of such a file.
func GuessCommand(text string, files bool) (command string, ok bool) {
	if strings.ContainsAny(text, ` /\`) {
		return text, true
	}
	if files && text != "" {
		if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() {
			return "./" + text, true
		}
	}
	return "", false
}

// TakeCommands returns the commands among the Bots and Entries of an event, and replaces them by their names. The event
// must come from a command line or config file.
func TakeCommands(e *tournament.Event) (Commands, error) {
	asked := slices.Clone(e.Bots)
	for _, entry := range e.Entries {
		asked = append(asked, entry.String())
	}
	table, bots, err := SplitCommands(asked)
	if err != nil {
		return nil, err
	}
	for i, bot := range bots[len(e.Bots):] {
		if entry := &e.Entries[i]; IsCommand(entry.String()) {
			entry.Name, entry.Spec = bot, ""
		}
	}
	e.Bots = bots[:len(e.Bots):len(e.Bots)]
	return table, nil
}

// Bots returns the commands in the form that SplitCommands reads, NAME=exec:COMMAND, sorted by name.
func (t Commands) Bots() (bots []string) {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		bots = append(bots, name+"="+commandPrefix+shellquote.Join(t[name]...))
	}
	return bots
}

// wordsOf splits a command at its spaces. It understands the quotes and backslashes of a shell, but no variables,
// patterns or pipes. It refuses words such as && that only a shell understands, unless they are in quotes.
func wordsOf(command string) ([]string, error) {
	words, err := shellquote.Split(command)
	if err == nil && len(words) == 0 {
		err = errors.New("the command is empty")
	}
	if err == nil {
		err = checkShell(strings.Fields(quotedText.ReplaceAllString(command, "x")))
	}
	return words, err
}

// shellWords are words that have a special meaning for a shell, and commands that only a shell has.
var (
	shellWords    = []string{"&&", "||", "|", ";", "&", ">", ">>", "<", "2>", "2>>", "2>&1"}
	shellCommands = []string{"cd", "source", ".", "export", "ulimit", "alias", "set", "umask"}
)

// quotedText matches text in quotes, and a character after a backslash.
var quotedText = regexp.MustCompile(`(?s)'[^']*'|"(?:[^"\\]|\\.)*"|\\.`)

// checkShell returns an error if one of a command's words is for a shell. plain are the words, with an x in place of
// each text in quotes.
func checkShell(plain []string) error {
	for i, word := range plain {
		if slices.Contains(shellWords, word) || strings.HasSuffix(word, ";") || i == 0 && slices.Contains(shellCommands, word) {
			return fmt.Errorf("%s is for a shell, and there is none: put it into a script, or write exec:sh -c '...'", word)
		}
	}
	return nil
}
