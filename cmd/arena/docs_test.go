package main

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/cmd/internal/labcmd"
	"versus2048/internal/server"
	"versus2048/internal/server/program"
	"versus2048/players"
	"versus2048/tournament/format"
)

// notRun are the documented commands that no script runs, and why.
var notRun = map[string]string{
	"lab train ntuple --rules solo --size 3x2 --budget 1m --out 3x2.ntuple":                                                                                      "a minute",
	"arena tournament run --rules solo --bot champion:time=1 --bot random --matches 12 --time-per-move 0 --in-process --concurrency 1 --seed 5 --db champion.db": "two minutes",
	"arena demo --serve": "TestServedDemo does, and stops it",
	"arena serve --quiet --db /tmp/large.db --addr 127.0.0.1:2048":                               "a database of 100,000 games",
	"arena serve --public --acme arena.example.org --acme-email you@example.org --http-addr :80": "a name and ports of the reader; deploy has a test",
	"arena serve --public --tls-cert fullchain.pem --tls-key privkey.pem":                        "port 443; TestServeWithTLS has others",
	"lab network players/neural/testdata/td.safetensors":                                         "script network does, from another folder",
	// Long ones.
	"lab experiment table1 --out reports":                                                      "two hours",
	"lab experiment table1 --db experiment.db --out reports":                                   "two hours",
	"lab experiment learning --out reports":                                                    "minutes",
	"lab experiment learning --run runs/3x3-td-1 --run runs/3x3-td-2 --run runs/3x3-td-3":      "hours of training before it",
	"lab train ntuple --rules solo --size 3x3 --structure 4x6 --games 130000 --out 3x3.ntuple": "a minute and a half",
	"arena openings --plies 8 --count 10 --seed 5":                                             "for a tournament that is not run; script openings has others",
	"arena tournament run --in-process --concurrency 1 --time-per-move 0 --matches 20 --format gauntlet --openings az4.openings --bot az=az:weights=runs/4x4-gpcc2015-az-2/final.safetensors,simulations=100 --bot ntuple --bot ev4=evminimax:depth=4,mate=10000000 --bot ev3=evminimax:depth=3,mate=10000000 --bot mcts=mcts:playouts=1000 --db az4.db": "minutes of training before it",
	"lab experiment tree --out reports":                                                                                           "minutes",
	"lab experiment tree --db experiment.db --out reports":                                                                        "minutes",
	"lab experiment improvements --out reports":                                                                                   "hours",
	"lab experiment improvements --db experiment.db --out reports":                                                                "hours",
	"lab experiment improvements plus --no-stop --matches 60 --seed 2 --db claim.db --out reports":                                "half an hour",
	"lab experiment strength --time 1 --db strength.db --out reports":                                                             "half an hour",
	"lab experiment strength --time 10 --db strength.db --out reports":                                                            "hours",
	"lab experiment strength --time 100 --best 5 --of 10 --db strength.db --out reports":                                          "hours",
	"lab experiment strength --bot paper=evminimax:depth=3 --db paper.db":                                                         "half an hour",
	"lab experiment contest champion evminimax --time 100 --matches 10 --short --db champion.db":                                  "three hours",
	"lab experiment contest mctsplus evminimax --time 1 --scores --db contest.db --out reports":                                   "an hour",
	"lab experiment contest two=champion:threads=2 one=champion --goal 55 --matches 200 --time 1 --search=false":                  "two hours",
	"lab experiment contest two=champion:threads=2 one=champion --goal 55 --matches 200 --rules gpcc2016 --time 1 --search=false": "two minutes",
	"lab experiment contest two=champion:time=2 one=champion:time=1 --goal 55 --matches 100 --time 1":                             "two hours",
	"lab experiment strength --time 1 --bot ntuple --db ladder.db":                                                                "half an hour; script strength has a smaller one",
	"lab experiment strength --time 1 --size 3x3 --matches 2 --db strength.db":                                                    "a minute",
	"lab census --plies 100 --out reports":                                                                                        "34 seconds",
	"lab census --plies 120 --dir big":                                                                                            "two minutes",
	"lab shortest --plies 71":                                                                                                     "21 seconds and 4 GiB",
	"lab shortest --rules gpcc2016 --plies 35 --memory 16GiB":                                                                     "69 seconds and 16 GiB",
	"lab solve --size 4x2 --rules solo":                                                                                           "3 seconds; script docs_research has smaller boards",
	"lab solve --size 3x3 --rules solo":                                                                                           "14 seconds",
	"lab solve --size 3x3 --rules gpcc2016 --table 3x3.table":                                                                     "14 seconds",
	"lab prove --size 4x3 --rules gpcc2016 --exact --memory 4GiB --state 4x3.state":                                               "days",
	"lab prove --coarse 4 --size 4x4 --rules gpcc2016 --below 400000":                                                             "a second, or ten beside other tests; script docs_analysis has 3x3",
	"lab prove --coarse 4 --size 4x4 --rules gpcc2016 --below 200000 --certificate 180305.proof":                                  "fifteen seconds; script prove has 3x3",
	"lab prove --tidy --size 3x3 --at-least 7172 --state tidy-3x3.state --certificate 7172.proof":                                 "three seconds; script docs_analysis has 4x2",
	"lab prove --coarse 5 --size 4x4 --rules gpcc2016 --below 90000 --threads 2 --state k5.state --certificate 82241.proof":       "an hour",
	"lab check-proof 180305.proof":                                                                                                "a minute, and the proof before it",
	"lab prove --sweep --size 3x3 --rules gpcc2016 --exact":                                                                       "a second; script prove has smaller boards",
	"lab prove --sweep --size 4x3 --rules gpcc2016 --exact --ceiling 640":                                                         "eight minutes",
	"lab experiment strength --time 10 --bot ntuple --matches 2 --db ladder.db":                                                   "hours",
	"lab prove --sweep --size 4x3 --rules gpcc2016 --below 544 --state layers --certificate 544.proof":                            "seven minutes",
	"lab prove --sweep --size 4x3 --rules gpcc2016 --at-least 540 --ceiling 544 --state layers --certificate 540.proof":           "two minutes after it",
	"lab check-proof 544.proof":                                                                                                   "half a minute, and the proof before it",
	"lab check-proof 540.proof":                                                                                                   "four minutes, and the proof before it",
	"arena serve --farm":                                                                                                          "runs until it is interrupted; TestWorkersAreListed runs one",
	"arena worker --games 1":                                                                                                      "runs until it is interrupted; TestWorkersAreListed runs one",
	"arena workers":                                                                                                               "needs a farm; TestWorkersAreListed",
	"lab experiment strength --time 10 --matches 20 --complete --db self.db one=evminimax:depth=16,mate=10000000 " +
		"two=evminimax:depth=16,mate=10000000": "36 minutes",
	"lab train ntuple --rules solo --structure 4x6 --threads 2 --games 722398 --out solo.ntuple": "two hours; script train has a smaller one",
	"arena tournament run --rules solo --bot one=ntuple:weights=solo.ntuple --bot random --matches 1000 --time-per-move 0 " +
		"--in-process --concurrency 1 --db one.db": "needs a network of 80 minutes",
	"arena tournament run --rules solo --bot d2=expectimax:eval=ntuple,weights=solo.ntuple,depth=2 --bot random --matches 100 " +
		"--time-per-move 0 --in-process --concurrency 1 --db d2.db": "needs a network of 80 minutes",
	"arena tournament run --rules solo --bot random --bot ten=expectimax:eval=ntuple,weights=solo.ntuple,depth=31,rare=1000,time=10 " +
		"--matches 12 --time-per-move 0 --in-process --concurrency 1 --db ten.db": "half an hour",
	"lab experiment strength --time 100 --matches 1 --concurrency 2 --db ladder.db expectimax=expectimax:depth=31 mctsplus " +
		"evminimax=evminimax:depth=16,mate=10000000 alphabeta=alphabeta:depth=32 champion": "hours",
	"arena tournament run --server http://127.0.0.1:2048 --format sprt --sprt elo0=0,elo1=30 --matches 200 --bot a=mcts:playouts=300 --bot b=mcts:playouts=250": "minutes",
	"lab experiment table1 --server http://127.0.0.1:2048 --out reports":                                                                                        "an hour; TestExperimentOnWorkers has a small one",
	"arena tournament replay-match 1 7": "script replay_match plays another match again",
	"arena serve --farm --farm-listen :4222 --farm-cert farm.crt --farm-key farm.key --farm-token farm.token": "listens on all addresses; package internal/farm/broker tests TLS and tokens",
	"arena worker --nats tls://arena.example.org:4222 --farm-token farm.token --ca farm.crt":                  "another machine",
	"lab prove --size 4x4 --rules gpcc2016 --at-least 140 --memory 3GiB --certificate 140.proof":              "six minutes",
	"lab solve --size 4x3 --growth --memory 4GiB":                                                             "minutes",
	"lab prove --size 3x3 --below 7176 --memory 2GiB --certificate 7176.proof":                                "a minute",
	"lab prove --sweep --size 4x3 --rules gpcc2016 --at-least 160 --state layers --certificate 160.proof":     "minutes",

	// Long ones with long names.
	"arena tournament run --in-process --bot mcts:playouts=1000 --bot evminimax:ties=first --matches 20 --time-per-move 0":  "two minutes",
	"arena tournament run --in-process --bot dag --bot mcts --matches 8 --time-per-move 0 --concurrency 16 --openings FILE": "minutes",
	"arena tournament run --bot mcts:playouts=1000 --bot evminimax --matches 20":                                            "two minutes",

	"arena tournament run --bot random --bot greedy --bot mcts:playouts=300 --bot dag:playouts=300 --bot evminimax " +
		"--matches 6 --seed 3 --in-process --db ratings.db": "two minutes",

	"arena tournament run --rules solo --bot expectimax --bot expectimax:eval=reserve --bot expectimax:eval=oka " +
		"--bot expectimax:eval=ov3y --bot expectimax:eval=score --matches 10 --time-per-move 0 --in-process --db solo.db": "a minute",

	"arena tournament run --rules solo --bot evminimax:depth=4 --bot evminimax:depth=4,mate=10000000 " +
		"--matches 40 --time-per-move 0 --in-process --db solo.db": "a minute",

	"arena tournament run --rules solo --bot ov3y:time=1 --bot ov3y:time=10 --matches 50 " +
		"--max-tile 2048 --time-per-move 0 --concurrency 1 --in-process --db ov3y.db": "a quarter of an hour",

	"lab regret --table 3x3-gpcc2016.table --positions 1000 --bot random --bot greedy --bot evminimax --bot evminimax:depth=6 " +
		"--bot mcts:playouts=10 ... --bot mcts:playouts=30000 --bot dag:playouts=10 ... --bot dag:playouts=30000 --out reports": "seven minutes",

	"lab train ntuple --size 3x2 --budget 1m --out 3x2.ntuple":                                "a minute",
	"lab train ntuple --structure 5x4 --budget 2h --save 10m --out versus.ntuple":             "two hours",
	"lab train ntuple --rules solo --structure 4x6 --budget 2h --threads 2 --out solo.ntuple": "two hours",
	"lab train ntuple --size 3x3 --structure 4x6 --noise 0.02 --games 30000 --out 3x3.ntuple": "a minute",
	"lab train ntuple --rules solo --structure 4x5 --games 49476 --out v1-solo.ntuple":        "half an hour",
	"arena tournament run --rules solo --bot ntuple --bot v1=ntuple:weights=players/ntuple/v1.ntuple --matches 500 " +
		"--time-per-move 0 --in-process --concurrency 1 --db own.db": "minutes; script train plays one match",
	"lab train ntuple --structure 4x5 --games 299454 --out v1.ntuple":                                                                                        "an hour",
	"lab train ntuple --rules gpcc2016 --structure 4x6 --games 495583 --out v1-gpcc2016.ntuple":                                                              "five minutes",
	"lab train ntuple --size 3x3 --structure 4x6 --noise 0.02 --strangers 0.2 --restart 0.8 --budget 1m --seed 1 --out u1.ntuple":                            "a minute",
	"lab experiment learning u1=ntuple:weights=u1.ntuple u1-8=alphabeta:eval=ntuple,weights=u1.ntuple,depth=8 --games 60 --positions 10 --game gpcc2015/3x3": "needs that network",

	"lab train az-games --weights az.safetensors --games 1000 --simulations 50 --out games.st": "needs a network; script azgames plays fewer",
	"lab worker":                         "runs until it is interrupted; TestRegretOnWorkers runs one",
	"arena serve --farm --tables tables": "runs until it is interrupted; TestRegretOnWorkers runs one",
	"lab regret --table tables/3x3.table --bot mcts:playouts=30000 --server http://127.0.0.1:2048":                  "minutes; TestRegretOnWorkers has a small one",
	"lab train az-games --weights tables/az.safetensors --games 1000 --out games.st --server http://127.0.0.1:2048": "needs a network; TestSelfPlayOnWorkers has one",
	"lab train ntuple --resume --budget 1h --out versus.ntuple":                                                     "an hour",

	"lab experiment contest champion evminimax --time 1 --scores --db champion.db": "an hour",

	// Programs of the reader. Script checks tries the commands with bots of ours.
	"bot check -- python3 me.py": "a program of the reader",
	"bot try -- python3 me.py":   "a program of the reader",
	"bot check --url ws://127.0.0.1:2050/bot -- python3 client.py ws://127.0.0.1:2050/bot tiny":                     "a program of the reader",
	"arena tournament run --bot corner=exec:python3 bot.py --bot evminimax":                                         "a minute",
	"arena tournament run --bot corner=exec:python3 bot.py --bot greedy --bot evminimax --matches 5 --db corner.db": "minutes",
	"arena tournament run --format sprt --sprt elo0=0,elo1=20 --bot new=exec:python3 new/bot.py " +
		"--bot old=exec:python3 old/bot.py --db sprt.db": "hundreds of matches",
	"bot exec --name corner --slots 2 --url ws://HOST:2048/bot -- python3 bot.py":              "the arena is on another machine",
	"bot run champion --name minnie --token TOKEN --slots 2 --url wss://arena.example.org/bot": "the arena is on another machine",
	"arena tournament run --server http://127.0.0.1:2048 --bot corner --bot champion":          "minutes, with a bot on another machine",

	// Addresses of the reader. TestTroubleIsTold has one of its own.
	"arena webhook test slack=https://hooks.slack.com/services/NAME":                             "an address of the reader",
	"arena webhook test --secret-file arena.webhook https://alerts.example.org/arena":            "an address of the reader",
	"arena serve --webhook https://alerts.example.org/arena --webhook-secret-file arena.webhook": "an address of the reader",
	"arena rate me=exec:python3 me.py":                                                           "minutes; script ratings places another one",
	"arena rate me --server http://127.0.0.1:2048 --within 80":                                   "a minute; script ratings_served is quicker",
	"arena rate NAME --server http://127.0.0.1:2048":                                             "minutes; script ratings_served is quicker",
	"arena tournament run --in-process --concurrency 1 --seed 15 --matches 40 --bot random --bot greedy " +
		"--bot mcts:playouts=5 --bot mcts:playouts=20 --bot mcts:playouts=100 --bot evminimax:depth=1 " +
		"--bot evminimax:depth=2 --bot alphabeta:depth=1 --bot alphabeta:depth=2 --bot alphabeta:depth=4 " +
		"--bot mcts:playouts=10 --bot mcts:playouts=50 --db references.db": "half an hour",
	"arena tournament run --in-process --concurrency 1 --seed 16 --matches 40 --format gauntlet --seeds 2 " +
		"--bot mcts:playouts=1 --bot mcts:playouts=2 --bot random --bot greedy --bot mcts:playouts=5 " +
		"--bot evminimax:depth=1 --db references.db": "minutes",

	// Commands that need the result of a long one.
	"arena rating --db references.db":                                                   "needs references.db",
	"arena stats --db corner.db --section standings,ratings,roles":                      "needs corner.db",
	"arena tournament run --bot ntuple:weights=versus.ntuple --bot evminimax":           "needs the network of two hours",
	"arena tournament run --bot alphabeta:eval=ntuple,time=10 --bot champion:time=10":   "minutes",
	"lab train ntuple --size 3x3 --teacher 3x3.table --games 30000 --out taught.ntuple": "half a minute",
	"lab solve --size 3x3 --table 3x3.table":                                            "seconds of two cores",

	"lab probe --table 3x3.table 2,0,2/0,0,4/8,2,4 D":                 "needs the table of 3x3",
	"arena stats --db ratings.db --plot ratings.svg":                  "needs ratings.db",
	"arena stats --db solo.db":                                        "needs solo.db",
	"arena stats --db /tmp/large.db":                                  "needs the database of a benchmark",
	"arena verify --db /tmp/large.db":                                 "needs the database of a benchmark",
	"arena import dist/games/table1-1.jsonl.gz --db table1.db":        "needs the files of a release",
	"arena import dist/games/table1-2.jsonl.gz --db table1.db":        "needs the files of a release",
	"arena import dist/games/table1-3.jsonl.gz --db table1.db":        "needs the files of a release",
	"lab experiment table1 --report-only --matches 40 --db table1.db": "needs the files of a release",
}

