package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botapp"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/cmd/internal/labcmd"
	"versus2048/internal/server"
	"versus2048/internal/server/lobby"
	"versus2048/internal/server/roster"
	"versus2048/players"
	"versus2048/tournament"
)

// Every documented command exists, with its flags.
func TestDocumentedCommandsExist(t *testing.T) {
	commands := documentedCommands(t).commands
	if len(commands) < 80 {
		t.Errorf("only %d commands are found", len(commands))
	}
	for _, c := range commands {
		if err := checkCommand(c.words); err != nil {
			t.Errorf("%s: %s: %v", c.place, c, err)
		}
	}
}

// Every command in an indented block stands in a script, in the same words, or has a mark with the reason why not.
func TestDocumentedCommandsRun(t *testing.T) {
	for _, complaint := range documentedCommands(t).wrong(scriptCommands(t)) {
		t.Error(complaint)
	}
}

// A mark is for the commands of the block below it that do not run, and for no others.
func TestMarksOfCommands(t *testing.T) {
	scripts := [][]string{{"arena", "demo"}, {"lab", "census", "--size", "2x2"}}
	for page, want := range map[string]string{
		"    arena demo\n":                                                                                                "",
		"    arena serve\n":                                                                                               "page:1: arena serve: no script runs it",
		"<!-- not run: hours -->\n    arena serve\n":                                                                      "",
		"<!-- not run: hours -->\n\n    arena serve\n":                                                                    "",
		"<!-- not run: hours -->\n    arena demo\n":                                                                       "page:2: arena demo: a script runs it, page:1: this mark is above no block",
		"<!-- not run:  -->\n    arena serve\n":                                                                           "page:2: arena serve: no script runs it",
		"<!-- not run: hours -->\nText.\n":                                                                                "page:1: this mark is above no block",
		"<!-- not run: hours -->\n\n    { a diagram }\n":                                                                  "page:1: this mark is above no block",
		"<!-- not run: hours -->\nText:\n\n    arena serve\n":                                                             "page:4: arena serve: no script runs it, page:1: this mark is above no block",
		"<!-- not run: hours -->\n    arena serve\n\n    arena bots\n":                                                    "",
		"<!-- not run: hours -->\n    arena serve\n\nText:\n\n    arena bots\n":                                           "page:6: arena bots: no script runs it",
		"<!-- not run: hours -->\n    arena serve\n\n<!-- not run: days -->\n    arena bots\n":                            "",
		"<!-- not run: `arena serve`: hours -->\n    arena demo\n    arena serve --db a.db\n":                             "",
		"<!-- not run: `arena serv`: hours -->\n    arena serve\n":                                                        "page:2: arena serve: no script runs it, page:1: this mark is above no block",
		"<!-- not run: `arena serve`: hours -->\n<!-- not run: an hour -->\n    arena serve\n":                            "page:2: this mark is above no block",
		"<!-- not run: `arena serve`: hours -->\n<!-- not run: `arena bots`: days -->\n    arena bots\n    arena serve\n": "",
		"    for s in 2x2 3x3; do lab census --size $s; done\n":                                                           "page:1: lab census --size 3x3: no script runs it",
		"<!-- not run: `lab census --size 3x3`: hours -->\n    for s in 2x2 3x3; do lab census --size $s; done\n":         "",
	} {
		got := pageCommands("page", page).wrong(scripts)
		wanted := strings.Split(want, ", ")
		if want == "" {
			wanted = nil
		}
		if !slices.EqualFunc(got, wanted, strings.HasPrefix) {
			t.Errorf("%q: %q, want %q", page, got, wanted)
		}
	}
}

