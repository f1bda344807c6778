package cmdline

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// completed is an app with commands to complete.
func completed() *cli.App {
	play := &cli.Command{
		Name: "play", Usage: "play an event", ArgsUsage: "EVENT [BOT...]",
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "bot", Usage: "a `SPEC`; repeat it"},
			&cli.StringFlag{Name: "db", Value: "arena.db"},
			&cli.BoolFlag{Name: "quiet"},
			&cli.BoolFlag{Name: "secret", Hidden: true},
		}, OutputFlags("svg")...),
	}
	choices := Choices{
		Flags: map[string]func(Typed) []Candidate{"bot": Words("mcts", "mcts:seed=", "random")},
		Arguments: map[string]func(Typed) []Candidate{
			"EVENT": func(t Typed) []Candidate { return []Candidate{{"7", t.Command + " in " + t.Flags["db"]}} },
			"BOT":   Words("ann", "bob", "corner keeper", "$(touch x)"),
		},
	}
	return &cli.App{Name: "arena", Writer: io.Discard, ErrWriter: io.Discard, Commands: append([]*cli.Command{
		{Name: "tournament", Usage: "of bots", Subcommands: []*cli.Command{play, {Name: "plan"}}},
		{Name: "exec", ArgsUsage: "-- COMMAND"},
	}, CompletionCommands("arena", choices)...)}
}

// replies returns the answer to a shell about a line, with / between lines.
func replies(t *testing.T, args ...string) string {
	t.Helper()
	app := completed()
	var out bytes.Buffer
	app.Writer = &out
	var said strings.Builder
	if code := Run(t.Context(), app, append([]string{"arena", "__complete"}, args...), &said); code != Done {
		t.Errorf("%q: exit code %d: %s", args, code, said.String())
	}
	return strings.ReplaceAll(strings.TrimSuffix(out.String(), "\n"), "\n", "/")
}

