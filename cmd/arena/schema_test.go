package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botapp"
	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/labcmd"
	"versus2048/internal/schema"
	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/lobby"
	"versus2048/results"
	"versus2048/results/backup"
	"versus2048/rules/record"
	"versus2048/tournament/report"
	"versus2048/tournament/standing"
)

// outputsVersion is the version of the outputs. It is raised when something is removed or changes its meaning, but not
// when something is added.
const outputsVersion = 1

func TestSchema(t *testing.T) {
	progress := server.Progress{}
	schema.SameOutputs(t, "arena", outputsVersion, map[string]any{
		"backup": backup.Summary{}, "restore": backup.Summary{}, "prune": pruned{}, "verify": results.Verification{},
		"status": server.Status{}, "workers": []server.Worker{}, "bots": []server.BotInfo{}, "check-bot": botcmd.CheckReport{},
		"games": []gameRow{}, "replay": schema.Several{record.Record{}, []gameLog{}}, "version": cmdline.Build{},
		"lobby": lobby.State{}, "lobby start": progress,
		"stats":      schema.Partial{Of: report.Statistics{}},
		"rating":     schema.Several{standing.List{}, []standing.List{}, []standing.Summary{}},
		"rate":       placed{},
		"token list": []server.Token{}, "invitation list": []gate.Invitation{},
		"event run": schema.Several{playedEvent{}, progress}, "event resume": schema.Several{playedEvent{}, progress},
		"event list": []eventRow{}, "event queue": []server.Progress{}, "event status": progress,
		"event replay-match": schema.Several{playedEvent{}, progress}, "event cancel": progress, "event pause": progress, "event stop": progress,
	})
}

// Every command with --json has the schema of its output.
func TestEveryOutputHasASchema(t *testing.T) {
	for _, app := range []*cli.App{app(), botapp.App(), labcmd.App()} {
		program := app.Name
		var each func(commands []*cli.Command, above string)
		each = func(commands []*cli.Command, above string) {
			for _, c := range commands {
				if above == "" && (c.Name == "bot" || c.Name == "tournament") && program != "bot" {
					continue // other names for the commands of the program bot, and of event
				}
				each(c.Subcommands, above+c.Name+" ")
				for _, f := range c.Flags {
					if slices.Contains(f.Names(), "json") {
						if err := schema.CheckOutput(program, above+c.Name, []byte("0")); strings.Contains(fmt.Sprint(err), "no such command") {
							t.Error(err)
						}
					}
				}
			}
		}
		each(app.Commands, "")
	}
}

// checkedMain runs a program of a test, and fails if its output in JSON is not as its schema says.
func checkedMain(app *cli.App) int {
	command, isJSON := commandOf(app, os.Args[1:])
	program := app.Name
	if words := strings.SplitN(command, " ", 2); program != "bot" && len(words) == 2 {
		switch words[0] {
		case "bot":
			program, command = "bot", words[1]
		case "tournament":
			command = "event " + words[1]
		}
	}
	if !isJSON {
		return cmdline.Main(app, os.Args)
	}
	var printed bytes.Buffer
	app.Writer = io.MultiWriter(os.Stdout, &printed)
	code := cmdline.Main(app, os.Args)
	if printed.Len() > 0 {
		if err := schema.CheckOutput(program, command, printed.Bytes()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 99
		}
	}
	return code
}

// commandOf returns the command of a command line, and whether its output is in JSON.
func commandOf(app *cli.App, args []string) (command string, isJSON bool) {
	commands := app.Commands
	for i, word := range args {
		at := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(word) })
		switch {
		case word == "--":
			return strings.TrimSpace(command), isJSON
		case at >= 0:
			command += commands[at].Name + " "
			commands = commands[at].Subcommands
		case word == "--json", word == "json" && args[i-1] == "--format", word == "--format=json":
			isJSON = true
		}
	}
	return strings.TrimSpace(command), isJSON
}
