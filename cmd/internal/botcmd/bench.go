package botcmd

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/players"
	"versus2048/rules"
)

// benchSpecs are the bots that bench asks by default: every kind that plays the same on every processor, except random.
// The searches have budgets of some milliseconds for a move. The default leaves out champion, which has a limit of
// time, bots with a neural network, which play otherwise on other processors, and perfect, which needs a file.
var benchSpecs = []string{
	"greedy", "chance", "ntuple",
	"evminimax:depth=4",
	"alphabeta:depth=6", "alphabeta:depth=5,eval=ntuple", "alphabeta:depth=4,eval=ov3y,hurry=false,reductions=false",
	"mcts:playouts=500", "dag:playouts=500", "dag:canonical=true,playouts=500",
	"mctsplus:playouts=500", "mctsplus:leaf=4,playouts=500,policy=merge,reward=log,slides=1000000",
	"ov3y:depth=5,time=0", "ov3y:cache=true,depth=5,eval=score,time=0,win=false",
	"expectimax:depth=3", "expectimax:depth=2,eval=ov3y,model=worst", "expectimax:depth=4,model=even,rare=200",
}

// benchPositions are on boards of 4x4, with either side to move: early, in the middle of a game, before a 2048, and
// near a mate.
var benchPositions = []string{
	"0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A",
	"4,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4 D",
	"1024,1024,2,0/64,16,4,0/8,4,2,0/2,0,0,0 A",
	"2,64,4,8/32,4,16,2/4,16,0,8/0,2,4,2 A",
	"2,4,8,16/4,8,16,32/8,16,0,64/2,2,64,128 D",
}

// benchmark is the result of a bot in all positions.
type benchmark struct {
	Bot       string `json:"bot"`
	Nodes     int64  `json:"nodes"`
	Playouts  int64  `json:"playouts"`
	Signature string `json:"signature"`      // of its moves and its reports
	Took      string `json:"took,omitempty"` // empty with --signature
}

func benchCommand() *cli.Command {
	return &cli.Command{
		Name:      "bench",
		Usage:     "let bots search fixed positions, and print a signature of their results",
		ArgsUsage: "[SPEC ...]",
		Description: "The positions are on boards of 4x4, under all rules. A signature stands for the nodes, the moves and their values: another " +
			"signature means that a bot searches in another way. It is the same on every machine, unless the bot has a time limit, several " +
			"threads or a neural network. Without a SPEC it asks bots of every kind whose signature is the same on every machine.",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "signature", Usage: "print no times, so that two outputs can be compared"},
		}, cmdline.OutputFlags()...),
		Action: cmdline.Printing(bench),
	}
}

func bench(c *cli.Context, out cmdline.Output) error {
	specs := c.Args().Slice()
	if len(specs) == 0 {
		specs = benchSpecs
	}
	results := []benchmark{}
	for _, text := range specs {
		spec, err := players.Parse(text)
		if err != nil {
			return cmdline.WrongUsage(err)
		}
		b, err := benchBot(c.Context, text, spec)
		if err != nil {
			return err
		}
		if c.Bool("signature") {
			b.Took = ""
		}
		results = append(results, b)
	}
	return out.Print(cmdline.Tabular(results, benchTable(results), nil))
}

// benchBot lets a bot choose a move in each position. It leaves out the rules under which the bot does not play.
func benchBot(ctx context.Context, name string, spec players.Spec) (benchmark, error) {
	b, found, began := benchmark{Bot: name}, fnv.New32a(), time.Now()
	for _, r := range rules.Rulesets() {
		if spec.Plays(r, rules.Full) != nil {
			continue
		}
		for _, text := range benchPositions {
			p, err := rules.ParsePosition(r, text)
			if err != nil {
				return b, err
			}
			if err := b.choose(ctx, spec.New(players.Game{Seed: 1, Rules: r, Size: rules.Full}), p, found); err != nil {
				return b, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	b.Signature, b.Took = fmt.Sprintf("%08x", found.Sum32()), time.Since(began).Round(time.Millisecond).String()
	return b, nil
}

// choose lets a player choose a move. It writes the move and the player's search report into found, and adds the
// report's nodes and playouts to b.
func (b *benchmark) choose(ctx context.Context, player players.Player, p rules.Position, found io.Writer) error {
	m, err := player.Choose(ctx, p)
	if err != nil {
		return err
	}
	fmt.Fprintln(found, p.Rules(), m)
	searcher, ok := player.(players.Searcher)
	if !ok {
		return nil
	}
	report := searcher.LastSearch()
	if report == nil {
		return nil
	}
	b.Nodes, b.Playouts = b.Nodes+report.Nodes, b.Playouts+report.Playouts
	report.Time, report.CPU = 0, 0
	return json.NewEncoder(found).Encode(report)
}

// benchTable has a row for each bot, and one for all together.
func benchTable(results []benchmark) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("bot", "nodes", "playouts", "signature", "took")}
	sum, found := benchmark{Bot: "all"}, fnv.New32a()
	for _, b := range results {
		t.Add(b.Bot, b.Nodes, b.Playouts, b.Signature, b.Took)
		sum.Nodes, sum.Playouts = sum.Nodes+b.Nodes, sum.Playouts+b.Playouts
		fmt.Fprintln(found, b.Bot, b.Signature)
	}
	t.Add(sum.Bot, sum.Nodes, sum.Playouts, fmt.Sprintf("%08x", found.Sum32()), "")
	return t
}
