package cmdline

import (
	"net/url"

	"github.com/urfave/cli/v2"
)

// ServerFlag names a running arena by its address. The address is checked before the command begins: later an address
// without its scheme would look like an arena that does not answer. If the flag is optional, "" means no arena.
func ServerFlag(value, usage string) cli.Flag {
	return &cli.StringFlag{Name: "server", Value: value, Usage: usage, Action: func(_ *cli.Context, server string) error {
		if server == "" && value == "" {
			return nil
		}
		return CheckServer(server)
	}}
}

// CheckServer returns a usage error unless the text is the address of an arena for requests.
func CheckServer(server string) error {
	base, err := url.Parse(server)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return Usagef("--server %q: want http:// or https://, such as http://127.0.0.1:2048", server)
	}
	return nil
}