// checkCommand refuses commands that do not exist, and matches refuses other words.
func TestCheckCommand(t *testing.T) {
	for text, want := range map[string]string{
		"arena stats --db a.db":                         "",
		"arena replay 1 --search":                       "",
		"arena COMMAND --help":                          "",
		"bot run SPEC --name NAME":                      "",
		"arena event run --format swiss --bot a=greedy": "",
		"arena statistics":                              `there is no command "statistics"`,
		"arena event play":                              `there is no command "play"`,
		"arena stats --database a.db":                   "stats has no flag --database",
		"lab experiment contest --search=false":         "",
		"arena stats --database=a.db":                   "stats has no flag --database",
		"arena stats --format xml":                      `unknown --format "xml"`,
		"arena stats --format=xml":                      `unknown --format "xml"`,
		"arena event run --format csv":                  `unknown --format "csv"`,
		"arena event run --bot a=mcts:playout=1":        `unknown option "playout"`,
	} {
		if err := checkCommand(splitWords(text)); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	for pattern, want := range map[string]bool{"a --bot ...": true, "a --bot X ... --out r": true, "a ... r": true, "a --bot": false, "a --bot X": false, "...": true} {
		if got := matches(splitWords(pattern), splitWords("a --bot b --bot c --out r")); got != want {
			t.Errorf("%s: %v, want %v", pattern, got, want)
		}
	}
}

// unpastable matches a line of a command that a shell reads otherwise than people do: a comment does not go on in the
// next line, and a backslash goes on only if nothing follows it.
var unpastable = regexp.MustCompile(`^\s+.*\s#\s.*\\$|^\s+(arena|bot|lab) .*\\(\s+#.*|\s+)$`)

// Every command of every document can be pasted into a shell.
func TestDocumentedCommandsCanBePasted(t *testing.T) {
	read := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != "../.." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".md":
			return nil
		}
		read++
		text, err := os.ReadFile(path)
		for i, line := range strings.Split(string(text), "\n") {
			if unpastable.MatchString(line) {
				t.Errorf("%s:%d: a comment, or a space, beside the backslash: %s", path, i+1, line)
			}
		}
		return err
	})
	if err != nil || read < 50 {
		t.Errorf("%d documents, error %v", read, err)
	}
}

// scriptCommands returns the commands that TestScripts runs, in the words of the documents: with the arena's usual
// address, and without the & of a process in the background. A command that is expected to fail keeps its ! and so
// matches no document, unless it runs in the background, where an event that is stopped fails.
func scriptCommands(t *testing.T) (commands [][]string) {
	t.Helper()
	scripts, err := filepath.Glob("testdata/script/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	background := regexp.MustCompile(` &\w*&?$`)
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if background.MatchString(line) {
				line = background.ReplaceAllString(strings.TrimPrefix(line, "! "), "")
			}
			line = strings.TrimPrefix(line, "exec ")
			commands = append(commands, splitWords(strings.ReplaceAll(line, "$ARENA_ADDRESS", hosting.DefaultAddress)))
		}
	}
	return commands
}

// placeholder matches words such as FILE, which stand for another word.
var placeholder = regexp.MustCompile(`^[A-Z]+$`)

// matches reports whether the words match the pattern. In it FILE, SPEC and the like stand for any word, and ... for
// one or more words.
func matches(pattern, words []string) bool {
	switch {
	case len(pattern) == 0 || len(words) == 0:
		return len(pattern) == len(words)
	case pattern[0] == "...":
		return matches(pattern[1:], words[1:]) || matches(pattern, words[1:])
	}
	return (pattern[0] == words[0] || placeholder.MatchString(pattern[0])) && matches(pattern[1:], words[1:])
}

