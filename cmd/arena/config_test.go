package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
)

// askedFor is the event that a command line of tournament run asks for.
func askedFor(t *testing.T, args ...string) (s arena.Setup, problem string) {
	t.Helper()
	a := app()
	i := slices.IndexFunc(a.Commands, func(c *cli.Command) bool { return c.Name == "tournament" })
	for _, c := range a.Commands[i].Subcommands {
		c.Action = func(c *cli.Context) (err error) {
			s, err = readSetup(c)
			return err
		}
	}
	var stderr bytes.Buffer
	cmdline.Run(t.Context(), a, append([]string{"arena", "tournament", "run"}, args...), &stderr)
	return s, stderr.String()
}

// configured is the event of a file with that text.
func configured(t *testing.T, text string, args ...string) (s arena.Setup, problem string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "event.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, problem = askedFor(t, append(args, "--config", path)...)
	return s, strings.ReplaceAll(problem, path, "FILE")
}

func TestTheWrittenConfigMeansTheDefaults(t *testing.T) {
	want, _ := askedFor(t, "--bot", "evminimax", "--bot", "mcts:playouts=1000")
	got, problem := configured(t, eventFile)
	if problem != "" || len(got.Bots) != 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("setup %+v, want %+v: %s", got, want, problem)
	}
}

// commentedKey is a key or table in a comment.
var commentedKey = regexp.MustCompile(`(?m)^# (\[|\w+ += )`)

// Every flag has its key, and every key is in the file that init writes.
func TestEveryFlagHasItsKeyInTheWrittenConfig(t *testing.T) {
	file, err := parseConfig("event.toml", commentedKey.ReplaceAll([]byte(eventFile), []byte("$1")))
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{"bot": len(file.Bots) > 0 && len(file.Bot) > 0}
	_ = eachKey(reflect.ValueOf(file).Elem(), "", func(_, flag string, value reflect.Value) error {
		keys[flag] = !value.IsNil()
		return nil
	})
	sprt := *file.Plan.SPRT
	for field, value := range reflect.ValueOf(sprt).Fields() {
		keys["sprt"] = keys["sprt"] && !value.IsNil() && strings.Contains(sprt.String(), field.Tag.Get("toml")+"=")
	}
	for _, flag := range eventFlags() {
		name := flag.Names()[0]
		if !keys[name] {
			t.Errorf("--%s has no key, or the written file does not have it", name)
		}
		delete(keys, name)
	}
	if len(keys) > 0 {
		t.Errorf("keys of no flag: %v", keys)
	}
}

// each flag beside the key that stands for it.
var flagsAndKeys = []struct{ flags, file string }{
	{"--name n", `name = "n"`},
	{"--rules solo", `rules = "solo"`},
	{"--size 3x2", `size = "3x2"`},
	{"--seed 9007199254740991", `seed = 9007199254740991`},
	{"--matches 7", `matches = 7`},
	{"--concurrency 99", `concurrency = 99`},
	{"--time-per-move 1500ms", `time_per_move = "1.5s"`},
	{"--time 1m --increment 1s", `time = "1m"` + "\n" + `increment = "1s"`},
	{"--in-process", `in_process = true`},
	{"--search", `search = true`},
	{"--openings random:plies=4,count=3", `openings = "random:plies=4,count=3"`},
	{"--format gauntlet --seeds 2", `plan = {kind = "gauntlet", seeds = 2}`},
	{"--format swiss --rounds 2", "[plan]\nkind = \"swiss\"\nrounds = 2"},
	{"--format ladder --ahead 3", "plan.kind = \"ladder\"\nplan.ahead = 3"},
	{
		"--format sprt --sprt elo0=-1.5,elo1=2,alpha=0.1,beta=0.2,model=logistic",
		"[plan]\nkind = \"sprt\"\n[plan.sprt]\nelo0 = -1.5\nelo1 = 2\nalpha = 0.1\nbeta = 0.2\nmodel = \"logistic\"",
	},
	{"--playouts 50 --nodes 100", "[budget]\nplayouts = 50\nnodes = 100"},
	{"--margin 10ms --lag 20ms", "[lenience]\nmargin = \"10ms\"\nlag = \"20ms\""},
	{"--max-turns 5 --max-tile 64", "[adjudication]\nmax_turns = 5\nmax_tile = 64"},
	{"--early-decision --resign", "[adjudication]\nearly_decision = true\nresign = true"},
	{"--strikes 2 --struck-games void", "[strikes]\nfaults = 2\ngames = \"void\""},
}

