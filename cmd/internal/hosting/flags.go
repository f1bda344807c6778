package hosting

import (
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
)

// DefaultAddress is the listening address of an arena without TLS.
const DefaultAddress = loopback + publicAddress

// DefaultDatabase is the default of --db.
const DefaultDatabase = "arena.db"

// DatabaseFlag returns the flag --db, which names a database.
func DatabaseFlag() cli.Flag {
	return &cli.StringFlag{Name: "db", Value: DefaultDatabase, Usage: "the database"}
}

// GraceFlag returns the flag --grace, which is how long an arena waits for a disconnected bot.
func GraceFlag() cli.Flag {
	return &cli.DurationFlag{
		Name: "grace", Value: 30 * time.Second, Usage: "how long a bot may be disconnected before it loses its games",
		Action: cmdline.AtLeast[time.Duration]("grace", 0),
	}
}
