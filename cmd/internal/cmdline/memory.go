package cmdline

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// AllowedMemory returns the amount of --memory in bytes. The default is the machine's memory divided by share.
func AllowedMemory(c *cli.Context, share int64) (int64, error) {
	text := c.String("memory")
	if text == "" {
		return MachineMemory() / share, nil
	}
	n, err := ParseBytes(text)
	if err != nil {
		return 0, Usagef("--memory: %w", err)
	}
	return n, nil
}

// unknownMemory is the assumed memory of a machine that does not report it, in bytes.
const unknownMemory = 4 << 30

// MachineMemory returns the memory of this machine in bytes.
func MachineMemory() int64 {
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

type unit struct {
	name string
	size float64 // in bytes
}

// units are the units that ParseBytes knows: binary units first, and B last, since all other names end in B.
var units = []unit{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}}

// ParseBytes parses an amount of memory such as "6GiB" or "1.5 GB".
func ParseBytes(text string) (int64, error) {
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

// FormatBytes formats an amount of memory in the largest binary unit that is not larger than the amount, or in KiB if
// the amount is less than 1 KiB.
func FormatBytes(n int64) string {
	u := units[0]
	for _, larger := range units[:4] {
		if float64(n) >= larger.size {
			u = larger
		}
	}
	return strconv.FormatFloat(math.Round(10*float64(n)/u.size)/10, 'f', -1, 64) + u.name
}
