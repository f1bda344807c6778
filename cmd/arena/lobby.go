package main

import (
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server/lobby"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
)

// lobbyCommand returns the command lobby, which lists the bots that have come for the event of a running arena, begins
// the event, or checks a bot again.
func lobbyCommand() *cli.Command {
	return &cli.Command{
		Name:   "lobby",
		Usage:  "list the bots that are here for the event of a running arena, begin the event, or check a bot again",
		Flags:  append(hosting.ClientFlags(), cmdline.OutputFlags()...),
		Action: cmdline.Printing(listLobby),
		Subcommands: []*cli.Command{
			{
				Name:  "start",
				Usage: "begin the event with the bots that are here and have passed their check",
				Flags: append(operateFlags(),
					&cli.BoolFlag{Name: "without-check", Usage: "also with bots that have not passed their check"}),
				Action: cmdline.WithArguments(startLobby),
			},
			{
				Name: "check", Usage: "repeat the check of a bot that is here", ArgsUsage: "NAME",
				Flags:  hosting.ClientFlags(),
				Action: cmdline.WithArguments(checkInLobby),
			},
		},
	}
}

func listLobby(c *cli.Context, out cmdline.Output) error {
	var now lobby.State
	if err := hosting.NewClient(c).Read(c.Context, "/api/lobby", &now); err != nil {
		return err
	}
	t := terminal.Table{Columns: terminal.Columns("bot", "state", "since", "check", "why")}
	for _, b := range now.Bots {
		t.Add(b.Name, b.Place, b.Since.Format(time.RFC3339), b.Check.Result, b.Check.Why)
	}
	return out.Print(cmdline.Tabular(now, t, func(w io.Writer) error {
		if _, err := fmt.Fprintln(w, plain.Line(lobbyLine(now))); err != nil || len(now.Bots) == 0 {
			return err
		}
		shown := terminal.Table{Columns: []terminal.Column{{Title: "bot", Least: 16}, {Title: "state"}, {Title: "check"}, {Title: "why", Least: 24}}}
		for _, b := range now.Bots {
			shown.Add(b.Name, b.Place, b.Check.Result, b.Check.Why)
		}
		return shown.WriteText(w, out.Width)
	}))
}

// lobbyLine describes a lobby in one line.
func lobbyLine(now lobby.State) string {
	line := fmt.Sprintf("lobby of %s: %s here", now.Name, terminal.Count(now.Here(), "bot", "bots"))
	switch {
	case !now.Open:
		return fmt.Sprintf("lobby of %s: the event has begun: it is event %d", now.Name, now.Event)
	case now.Missing > 0:
		line += fmt.Sprintf(", %d of %d expected missing", now.Missing, now.Expected)
	}
	return line
}

func startLobby(c *cli.Context) error {
	id, err := hosting.NewClient(c).StartLobby(c.Context, c.Bool("without-check"))
	if err != nil {
		return err
	}
	return printBooked(c, id)
}

func checkInLobby(c *cli.Context) error {
	name := c.Args().First()
	if err := hosting.NewClient(c).CheckInLobby(c.Context, name); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.App.Writer, "%s is checked again; see the result with: %s lobby --server %s\n",
		plain.Line(name), cmdline.ThisProgram(), cmdline.Quote(c.String("server")))
	return err
}