func TestComplete(t *testing.T) {
	for line, want := range map[string]string{
		"":                                  "tournament/exec/completion",
		"t":                                 "tournament",
		"-":                                 "--version/--help",
		"nonsense ":                         "",
		"tournament ":                       "play/plan",
		"tournament pla":                    "play/plan",
		"tournament play -":                 "--bot/--db/--quiet/--format/--json/--help",
		"tournament play --q":               "--quiet",
		"tournament play --quiet --bot a -": "--bot/--db/--format/--json/--help", // --bot may be repeated
		"tournament play --bot ":            "mcts/mcts:seed=/random",
		"tournament play --bot r":           "random",
		"tournament play --bot=r":           "--bot=random",
		"tournament play --db ":             "", // files
		"tournament play --format ":         "table/json/csv/markdown/svg",
		"tournament play --format=j":        "--format=json",
		"tournament play ":                  "7",
		"tournament play 7 ":                "ann/bob/corner keeper/$(touch x)",
		"tournament play 7 ann --quiet b":   "bob",
		"tournament play 'an event' a":      "ann",
		"exec ":                             "",
		"exec -- python3 --q":               "", // another program's
		"exec 7 ":                           "",
		"completion ":                       "bash/zsh/fish/powershell/man",
		"completion z":                      "zsh",
	} {
		words, _ := splitLine(bash, "arena "+line)
		got := replies(t, append([]string{fish, "--"}, words[1:]...)...)
		texts := []string{}
		for reply := range strings.SplitSeq(got, "/") {
			text, _, _ := strings.Cut(reply, "\t")
			texts = append(texts, text)
		}
		if got := strings.Join(texts, "/"); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

// Shells that show meanings get them; completions that depend on other flags see these.
func TestCompletionMeanings(t *testing.T) {
	for _, shell := range []string{fish, zsh} {
		if got := replies(t, shell, "--", "tournament", "play", "--db", "b.db", ""); got != "7\ttournament play in b.db" {
			t.Errorf("%s: %q", shell, got)
		}
		if got := replies(t, shell, "--", "tournament", "play", "--bo"); got != "--bot\ta SPEC" {
			t.Errorf("%s: %q", shell, got)
		}
	}
	if got := replies(t, powershell, "--", "arena tournament play --bo", "--bo"); got != "--bot\ta SPEC" {
		t.Errorf("%q", got)
	}
	if got := replies(t, powershell, "--", "arena tournament play 7 'corner"); got != "'corner keeper'" {
		t.Errorf("%q", got)
	}
	if got := replies(t, powershell, "--", "arena tournament pl"); got != "play\tplay an event/plan" {
		t.Errorf("%q", got)
	}
}

// Bash replaces only the text after the last colon or equals sign.
func TestBashReplacesTheEnd(t *testing.T) {
	for line, want := range map[string]string{
		"arena tournament play --bot=|r":      "random",
		"arena tournament play --bot mcts:|s": "seed=",
		"arena tournament play --bot mcts|":   "/:seed=",
		"arena tournament play |":             "7",
		"arena tournament |pl":                "play/plan",
		"arena tournament play 7 |c":          `corner\ keeper`,
		`arena tournament play 7 |corner\ k`:  `corner\ keeper`,
		`arena tournament play 7 '|corner k`:  "corner keeper",
		`arena tournament play 7 |'corner 'k`: `corner\ keeper`,
		`arena tournament play 7 "|$`:         `\$(touch x)`,
	} {
		before, end, _ := strings.Cut(line, "|")
		if got := replies(t, bash, "--", before+end, end); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// hostileNames are names that a bot can have, and that a shell takes for something else.
var hostileNames = []string{"corner keeper", "$(touch x)", "`touch x`", "*", "~", "#1", "a;b|c&d<e>f", "{a,b}[c]?^", `it's "so"`, `\back`, "wow!", `end"`, "end'", "it\u2019s", "日本 語"}

// A candidate is one word, the name, after each quote and after none.
func TestCandidatesAreOneWord(t *testing.T) {
	for _, name := range hostileNames {
		for _, open := range []string{"", "'", `"`} {
			inserted := quoted(bash, name, open)
			if open != "" && !strings.HasSuffix(inserted, open) {
				inserted += open // as bash does
			}
			if words, _ := splitLine(bash, "arena "+open+inserted); len(words) != 2 || words[1] != name {
				t.Errorf("after %s, %s is %s for bash, which reads %q", open, name, inserted, words)
			}
		}
		if plain := quoted(zsh, name, "'"); plain != name {
			t.Errorf("%s is %s for zsh, which quotes by itself", name, plain)
		}
	}
	for name, want := range map[string]string{
		"--bot=mcts:playouts=10,seed=1": "--bot=mcts:playouts=10,seed=1",
		"corner keeper":                 "'corner keeper'",
		"$(touch x)":                    "'$(touch x)'",
		"it's it\u2019s":                "'it''s it\u2019\u2019s'",
		"@a":                            "'@a'",
	} {
		if got := quoted(powershell, name, ""); got != want {
			t.Errorf("%s is %s for PowerShell, want %s", name, got, want)
		}
	}
	for _, name := range hostileNames {
		inserted := quoted(powershell, name, "")
		if words, open := splitLine(powershell, "arena "+inserted+" "); len(words) != 3 || words[1] != name || open != "" {
			t.Errorf("%s is %s for PowerShell, read as %q", name, inserted, words)
		}
	}
}

func TestSplitLine(t *testing.T) {
	for line, want := range map[string][]string{
		"":                  {"", ""},
		"arena":             {"arena", ""},
		"arena ":            {"arena", ""},
		"arena  a":          {"arena", "a"},
		`arena 'a b' "c `:   {"arena", "a b", "c "},
		`arena a\ b \`:      {"arena", "a b", ""},
		`arena "it's" 'a"b`: {"arena", "it's", `a"b`},
		`arena --db '' "" `: {"arena", "--db", "", "", ""},
		`arena "a\b\"\$c\`:  {"arena", `a\b"$c`},
	} {
		if got, _ := splitLine(bash, line); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string][]string{
		`arena --db C:\arena\a.db `:         {"arena", "--db", `C:\arena\a.db`, ""},
		"arena a` b 'c`' \"d`\"\"\"\"":      {"arena", "a b", "c`", `d""`},
		`arena 'it''s' "a""b`:               {"arena", "it's", `a"b`},
		"arena \u2018it\u2019\u2019s\u2019": {"arena", "it\u2019s"},
		"arena \u201ca \u2019b\u201d c`":    {"arena", "a \u2019b", "c"},
		`arena export '' `:                  {"arena", "export", "", ""},
	} {
		if got, _ := splitLine(powershell, line); !slices.Equal(got, want) {
			t.Errorf("PowerShell, %q: %q, want %q", line, got, want)
		}
	}
}

// Completion of any text succeeds, and all candidates begin with the typed word.
func FuzzComplete(f *testing.F) {
	f.Add("arena tournament play --bot mcts:")
	f.Add("arena completion ba")
	f.Add("arena 'a\\")
	f.Fuzz(func(t *testing.T, line string) {
		app := completed()
		for _, shell := range []string{bash, powershell} {
			words, _ := splitLine(shell, line)
			for _, c := range (Choices{}).complete(app, words[1:]) {
				if !strings.HasPrefix(c.Text, words[len(words)-1]) {
					t.Errorf("%q: %q", line, c.Text)
				}
			}
		}
	})
}

func TestScripts(t *testing.T) {
	for _, shell := range []string{bash, zsh, fish, powershell} {
		app := completed()
		var out bytes.Buffer
		app.Writer = &out
		if code := Run(context.Background(), app, []string{"arena", "completion", shell}, io.Discard); code != Done {
			t.Errorf("%s: exit code %d", shell, code)
		}
		if text := out.String(); !strings.Contains(text, "arena") || !strings.Contains(text, "__complete "+shell) || strings.Contains(text, "PROGRAM") {
			t.Errorf("%s: %s", shell, text)
		}
	}
	for _, wrong := range [][]string{{"tcsh"}, {"bash", "zsh"}, {"man", "bash"}} {
		if code := Run(context.Background(), completed(), append([]string{"arena", "completion"}, wrong...), io.Discard); code != Usage {
			t.Errorf("%q: exit code %d", wrong, code)
		}
	}
}
