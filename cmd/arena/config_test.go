package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server/roster"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/rating"
	"versus2048/tournament/recipe"
)

// eventOf returns the event that a command line of event run describes.
func eventOf(t *testing.T, args ...string) (e tournament.Event, problem string) {
	t.Helper()
	a := app()
	i := slices.IndexFunc(a.Commands, func(c *cli.Command) bool { return c.Name == "event" })
	for _, c := range a.Commands[i].Subcommands {
		c.Action = func(c *cli.Context) (err error) {
			e, err = readEvent(c)
			return err
		}
	}
	var stderr bytes.Buffer
	cmdline.Run(t.Context(), a, append([]string{"arena", "event", "run"}, args...), &stderr)
	return e, stderr.String()
}

// configured returns the event of a config file with that text.
func configured(t *testing.T, text string, args ...string) (e tournament.Event, problem string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "event.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e, problem = eventOf(t, append(args, "--config", path)...)
	return e, strings.ReplaceAll(problem, path, "FILE")
}

func TestWrittenConfigHasTheDefaults(t *testing.T) {
	want, _ := eventOf(t, "--bot", "evminimax", "--bot", "mcts:playouts=1000")
	got, problem := configured(t, recipe.Template())
	if problem != "" || len(got.Bots) != 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("event %+v, want %+v: %s", got, want, problem)
	}
}

// everyKey is a config file with every key set to something other than its default.
const everyKey = "testdata/every-key.toml"

func TestEveryKey(t *testing.T) {
	got, problem := eventOf(t, "--config", everyKey)
	want := tournament.Event{
		Name: "every key", Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Seed: 1<<53 - 1, Matches: 7,
		Bots:        []string{"random", "a=greedy"},
		Entries:     []tournament.Entry{{Name: "ann", Spec: "mcts:playouts=10,c=1"}, {Name: "connected"}, {Spec: "evminimax"}},
		Clock:       tournament.Clock{PerMove: 1500 * time.Millisecond, Base: time.Minute, Increment: time.Second},
		Concurrency: 99, InProcess: true, Search: true,
		Settings: tournament.Settings{
			Plan: tournament.Plan{
				Kind: "sprt", Seeds: 2, SeedsAttack: true, Rounds: 3, Ahead: 4, Open: tournament.OpenAll, Most: 30, Within: 62.5,
				SPRT: rating.SPRT{Elo0: -1.5, Elo1: 2, Alpha: 0.1, Beta: 0.2, Model: rating.Logistic},
			},
			Openings:     tournament.Openings{Source: "random:plies=4,count=2", Starts: got.Settings.Openings.Starts},
			Budget:       players.Effort{Playouts: 50, Nodes: 100},
			Lenience:     tournament.Lenience{Margin: tournament.Millis(10 * time.Millisecond), Lag: tournament.Millis(20 * time.Millisecond)},
			Adjudication: tournament.Adjudication{MaxTurns: 5, MaxTile: 64, EarlyDecision: true, Resign: true},
			Strikes:      tournament.Strikes{Faults: 2, Games: tournament.VoidGames},
			Absent:       tournament.Millis(10 * time.Minute),
			LiveSearch:   true,
		},
	}
	if problem != "" || !reflect.DeepEqual(got, want) || len(got.Settings.Openings.Starts) != 2 {
		t.Errorf("event\n%+v\nwant\n%+v\n%s", got, want, problem)
	}
}

// commentedKey matches a key or table in a comment.
var commentedKey = regexp.MustCompile(`(?m)^# (\[|\w+ += )`)

// The written config file has all keys.
func TestConfigFilesHaveEveryKey(t *testing.T) {
	written := commentedKey.ReplaceAllString(recipe.Template(), "$1")
	var file map[string]any
	if err := toml.Unmarshal([]byte(written), &file); err != nil {
		t.Fatal(err)
	}
	keys := fileKeys(file, "")
	if want := slices.Sorted(slices.Values(cmdline.ConfigKeys(configType))); !slices.Equal(keys, want) {
		t.Errorf("it has the keys\n%q\nwant\n%q", keys, want)
	}
}