func TestAKeyMeansWhatItsFlagDoes(t *testing.T) {
	bots := []string{"--bot", "a=greedy", "--bot", "random"}
	plain, _ := askedFor(t, bots...)
	for _, test := range flagsAndKeys {
		want, _ := askedFor(t, append(strings.Fields(test.flags), bots...)...)
		got, problem := configured(t, "bots = [\"a=greedy\", \"random\"]\n"+test.file)
		if problem != "" || !reflect.DeepEqual(got, want) || reflect.DeepEqual(got, plain) {
			t.Errorf("%s: setup\n%+v\nwant that of %s\n%+v\n%s", test.file, got, test.flags, want, problem)
		}
	}
	all := ""
	for _, test := range flagsAndKeys {
		all += test.flags
	}
	for _, flag := range eventFlags() {
		if name := flag.Names()[0]; name != "bot" && !strings.Contains(all, "--"+name) {
			t.Errorf("--%s is not compared with its key", name)
		}
	}
}

func TestBotsWithTables(t *testing.T) {
	s, problem := configured(t, `
bots = ["random"]
[[bot]]
name = "ann"
spec = "mcts:playouts=10,c=1"
[[bot]]
name = "connected"
[[bot]]
spec = "greedy"`)
	if want := []string{"random", "ann=mcts:playouts=10,c=1", "connected", "greedy"}; !slices.Equal(s.Bots, want) {
		t.Errorf("bots %q, want %q: %s", s.Bots, want, problem)
	}
}

func TestFlagsWinOverTheConfig(t *testing.T) {
	s, problem := configured(t, "bots = [\"random\", \"greedy\"]\nseed = 5\nmatches = 4\nin_process = true\n[budget]\nplayouts = 3",
		"--seed", "1", "--bot", "a=random", "--bot", "b=random", "--in-process=false")
	want := []string{"a=random", "b=random"}
	if s.Seed != 1 || s.Matches != 4 || s.InProcess || s.Settings.Budget.Playouts != 3 || !slices.Equal(s.Bots, want) {
		t.Errorf("setup %+v: %s", s, problem)
	}
}

func TestWrongConfigs(t *testing.T) {
	for text, want := range map[string]string{
		"\nmatchs = 3\nname = 'a'\nfoo = 1":   "FILE:2: matchs: no such key: did you mean matches?\nFILE:4: foo: no such key (arena tournament init writes",
		"[plan]\nkind = 'swiss'\nround = 3":   "FILE:3: plan.round: no such key: did you mean plan.rounds?",
		"rounds = 3":                          "FILE:1: rounds: no such key: did you mean plan.rounds?",
		"[[bot]]\nname = 'a'\nspek = 'b'":     "FILE:3: bot.spek: no such key: did you mean bot.spec?",
		"[plan.sprt]\nelo2 = 3":               "FILE:2: plan.sprt.elo2: no such key: did you mean plan.sprt.elo0?",
		"\nmatches = '3'":                     "FILE:2: matches: is of type string, want a whole number",
		"in_process = 1":                      "FILE:1: in_process: is of type integer, want true or false",
		"bots = ['a', 3]":                     "FILE:1: bots: is of type integer, want a list of texts",
		"bots = 'a'":                          "FILE:1: bots: is of type string, want a list of texts",
		"plan = 'swiss'":                      "FILE:1: plan: is of type string, want a table, [plan]",
		"[plan]\nkind = 3":                    "FILE:2: plan.kind: is of type integer, want a text in quotes",
		"[plan.sprt]\nelo0 = 'x'":             "FILE:2: plan.sprt.elo0: is of type string, want a number",
		"time_per_move = 5":                   "FILE:1: time_per_move: is of type integer, want a text in quotes",
		"time = '5 s'":                        "FILE: time: time: unknown unit",
		"[lenience]\nlag = '1us'":             "FILE: lenience.lag: 1µs: want whole milliseconds",
		"rules = 'gpcc1999'":                  `rules "gpcc1999"`,
		"size = '5x5'":                        `size "5x5"`,
		"seed = -1":                           "FILE:1: seed: negative",
		"seed = 1\nseed = 2":                  "FILE:2: seed: key seed is already defined",
		"name":                                "FILE:1: expected '='",
		"bots = ['a=random']":                 "1 bots: give at least two with --bot, or in the file",
		"bots = ['a', 'b']\nplan.seeds = 0":   "--seeds 0: want at least 1",
		"bots = ['a', 'b']\nopenings = 'no!'": "openings: open no!",
	} {
		if _, problem := configured(t, text); !strings.Contains(problem, want) {
			t.Errorf("%q: problem %q, want %q", text, problem, want)
		}
	}
}
