package process_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/players/process"
	"versus2048/protocol/stdio"
)

// TestMain lets this test binary also be a bot, or the host of a bot: "bot spec SPEC", or "bot NAME" with the
// name of a bot that makes some mistake.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == hostArgument {
		os.Exit(hostBot())
	}
	if len(os.Args) > 2 && os.Args[1] == "bot" {
		os.Exit(playBot(os.Args[2], os.Args[3:]...))
	}
	os.Exit(m.Run())
}

// bot returns the command of a bot.
func bot(name string, args ...string) []string {
	return append([]string{os.Args[0], "bot", name}, args...)
}

// hostArgument makes this test binary the host of a bot that ignores the end of its input.
const hostArgument = "host"

// hostBot starts the bot, prints the number of its process, and waits to be killed.
func hostBot() int {
	p, err := process.Start(context.Background(), process.Config{Command: bot("ignores the end")})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(p.ID(stdio.IDName))
	forever()
	return 0
}

func playBot(name string, args ...string) int {
	if name == "spec" {
		return serveSpec(args[0])
	}
	b := wrongBot{lines: bufio.NewScanner(os.Stdin)}
	greet := func(string) { fmt.Println("id name wrong\nready") }
	if games, ok := strings.CutPrefix(name, "plays "); ok {
		name, greet = "plays", func(string) { fmt.Println("plays " + games + " color=red\nready\nplays size=2x2") }
	}
	b.on = map[string]func(string){"v2048": greet, "quit": func(string) { os.Exit(0) }}
	wrongBots[name](&b)
	for b.lines.Scan() {
		line := b.lines.Text()
		if do := b.on[strings.Fields(line)[0]]; do != nil {
			do(line)
		}
	}
	return 0
}

