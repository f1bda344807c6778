package botcmd

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/players"
	"versus2048/players/process"
	"versus2048/protocol"
	"versus2048/protocol/stdio"
	"versus2048/rules"
	"versus2048/rules/record"
)

func execCommand() *cli.Command {
	return &cli.Command{
		Name:      "exec",
		Usage:     "connect a program that speaks the line protocol to an arena",
		ArgsUsage: "-- COMMAND [ARGUMENT ...]",
		Description: "COMMAND starts a program that plays over its standard input and output, as docs/STDIO.md describes. " +
			"It is started once for each of the --slots, before the connection; its standard error is shown " +
			"here. It plays until the arena says goodbye, or until Ctrl-C. --name is needed.",
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "slots", Value: 1, Usage: "games to play at once, each in a process of its own"},
			&cli.StringSliceFlag{Name: "set", Usage: "an option of the program, `NAME=VALUE`; repeat it for more"},
			cmdline.StartTimeoutFlag(),
		}, connectionFlags("none")...),
		Action: runProgram,
	}
}

func runProgram(c *cli.Context) error {
	if c.Args().Len() == 0 {
		return cmdline.Usagef("no command: want bot exec --name NAME -- COMMAND [ARGUMENT ...]")
	}
	if c.String("name") == "" {
		return cmdline.Usagef("--name is missing, the name to play under: bot exec --name NAME -- COMMAND [ARGUMENT ...]")
	}
	who, client, err := newClient(c)
	if err != nil {
		return err
	}
	config := process.Config{
		Command: c.Args().Slice(), Options: map[string]string{}, Margin: c.Duration("margin"), Log: client.Log, Errors: c.App.ErrWriter,
		StartTimeout: c.Duration(cmdline.StartTimeout),
		Ready:        client.Hello.Slots, // so that no process starts on the clock of a first move
	}
	for _, setting := range c.StringSlice("set") {
		name, value, ok := strings.Cut(setting, "=")
		if !ok {
			return cmdline.Usagef("--set %q: want NAME=VALUE", setting)
		}
		config.Options[name] = value
	}
	program, err := process.Start(c.Context, config)
	if err != nil {
		return err
	}
	defer program.Close()
	client.Hello.Version, client.Hello.Spec, client.Hello.Plays = program.ID(stdio.IDVersion), program.ID(stdio.IDName), program.Plays()
	if client.Hello.Author == "" {
		client.Hello.Author = program.ID(stdio.IDAuthor)
	}
	client.Margin = 0 // the program gets a shorter time instead
	client.New = func(s protocol.Start) (players.Player, error) { return sit(c.Context, program, s, client.Log), nil }
	return ended(c.Context, who.run(c.Context, client))
}

// programPlayer is a program's side in a game of an arena. After a fault the program gets a new process, which may take
// some time to start; the connection does not wait for it.
type programPlayer struct {
	role   rules.Side
	log    *slog.Logger
	warned bool
	ready  chan struct{} // closed when game is set
	game   *process.Game
}

// sit begins a game in the background.
func sit(ctx context.Context, program *process.Program, s protocol.Start, log *slog.Logger) *programPlayer {
	p := &programPlayer{role: s.Role, log: log, ready: make(chan struct{})}
	clock := s.Setup().Clock
	go func() {
		defer close(p.ready)
		p.game = program.Play(ctx, stdio.New{
			Game: s.Game, Role: s.Role, Rules: s.Rules, Size: s.Size, Seed: s.Seed,
			Clock: clock, Match: s.Match, Opponent: s.Opponent, Resign: s.Resign,
		})
	}()
	return p
}

// Choose implements players.Player.
func (p *programPlayer) Choose(ctx context.Context, position rules.Position) (rules.Move, error) {
	select {
	case <-p.ready:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	move, err := p.game.Choose(ctx, position)
	if said := p.game.Complaint(); said != "" && !p.warned {
		p.warned = true // once a game: a program that prints its thoughts does so at each ply
		p.log.Warn(warning(err), "ply", position.Ply(), "problem", said)
	}
	return move, err
}

// warning says what is wrong with a program's answer, apart from its complaint. err is the error of Choose.
func warning(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "the program gave no answer in time"
	}
	return "the program broke the protocol"
}

// LastSearch implements players.Searcher.
func (p *programPlayer) LastSearch() *record.SearchReport { return p.game.LastSearch() }

// Ended implements protocol.Ender: the process is free for another game.
func (p *programPlayer) Ended(o *protocol.Over) {
	<-p.ready
	over := stdio.Over{Ending: record.Unfinished}
	if o != nil {
		over = stdio.Over{Ending: o.Ending, Score: &o.Score}
		if o.Winner != nil {
			over.Result = stdio.Lost
			if *o.Winner == p.role {
				over.Result = stdio.Won
			}
		}
	}
	p.game.Over(over)
}
