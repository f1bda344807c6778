package cmdline

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// A manual page has the content of the help; texts that roff would take for a macro or a dash are escaped.
func TestManual(t *testing.T) {
	run := &cli.Command{
		Name: "run", Usage: "play", ArgsUsage: "EVENT", Description: ".first\nline\n\nsecond\\paragraph",
		Flags: append(GroupFlags("clocks", &cli.DurationFlag{Name: "per-move", DefaultText: "none", Usage: "for a move"}), cli.HelpFlag),
	}
	app := &cli.App{Name: "arena", Usage: "host", Commands: Group("play", &cli.Command{Name: "event", Usage: "events", Subcommands: []*cli.Command{run, {Name: "x", Hidden: true}}})}
	const want = `.TH ARENA 1 "" "versus 2048" "User Commands"
.SH NAME
arena \- host
.SH SYNOPSIS
.B arena COMMAND [OPTIONS]
.SH PLAY
.TP
.B event
events
.SH ARENA EVENT
events
.PP
.B arena event COMMAND [OPTIONS]
.SH ARENA EVENT RUN
play
.PP
.B arena event run [OPTIONS] EVENT
.PP
\&.first line
.PP
second\eparagraph
.SS CLOCKS
.TP
.B \-\-per\-move value
for a move (default: none)
`
	if got := manual(app); got != want {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Errorf("the page is\n%s\nwant from here on %q", got, strings.TrimSpace(want[at:]))
	}
}
