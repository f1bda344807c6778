package hosting

import (
	"io"
	"log/slog"
	"net"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server/gate"
)

// logFlags are the flags for the log of arena serve, on standard error.
func logFlags() []cli.Flag {
	return cmdline.GroupFlags("the log",
		&cli.StringFlag{Name: "log-format", Value: "text", Usage: "write the log as `FORMAT`: text, or json for programs"},
		&cli.StringFlag{Name: "log-level", Value: "info", Usage: "log messages of at least this `LEVEL`: debug, info, warn or error; debug has each game and each request"},
		&cli.BoolFlag{Name: "access-log", Usage: "log each HTTP request, also on the level info; each visitor of a page makes the log longer"},
		&cli.BoolFlag{Name: "quiet", Usage: "log only errors, as --log-level error"},
	)
}

func openLog(c *cli.Context) (*slog.Logger, error) {
	var level slog.Level
	if text := c.String("log-level"); level.UnmarshalText([]byte(text)) != nil {
		return nil, cmdline.Usagef("--log-level %q: want debug, info, warn or error", text)
	}
	if c.Bool("quiet") {
		if c.IsSet("log-level") {
			return nil, cmdline.Usagef("--quiet and --log-level: give one of them")
		}
		level = slog.LevelError
	}
	switch format := c.String("log-format"); format {
	case "text":
		return newLog(c.App.ErrWriter, level), nil
	case "json":
		return slog.New(gate.LogRequestIDs(slog.NewJSONHandler(c.App.ErrWriter, &slog.HandlerOptions{Level: level, ReplaceAttr: plainJSON}))), nil
	default:
		return nil, cmdline.Usagef("--log-format %q: want text or json", format)
	}
}

// newLog returns a log for people.
func newLog(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(gate.LogRequestIDs(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})))
}

// plainJSON replaces values for a log in JSON: durations become seconds, addresses become texts.
func plainJSON(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		return slog.Float64(a.Key, a.Value.Duration().Seconds())
	}
	if address, ok := a.Value.Any().(net.Addr); ok {
		return slog.String(a.Key, address.String())
	}
	return a
}
