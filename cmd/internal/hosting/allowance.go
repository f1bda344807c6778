package hosting

import (
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/server/roster"
)

// readNetworks reads a flag with networks such as 10.0.0.0/8, or single addresses.
func readNetworks(c *cli.Context, flag string) (networks []netip.Prefix, err error) {
	for _, text := range c.StringSlice(flag) {
		if address, err := netip.ParseAddr(text); err == nil {
			networks = append(networks, netip.PrefixFrom(address, address.BitLen()))
			continue
		}
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, cmdline.Usagef("--%s %q: want a network such as 127.0.0.1/32 or 10.0.0.0/8", flag, text)
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// readAllowance reads the limits for the bots that the arena starts.
func readAllowance(c *cli.Context) (a roster.Allowance, err error) {
	memory, err := cmdline.AllowedMemory(c, 2)
	if err != nil {
		return a, err
	}
	// More threads than processors only slow a search down. The limit allows more, since recorded events may have them.
	a = roster.Allowance{Memory: uint64(memory), Threads: max(16, 4*runtime.NumCPU())}
	if folder := c.String("tables"); folder != "" {
		info, err := os.Stat(folder)
		if err != nil || !info.IsDir() {
			return a, cmdline.Usagef("--tables %s: want a folder", folder)
		}
		if a.Folder, err = filepath.Abs(folder); strings.Contains(a.Folder, ",") {
			return a, cmdline.Usagef("--tables %s: its path is %s: want a folder without a comma in its path, since a comma ends a path in a spec", folder, a.Folder)
		}
		return a, err
	}
	return a, nil
}

// ReadPrograms reads a --bot that accepts only programs. It checks them as CheckPrograms does.
func ReadPrograms(c *cli.Context) (roster.Commands, error) {
	for _, bot := range c.StringSlice("bot") {
		if !roster.IsCommand(bot) {
			return nil, cmdline.Usagef("--bot %q: want a program, NAME=exec:COMMAND", bot)
		}
	}
	programs, _, err := roster.SplitCommands(c.StringSlice("bot"))
	if err != nil {
		return nil, cmdline.WrongUsage(err)
	}
	return programs, CheckPrograms(c, programs)
}

// CheckPrograms returns a usage error if a running arena would have to run the programs, or if a program has a name
// that no connected bot can have, such as a spec.
func CheckPrograms(c *cli.Context, programs roster.Commands) error {
	if len(programs) > 0 && c.String("server") != "" {
		return cmdline.Usagef("--bot NAME=exec:COMMAND with --server: %w", roster.ErrCommandRefused)
	}
	for name := range programs {
		if err := server.CheckName(name); err != nil {
			return cmdline.WrongUsage(err)
		}
	}
	return nil
}