// serveSpec serves the bot of a spec.
func serveSpec(text string) int {
	spec, err := players.Parse(text)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	b := stdio.Bot{
		IDs:    []stdio.ID{{Key: stdio.IDName, Text: spec.Kind()}, {Key: stdio.IDVersion, Text: "7"}},
		Margin: time.Minute, // at most half of the time is subtracted
		New: func(_ map[string]string, g stdio.New) (players.Player, error) {
			fmt.Fprintln(os.Stderr, "playing", g.Game)
			p := spec.New(players.Game{Seed: g.Seed, Clock: g.Clock})
			for range 3 { // it thinks for an eighth of its time: the rest is for a slow machine
				p = players.WithMargin(p, time.Hour)
			}
			return p, spec.Plays(g.Rules, g.Size)
		},
	}
	if err := b.Run(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// wrongBot is a bot with a function for each first word of a line.
type wrongBot struct {
	lines *bufio.Scanner
	on    map[string]func(line string)
}

// forever does nothing until the process is killed.
func forever() {
	for {
		<-time.After(time.Hour)
	}
}

// wrongBots are the bots with mistakes, by name.
var wrongBots = map[string]func(b *wrongBot){
	"dies at once": func(*wrongBot) {
		fmt.Fprintln(os.Stderr, "no such file: weights")
		os.Exit(3)
	},
	"starts once": func(*wrongBot) {
		if err := os.Mkdir("started", 0o700); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
	},
	"plays":                   func(*wrongBot) {},
	"never ready":             func(b *wrongBot) { b.on["v2048"] = func(string) { fmt.Println("loading") } },
	"says nothing":            func(b *wrongBot) { b.on["v2048"] = func(string) {} },
	"is ready without an end": func(b *wrongBot) { b.on["v2048"] = func(string) { fmt.Print("ready") } },
	"writes no end of line":   func(b *wrongBot) { b.on["go"] = func(string) { fmt.Print("move N\r") } },
	"is ready too early":      func(*wrongBot) { fmt.Println("id name early\nready") }, // and again after the hello
	"dies": func(b *wrongBot) {
		b.on["go"] = func(string) {
			fmt.Fprintln(os.Stderr, "Traceback\nValueError: x")
			os.Exit(3)
		}
	},
	"hangs": func(b *wrongBot) { b.on["go"] = func(string) { forever() } },
	"floods": func(b *wrongBot) {
		b.on["go"] = func(string) {
			for out := bufio.NewWriter(os.Stdout); ; {
				fmt.Fprintln(out, "info nodes=1")
			}
		}
	},
	"writes a long line": func(b *wrongBot) {
		b.on["go"] = func(string) { fmt.Println(strings.Repeat("x", 2*stdio.MaxLine)) }
	},
	"writes junk": func(b *wrongBot) {
		b.on["go"] = func(string) { fmt.Println("thinking...\ninfo nodes=-1\nmove N2") }
	},
	"moves illegally": func(b *wrongBot) { b.on["go"] = func(string) { fmt.Println("move (4,4)") } },
	"complains and moves illegally": func(b *wrongBot) {
		b.on["go"] = func(line string) {
			fmt.Fprintln(os.Stderr, line)
			fmt.Println("move (4,4)")
		}
	},
	"complains after its move": func(b *wrongBot) {
		b.on["go"] = func(string) {
			fmt.Println("move N")               // a slide, but this bot is the attacker
			<-time.After(10 * time.Millisecond) // so that the move is read first
			fmt.Fprintln(os.Stderr, "I regret that")
			os.Exit(0)
		}
	},
	"answers too early": func(b *wrongBot) { b.on["new"] = func(string) { fmt.Println("move N") } },
	"closes its output": func(b *wrongBot) {
		b.on["go"] = func(string) {
			os.Stdout.Close()
			forever()
		}
	},
	"closes its input": func(b *wrongBot) {
		b.on["go"] = func(string) {
			os.Stdin.Close()
			fmt.Println("move (1,1)")
			forever()
		}
	},
	"resigns":  func(b *wrongBot) { b.on["go"] = func(string) { fmt.Println("resign") } },
	"gives up": func(b *wrongBot) { b.on["go"] = func(string) { fmt.Println("error out of memory") } },
	"reports impossible searches": func(b *wrongBot) {
		b.on["go"] = func(string) { fmt.Println("info pv=(1,1),(1,1)\nmove (1,1)") }
	},
	"ignores the end": func(*wrongBot) {
		signal.Ignore(syscall.SIGTERM)
		fmt.Printf("id name %d\nready\n", os.Getpid())
		forever()
	},
	"ignores signals": func(b *wrongBot) {
		signal.Ignore(syscall.SIGTERM)
		b.on["quit"] = func(string) { forever() }
	},
	"leaves a child": func(b *wrongBot) {
		child := exec.Command(os.Args[0], "bot", "ignores signals")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		pipe, err := child.StdinPipe()
		if err != nil || child.Start() != nil {
			os.Exit(4)
		}
		fmt.Fprintln(pipe, "quit")
		b.on["go"] = func(string) {
			fmt.Fprintln(os.Stderr, child.Process.Pid)
			os.Exit(0)
		}
	},
	"writes a long log": func(b *wrongBot) {
		b.on["go"] = func(string) {
			for i := range 20000 {
				fmt.Fprintln(os.Stderr, "line", i)
			}
			os.Exit(0)
		}
	},
	"tells its settings": func(b *wrongBot) {
		b.on["v2048"] = func(string) {
			fmt.Println("option name=depth type=int default=3 min=1 max=9\noption name=playouts type=int default=1\noption name=time type=int default=5\noption name=\"x")
			fmt.Println("ready")
		}
		b.on["set"] = func(line string) { fmt.Fprintln(os.Stderr, line) }
		b.on["new"] = func(string) { os.Exit(0) }
	},
	"tells its environment": func(b *wrongBot) {
		b.on["new"] = func(string) {
			fmt.Fprintln(os.Stderr, strings.Join(os.Environ(), "\n"))
			os.Exit(0)
		}
	},
}