// Every documented command exists, with its flags.
func TestDocumentedCommandsExist(t *testing.T) {
	commands := documentedCommands(t)
	if len(commands) < 80 {
		t.Errorf("only %d commands are found", len(commands))
	}
	for _, c := range commands {
		if err := checkCommand(c.words); err != nil {
			t.Errorf("%s: %s: %v", c.place, c, err)
		}
	}
}

// Every command in an indented block stands in a script, in the same words, or in
// notRun.
func TestDocumentedCommandsRun(t *testing.T) {
	scripts := scriptCommands(t)
	runs := func(c command) bool {
		return slices.ContainsFunc(scripts, func(words []string) bool { return matches(c.words, words) })
	}
	long := maps.Clone(notRun)
	for _, c := range documentedCommands(t) {
		if !c.block {
			continue
		}
		_, excused := notRun[c.String()]
		delete(long, c.String())
		switch {
		case excused && runs(c):
			t.Errorf("%s: %s: a script runs it: take it out of notRun", c.place, c)
		case !excused && !runs(c):
			t.Errorf("%s: %s: no script runs it, and notRun has no reason", c.place, c)
		}
	}
	for text := range long {
		t.Errorf("notRun has %s, which is not documented", text)
	}
}

// The rules above reject what they are for.
func TestCheckCommand(t *testing.T) {
	for text, want := range map[string]string{
		"arena stats --db a.db":                              "",
		"arena replay 1 --search":                            "",
		"arena COMMAND --help":                               "",
		"bot run SPEC --name NAME":                           "",
		"arena tournament run --format swiss --bot a=greedy": "",
		"arena statistics":                                   `there is no command "statistics"`,
		"arena tournament play":                              `there is no command "play"`,
		"arena stats --database a.db":                        "stats has no flag --database",
		"lab experiment contest --search=false":              "",
		"arena stats --database=a.db":                        "stats has no flag --database",
		"arena stats --format xml":                           `unknown --format "xml"`,
		"arena stats --format=xml":                           `unknown --format "xml"`,
		"arena tournament run --format csv":                  `unknown --format "csv"`,
		"arena tournament run --bot a=mcts:playout=1":        `unknown option "playout"`,
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

// unpastable matches a line of a command that a shell reads otherwise than people do: a comment does not go on in the next
// line, and a backslash goes on only if nothing follows it.
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

// command is a command that the documents show.
type command struct {
	place string // such as README.md:17
	words []string
	block bool // in an indented block, not within a line
}

func (c command) String() string { return strings.Join(c.words, " ") }

// documentedCommands returns the commands of all pages.
func documentedCommands(t *testing.T) (commands []command) {
	t.Helper()
	pages := []string{"../../README.md", "../../CONTRIBUTING.md"}
	err := filepath.WalkDir("../../docs", func(path string, _ fs.DirEntry, err error) error {
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
		commands = append(commands, pageCommands(strings.TrimPrefix(page, "../../"), string(text))...)
	}
	return commands
}

// inlineCommand matches a command within text, which may be wrapped.
var inlineCommand = regexp.MustCompile("`((?:arena|bot|lab) [^`]+)`")

// fenced matches a block between fences: messages of the protocol.
var fenced = regexp.MustCompile("(?s)```.*?```")

// pageCommands returns the commands of a page.
func pageCommands(page, text string) (commands []command) {
	text = fenced.ReplaceAllStringFunc(text, func(block string) string { return strings.Repeat("\n", strings.Count(block, "\n")) })
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		block, found := strings.CutPrefix(lines[i], "    ")
		if !found {
			continue
		}
		place := fmt.Sprintf("%s:%d", page, i+1)
		lines[i] = ""
		for strings.HasSuffix(block, "\\") && i+1 < len(lines) {
			i++
			block = strings.TrimSuffix(block, "\\") + strings.TrimSpace(lines[i])
			lines[i] = ""
		}
		for _, words := range blockCommands(block) {
			commands = append(commands, command{place, words, true})
		}
	}
	text = strings.Join(lines, "\n")
	for _, m := range inlineCommand.FindAllStringSubmatchIndex(text, -1) {
		place := fmt.Sprintf("%s:%d", page, 1+strings.Count(text[:m[2]], "\n"))
		commands = append(commands, command{place, splitWords(text[m[2]:m[3]]), false})
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

// scriptCommands returns the commands that TestScripts runs, as they stand in the
// documents: with the arena's usual address, and without what puts a process in the
// background. It leaves out those that are expected to fail, unless they run in the
// background, where an event that is stopped fails.
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

// matches reports whether the words match the pattern, in which FILE, SPEC
// and the like stand for any word, and ... for one or more words.
func matches(pattern, words []string) bool {
	switch {
	case len(pattern) == 0 || len(words) == 0:
		return len(pattern) == len(words)
	case pattern[0] == "...":
		return matches(pattern[1:], words[1:]) || matches(pattern, words[1:])
	}
	return (pattern[0] == words[0] || placeholder.MatchString(pattern[0])) && matches(pattern[1:], words[1:])
}

// checkCommand returns an error if there is no such command, if it has not all of
// these flags, or if a flag's value is wrong.
func checkCommand(words []string) error {
	programs := map[string]func() *cli.App{"arena": app, "bot": botcmd.App, "lab": labcmd.App}
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
		if path == " tournament run" || path == " tournament init" {
			known = format.Names()
		}
		if path == " export" {
			known = []string{linesFormat, parquetFormat}
		}
		if !slices.Contains(known, value) {
			return fmt.Errorf("unknown --format %q", value)
		}
	case flag == "--bot" && !running: // whose files need not exist
		if program.IsCommand(value) {
			_, _, err := program.Split([]string{value})
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
		os.Args[i] = strings.ReplaceAll(os.Args[i], hosting.DefaultAddress, address)
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

// awaitBots is the script command "await NAME...": it waits until these bots are
// connected to the script's arena. Those given as NAME=EVENT must also play in that
// event.
func awaitBots(ts *testscript.TestScript, _ bool, names []string) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	client := &server.Client{URL: "http://" + ts.Getenv(addressVariable)}
	for {
		bots, err := client.Bots(ctx)
		missing := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return slices.ContainsFunc(bots, func(b server.BotInfo) bool {
				return b.Name == name || fmt.Sprintf("%s=%d", b.Name, b.Event) == name
			})
		})
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