// checkCommand returns an error if there is no such command, if it lacks one of these flags, or if a flag's value is
// wrong.
func checkCommand(words []string) error {
	programs := map[string]func() *cli.App{"arena": app, "bot": botapp.App, "lab": labcmd.App}
	program, ours := programs[words[0]]
	if !ours || placeholder.MatchString(words[1]) {
		return nil // another program, or any command
	}
	commands, path, rest := program().Commands, "", words[1:]
	var found *cli.Command
	for len(commands) > 0 && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && rest[0] != "..." {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(rest[0]) })
		if i < 0 {
			return fmt.Errorf("there is no command %q", rest[0])
		}
		found, commands, path, rest = commands[i], commands[i].Subcommands, path+" "+rest[0], rest[1:]
	}
	for i, word := range rest {
		if word == "--" {
			break // of another program
		}
		if !strings.HasPrefix(word, "-") || word == stdio || word == "--help" {
			continue
		}
		flag, value, given := strings.Cut(word, "=")
		if found == nil || !slices.ContainsFunc(found.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), strings.TrimLeft(flag, "-")) }) {
			return fmt.Errorf("%s has no flag %s", strings.TrimSpace(path), flag)
		}
		if !given && i+1 < len(rest) {
			value, given = rest[i+1], true
		}
		if given && !placeholder.MatchString(value) && value != "..." {
			if err := checkValue(path, flag, value, slices.Contains(rest, "--server")); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkValue checks the values of --format and --bot. On a running arena, --bot
// may also name a connected bot.
func checkValue(path, flag, value string, running bool) error {
	switch {
	case flag == "--format":
		known := []string{cmdline.TableFormat, cmdline.JSONFormat, cmdline.CSVFormat, cmdline.MarkdownFormat, textFormat}
		if path == " event run" || path == " event init" || path == " host" {
			known = tournament.Formats()
		}
		if path == " export" {
			known = []string{linesFormat, parquetFormat}
		}
		if !slices.Contains(known, value) {
			return fmt.Errorf("unknown --format %q", value)
		}
	case flag == "--bot" && !running: // the bot's files need not exist
		if roster.IsCommand(value) {
			_, _, err := roster.SplitCommands([]string{value})
			return err
		}
		if name, spec, named := strings.Cut(value, "="); named && !strings.Contains(name, ":") {
			value = spec
		}
		if strings.HasPrefix(value, "exec:") {
			return nil // any command
		}
		_, err := players.ParseClosed(value)
		return err
	}
	return nil
}

// addressVariable names the environment variable with the address that a test's
// arena uses in place of the usual one, on which another arena may listen.
const addressVariable = "ARENA_ADDRESS"

// atTestAddress replaces the arena's usual address in a program's defaults and
// arguments, so that scripts can run commands as the documents show them.
func atTestAddress(app *cli.App) *cli.App {
	address := os.Getenv(addressVariable)
	if address == "" {
		return app
	}
	for i := range os.Args {
		if !strings.Contains(os.Args[i], address) { // which may begin with the usual one, as with port 20484
			os.Args[i] = strings.ReplaceAll(os.Args[i], hosting.DefaultAddress, address)
		}
	}
	var replace func([]*cli.Command)
	replace = func(commands []*cli.Command) {
		for _, c := range commands {
			replace(c.Subcommands)
			for _, f := range c.Flags {
				if text, ok := f.(*cli.StringFlag); ok {
					text.Value = strings.ReplaceAll(text.Value, hosting.DefaultAddress, address)
				}
			}
		}
	}
	replace(app.Commands)
	return app
}

// awaitBots is the script command "await NAME...": it waits until these bots are connected to the script's arena. Those
// given as NAME=EVENT must also play in that event.
func awaitBots(ts *testscript.TestScript, _ bool, names []string) {
	awaitNames(ts, names, func(ctx context.Context, arena *server.Client) (has func(string) bool, err error) {
		bots, err := arena.Bots(ctx)
		return func(name string) bool {
			return slices.ContainsFunc(bots, func(b server.BotInfo) bool {
				return b.Name == name || fmt.Sprintf("%s=%d", b.Name, b.Event) == name
			})
		}, err
	})
}

// awaitChecks is the script command "checked NAME...": it waits until these bots have passed their check in the lobby
// of the script's arena.
func awaitChecks(ts *testscript.TestScript, _ bool, names []string) {
	awaitNames(ts, names, func(ctx context.Context, arena *server.Client) (has func(string) bool, err error) {
		var now lobby.State
		err = arena.Read(ctx, "/api/lobby", &now)
		return func(name string) bool {
			return slices.ContainsFunc(now.Bots, func(b lobby.Bot) bool { return b.Name == name && b.Check.Result == lobby.Passed })
		}, err
	})
}

// awaitNames waits until an answer of the script's arena has all names.
func awaitNames(ts *testscript.TestScript, names []string, ask func(context.Context, *server.Client) (has func(string) bool, err error)) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	arena := &server.Client{URL: "http://" + ts.Getenv(addressVariable)}
	for {
		has, err := ask(ctx, arena)
		missing := slices.DeleteFunc(slices.Clone(names), has)
		if err == nil && len(missing) == 0 {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			ts.Fatalf("not there: %v (%v)", missing, err)
		}
	}
}