// fileKeys returns the sorted full names of the keys in a file.
func fileKeys(table map[string]any, prefix string) []string {
	keys := map[string]bool{}
	for key, value := range table {
		keys[prefix+key] = true
		tables := []any{value}
		if list, ok := value.([]any); ok {
			tables = list
		}
		for _, value := range tables {
			if t, ok := value.(map[string]any); ok {
				for _, k := range fileKeys(t, prefix+key+".") {
					keys[k] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// Every flag sets a field that has a key, and every key has a flag.
func TestFlagsAndKeysSetTheSameFields(t *testing.T) {
	var set []string
	for _, s := range tournament.AllSettings() {
		if s.RequestOnly {
			continue
		}
		if key := s.FileKey(); key == "" || slices.Contains(set, key) {
			t.Errorf("--%s has no key of its own", s.Name)
		} else {
			set = append(set, key)
		}
	}
	keys := slices.DeleteFunc(cmdline.ConfigKeys(configType), func(key string) bool {
		return key == "bot" || strings.HasPrefix(key, "bot.") || // --bot sets bots
			slices.ContainsFunc(set, func(s string) bool { return s == key || strings.HasPrefix(s, key+".") || strings.HasPrefix(key, s+".") })
	})
	if len(keys) > 0 {
		t.Errorf("keys without a flag: %v", keys)
	}
}

// door has the same settings as flags, as keys of a file, and as the body of a request.
type door struct{ flags, file, body string }

// flagsAndKeys has flags of an event beside their keys and beside the body of a request. allFlagsAndKeys adds the flags
// that are newer than this list.
var flagsAndKeys = []door{
	{"--name n", `name = "n"`, `{"name": "n"}`},
	{"--rules solo", `rules = "solo"`, `{"rules": "solo"}`},
	{"--size 3x2", `size = "3x2"`, `{"size": "3x2"}`},
	{"--seed 9007199254740991", `seed = 9007199254740991`, `{"seed": 9007199254740991}`},
	{"--matches 7", `matches = 7`, `{"matches": 7}`},
	{"--concurrency 99", `concurrency = 99`, `{"concurrency": 99}`},
	{"--time-per-move 1500ms", `time_per_move = "1.5s"`, `{"clock": {"per_move_ns": 1500000000}}`},
	{"--time 1m --increment 1s", `time = "1m"` + "\n" + `increment = "1s"`, `{"clock": {"per_move_ns": 5000000000, "base_ns": 60000000000, "increment_ns": 1000000000}}`},
	{"--absent 10m", `absent = "10m"`, `{"settings": {"absent_ms": 600000}}`},
	{"--in-process", `in_process = true`, `{"in_process": true}`},
	{"--search", `search = true`, `{"search": true}`},
	{"--search --live-search", "search = true\nlive_search = true", `{"search": true, "settings": {"live_search": true}}`},
	{"--openings random:plies=4,count=3", `openings = "random:plies=4,count=3"`, `{"settings": {"openings": {"source": "random:plies=4,count=3"}}}`},
	{"--format gauntlet --seeds 2", `plan = {kind = "gauntlet", seeds = 2}`, `{"settings": {"plan": {"kind": "gauntlet", "seeds": 2}}}`},
	{"--format gauntlet --seeds-attack", `plan = {kind = "gauntlet", seeds_attack = true}`, `{"settings": {"plan": {"kind": "gauntlet", "seeds_attack": true}}}`},
	{"--format swiss --rounds 1", "[plan]\nkind = \"swiss\"\nrounds = 1", `{"settings": {"plan": {"kind": "swiss", "rounds": 1}}}`},
	{"--format placement --within 62.5", `plan = {kind = "placement", within = 62.5}`, `{"settings": {"plan": {"kind": "placement", "within": 62.5}}}`},
	{"--format ladder --ahead 3", "plan.kind = \"ladder\"\nplan.ahead = 3", `{"settings": {"plan": {"kind": "ladder", "ahead": 3}}}`},
	{"--format ladder --open tokens --most 30", "plan.kind = \"ladder\"\nplan.open = \"tokens\"\nplan.most = 30", `{"settings": {"plan": {"kind": "ladder", "open": "tokens", "most": 30}}}`},
	{
		"--format sprt --sprt elo0=-1.5,elo1=2,alpha=0.1,beta=0.2,model=logistic",
		"[plan]\nkind = \"sprt\"\n[plan.sprt]\nelo0 = -1.5\nelo1 = 2\nalpha = 0.1\nbeta = 0.2\nmodel = \"logistic\"",
		`{"settings": {"plan": {"kind": "sprt", "sprt": {"elo0": -1.5, "elo1": 2, "alpha": 0.1, "beta": 0.2, "model": "logistic"}}}}`,
	},
	{
		"--format sprt --sprt elo1=2 --openings none", "openings = \"none\"\n[plan]\nkind = \"sprt\"\n[plan.sprt]\nelo1 = 2.0",
		`{"settings": {"plan": {"kind": "sprt", "sprt": {"elo1": 2}}, "openings": {"source": "none"}}}`,
	},
	{"--playouts 50 --nodes 100", "[budget]\nplayouts = 50\nnodes = 100", `{"settings": {"budget": {"playouts": 50, "nodes": 100}}}`},
	{"--margin 10ms --lag 20ms", "[lenience]\nmargin = \"10ms\"\nlag = \"20ms\"", `{"settings": {"lenience": {"margin_ms": 10, "lag_ms": 20}}}`},
	{"--max-turns 5 --max-tile 64", "[adjudication]\nmax_turns = 5\nmax_tile = 64", `{"settings": {"adjudication": {"max_turns": 5, "max_tile": 64}}}`},
	{"--early-decision --resign", "[adjudication]\nearly_decision = true\nresign = true", `{"settings": {"adjudication": {"early_decision": true, "resign": true}}}`},
	{"--strikes 2 --struck-games void", "[strikes]\nfaults = 2\ngames = \"void\"", `{"settings": {"strikes": {"faults": 2, "games": "void"}}}`},
}

func TestKeysMeanWhatTheirFlagsDo(t *testing.T) {
	bots := []string{"--bot", "a=greedy", "--bot", "random"}
	plain, _ := eventOf(t, bots...)
	for _, test := range allFlagsAndKeys(t) {
		want, _ := eventOf(t, append(strings.Fields(test.flags), bots...)...)
		got, problem := configured(t, "bots = [\"a=greedy\", \"random\"]\n"+test.file)
		if problem != "" || !reflect.DeepEqual(got, want) || reflect.DeepEqual(got, plain) {
			t.Errorf("%s: event\n%+v\nwant that of %s\n%+v\n%s", test.file, got, test.flags, want, problem)
		}
	}
}

func TestBotsWithTables(t *testing.T) {
	e, problem := configured(t, `
bots = ["random"]
[[bot]]
name = "ann"
spec = "mcts:playouts=10,c=1"
[[bot]]
name = "connected"
[[bot]]
spec = "greedy"`)
	want := []tournament.Entry{{Name: "ann", Spec: "mcts:playouts=10,c=1"}, {Name: "connected"}, {Spec: "greedy"}}
	if !slices.Equal(e.Bots, []string{"random"}) || !slices.Equal(e.Entries, want) {
		t.Errorf("bots %q and %q, want %q: %s", e.Bots, e.Entries, want, problem)
	}
	e, err := roster.Resolve(e, func(name string) bool { return name == "connected" }, 0)
	var names []string
	for _, entry := range e.Entries {
		names = append(names, entry.Name)
	}
	if want := []string{"random", "ann", "connected", "greedy"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("bots named %q, error %v: want %q", names, err, want)
	}
	if want := "random, ann=mcts:playouts=10,c=1, connected, greedy"; e.Name != want {
		t.Errorf("the event is named %q, want %q", e.Name, want)
	}
}

// The bot that a newcomer is checked with never has a name like the newcomer's.
func TestOpponentOf(t *testing.T) {
	for _, newcomer := range []string{"me=greedy", "random", "opponent=greedy", "Opponent=greedy", "another=greedy"} {
		e := tournament.Event{Bots: []string{newcomer, opponentOf(newcomer)}, Size: rules.Full, Matches: 1, Concurrency: 1}
		if _, err := roster.Resolve(e, func(string) bool { return false }, 0); err != nil {
			t.Errorf("%s: %v", newcomer, err)
		}
	}
}

func TestFlagsOverrideTheConfig(t *testing.T) {
	e, problem := configured(t, "bots = [\"random\", \"greedy\"]\nseed = 5\nmatches = 4\nin_process = true\n[budget]\nplayouts = 3\n[[bot]]\nspec = \"random\"",
		"--seed", "1", "--bot", "a=random", "--bot", "b=random", "--in-process=false")
	want := []string{"a=random", "b=random"}
	if e.Seed != 1 || e.Matches != 4 || e.InProcess || e.Settings.Budget.Playouts != 3 || !slices.Equal(e.Bots, want) || e.Entries != nil {
		t.Errorf("event %+v: %s", e, problem)
	}
}

func TestWrongConfigs(t *testing.T) {
	for text, want := range map[string]string{
		"\nmatchs = 3\nname = 'a'\nfoo = 1":   "FILE:2: matchs: unknown key: did you mean matches?\nFILE:4: foo: unknown key (arena event init writes",
		"[plan]\nkind = 'swiss'\nround = 3":   "FILE:3: plan.round: unknown key: did you mean plan.rounds?",
		"rounds = 3":                          "FILE:1: rounds: unknown key: did you mean plan.rounds?",
		"[[bot]]\nname = 'a'\nspek = 'b'":     "FILE:3: bot.spek: unknown key: did you mean bot.spec?",
		"format = 'round-robin'":              "FILE:1: format: unknown key: did you mean plan.kind?",
		"[plan]\nformat = 'swiss'":            "FILE:2: plan.format: unknown key: did you mean plan.kind?",
		"time-per-move = '5s'":                "FILE:1: time-per-move: unknown key: did you mean time_per_move?",
		"bot = ['a', 'b']":                    "FILE:1: bot: is of type string, want a table, [bot]: did you mean bots?",
		"max_turns = 3":                       "FILE:1: max_turns: unknown key: did you mean adjudication.max_turns?",
		"struck-games = 'void'":               "FILE:1: struck-games: unknown key: did you mean strikes.games?",
		"sprt = 'elo1=5'":                     "FILE:1: sprt: unknown key: did you mean plan.sprt?",
		"strikes = 3":                         "FILE:1: strikes: is of type integer, want a table, [strikes]: did you mean strikes.faults?",
		"[plan.sprt]\nelo2 = 3":               "FILE:2: plan.sprt.elo2: unknown key: did you mean plan.sprt.elo0?",
		"\nmatches = '3'":                     "FILE:2: matches: is of type string, want a whole number",
		"in_process = 1":                      "FILE:1: in_process: is of type integer, want true or false",
		"bots = ['a', 3]":                     "FILE:1: bots: is of type integer, want a list of texts",
		"bots = 'a'":                          "FILE:1: bots: is of type string, want a list of texts",
		"size.width = 4":                      "FILE:1: size.width: unknown key: size is a text in quotes",
		"plan.kind.name = 'swiss'":            "FILE:1: plan.kind.name: unknown key: plan.kind is a text in quotes",
		"[[plan]]\nkind = 'swiss'":            "FILE:1: plan: is of type array table, want a table, [plan]",
		"plan = 'swiss'":                      "FILE:1: plan: is of type string, want a table, [plan]",
		"[plan]\nkind = 3":                    "FILE:2: plan.kind: is of type integer, want a text in quotes",
		"[plan.sprt]\nelo0 = 'x'":             "FILE:2: plan.sprt.elo0: is of type string, want a number",
		"time_per_move = 5":                   "FILE:1: time_per_move: is of type integer, want a text in quotes",
		"time = '5 s'":                        "FILE:1: time: 5 s: want a duration",
		"[lenience]\nlag = '1us'":             "FILE:2: lenience.lag: 1µs: want whole milliseconds",
		"rules = 'gpcc1999'":                  `FILE:1: rules: rules "gpcc1999"`,
		"# size = '5x5'\n\nsize = '5x5'":      `FILE:3: size: board size "5x5"`,
		"\nlenience = {lag = '1us'}":          "FILE:2: lenience.lag: 1µs: want whole milliseconds",
		"\n\nlenience.margin = '1us'":         "FILE:3: lenience.margin: 1µs: want whole milliseconds",
		"seed = -1":                           "FILE:1: seed: negative",
		"seed = 1\nseed = 2":                  "FILE:2: seed: key seed is already defined",
		"name":                                "FILE:1: expected '='",
		"bots = ['a=random']":                 "too few bots (1): give at least two with --bot, or in the file",
		"bots = ['a', 'b']\nplan.seeds = 0":   "seeds 0: want at least 1",
		"bots = ['a', 'b']\nopenings = 'no!'": "openings: open no!",
	} {
		if _, problem := configured(t, text); !strings.Contains(problem, want) {
			t.Errorf("%q: problem %q, want %q", text, problem, want)
		}
	}
}
