package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
	"versus2048/rules"
)

// defaultServer is the address on which an arena listens.
const defaultServer = "127.0.0.1:2048"

// defaultDB is the database of commands that name no other.
const defaultDB = "arena.db"

// dbFlag names a database.
func dbFlag() cli.Flag {
	return &cli.StringFlag{Name: "db", Value: defaultDB, Usage: "the database"}
}

// graceFlag says how long an arena waits for a bot that is disconnected.
func graceFlag() cli.Flag {
	return &cli.DurationFlag{Name: "grace", Value: 30 * time.Second, Usage: "how long a bot may be disconnected before it loses its games"}
}

// serverFlag names a running arena, for commands that can also do without one.
func serverFlag() cli.Flag {
	return &cli.StringFlag{Name: "server", Usage: "a running arena, such as http://" + defaultServer + " (default: the command opens one of its own on --db)"}
}

// runningServerFlag names a running arena, for commands that need one.
func runningServerFlag() cli.Flag {
	return &cli.StringFlag{Name: "server", Value: "http://" + defaultServer, Usage: "the running arena"}
}

// operatorFlag is the token with which an operator may use a running arena.
func operatorFlag() cli.Flag {
	return &cli.StringFlag{Name: "token", EnvVars: []string{"VERSUS2048_OPERATOR_TOKEN"}, Usage: "the operator's token, for an arena on another machine"}
}

// remoteArena returns a client of the arena that --server names.
func remoteArena(c *cli.Context) *arena.Client {
	return &arena.Client{URL: c.String("server"), Token: c.String("token")}
}

// quietFlag turns the display of progress off.
func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Usage: "show no progress"}
}

// numberArgument reads the only argument of a command: the number of an event or
// a game.
func numberArgument(c *cli.Context, name string) (int64, error) {
	if err := cmdline.Arguments(c, name); err != nil {
		return 0, err
	}
	return parseNumber(name, c.Args().First())
}

// parseNumber parses the number of an event or a game.
func parseNumber(name, text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return 0, cmdline.Usagef("%s %q: want its number", name, text)
	}
	return id, nil
}

// startFlags say from which position an analysis starts.
func startFlags() []cli.Flag {
	return []cli.Flag{
		rulesFlag(),
		&cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "start from the empty board of this size, 2x2 to 4x4"},
		&cli.StringFlag{Name: "from", Usage: "start from this position instead, such as \"2,0/0,2 A\": tiles by rows, then A or D for the side to move"},
	}
}

// readStart reads the position of startFlags.
func readStart(c *cli.Context) (rules.Position, error) {
	if c.IsSet("size") && c.IsSet("from") {
		return rules.Position{}, cmdline.Usagef("--size and --from: the position of --from already has a size")
	}
	r, err := rules.ParseRuleset(c.String("rules"))
	if err != nil {
		return rules.Position{}, cmdline.WrongUsage(err)
	}
	if text := c.String("from"); text != "" {
		p, err := rules.ParsePosition(r, text)
		return p, cmdline.WrongUsage(err)
	}
	size, err := rules.ParseSize(c.String("size"))
	if err != nil {
		return rules.Position{}, cmdline.WrongUsage(err)
	}
	return rules.NewPosition(r, size), nil
}

// memoryFlag limits the memory of a computation.
func memoryFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "memory", DefaultText: "a quarter of the machine's", Usage: usage}
}

// allowedMemory reads --memory, in bytes. By default it is the machine's memory divided by share.
func allowedMemory(c *cli.Context, share int64) (int64, error) {
	text := c.String("memory")
	if text == "" {
		return machineMemory() / share, nil
	}
	n, err := parseBytes(text)
	if err != nil {
		return 0, cmdline.Usagef("--memory: %w", err)
	}
	return n, nil
}

// unknownMemory is the assumed memory of a machine that does not report it, in
// bytes.
const unknownMemory = 4 << 30

// machineMemory returns the memory of this machine in bytes.
func machineMemory() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return unknownMemory
	}
	kilobytes := int64(0)
	if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &kilobytes); err != nil {
		return unknownMemory
	}
	return kilobytes << 10
}

// usedMemory returns how much memory this process has from the system and has not
// returned, in bytes.
func usedMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}

// unit is a unit of memory.
type unit struct {
	name string
	size float64 // in bytes
}

// units are the units that parseBytes knows, binary ones first.
var units = []unit{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}}

// parseBytes parses an amount of memory such as "6GiB" or "1.5 GB".
func parseBytes(text string) (int64, error) {
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(n >= 0 && n*u.size <= math.MaxInt64/2) {
			break
		}
		return int64(n * u.size), nil
	}
	return 0, fmt.Errorf("%q: want an amount of memory such as 512MiB or 6GiB", text)
}

// formatBytes formats an amount of memory in the largest binary unit that it fills.
func formatBytes(n int64) string {
	u := units[0]
	for _, larger := range units[:4] {
		if float64(n) >= larger.size {
			u = larger
		}
	}
	return strconv.FormatFloat(math.Round(10*float64(n)/u.size)/10, 'f', -1, 64) + u.name
}
