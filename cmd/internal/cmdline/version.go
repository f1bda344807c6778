package cmdline

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048"
	"versus2048/internal/text/terminal"
	"versus2048/players/playout"
)

// Build identifies the source of a program. In a clone of the repository, go build and go install write the commit and
// its date into the program; go run does not.
type Build struct {
	Program  string `json:"program"`
	Version  string `json:"version"`            // of the project, such as 1.2.0: the content of the file VERSION
	Commit   string `json:"commit,omitempty"`   // 40 hexadecimal digits, or the first 12
	Date     string `json:"date,omitempty"`     // of the commit, such as 2026-11-22T19:24:55Z
	Modified bool   `json:"modified,omitempty"` // the files differed from the commit's
	Go       string `json:"go"`                 // the version of Go
	System   string `json:"system"`             // such as linux/amd64
	Playouts string `json:"playouts"`           // how this processor plays random games

	released bool // the commit has the tag of the version
}

// ReadBuild returns the build of the running program.
func ReadBuild(program string) Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	b := buildOf(info, versus2048.Version())
	b.Program, b.Go, b.System, b.Playouts = program, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH, "one after another"
	if playout.Vectors() {
		b.Playouts = fmt.Sprintf("%d side by side, by AVX-512", playout.Width)
	}
	return b
}

// devel is the short version of a program without information about its source.
const devel = "devel"

// pseudo matches the version that Go gives a commit without a tag. The group has the first digits of the commit.
var pseudo = regexp.MustCompile(`[-.]\d{14}-([0-9a-f]{12})$`)

// buildOf reads the commit and the date of a program that has this version.
func buildOf(info *debug.BuildInfo, version string) Build {
	b := Build{Version: version, released: info.Main.Version == "v"+version}
	if untagged := pseudo.FindStringSubmatch(info.Main.Version); untagged != nil {
		b.Commit = untagged[1]
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		case "vcs.time":
			b.Date = s.Value
		}
	}
	return b
}

// shortCommit is the number of digits of a commit that are shown if there is little room.
const shortCommit = 12

// Short returns the version of a release, and for other programs the first 12 digits of their commit, or "devel" if the
// commit is not known.
func (b Build) Short() string {
	switch {
	case b.released && !b.Modified:
		return b.Version
	case b.Commit != "":
		return b.Commit[:min(shortCommit, len(b.Commit))]
	default:
		return devel
	}
}

// String describes the build in two lines.
func (b Build) String() string {
	var origin []string
	if b.Commit != "" {
		origin = append(origin, "commit "+b.Commit[:min(shortCommit, len(b.Commit))])
	}
	if b.Date != "" {
		origin = append(origin, b.Date)
	}
	if b.Modified {
		origin = append(origin, "with changes")
	}
	text := b.Program + " " + b.Version
	if len(origin) > 0 {
		text += " (" + strings.Join(origin, ", ") + ")"
	}
	return fmt.Sprintf("%s\n%s, %s; playouts: %s", text, b.Go, b.System, b.Playouts)
}

// Version returns the short version of this program, for connections and events.
func Version() string { return ReadBuild("").Short() }

// printVersion prints the version for --version. It replaces [cli.VersionPrinter].
func printVersion(c *cli.Context) {
	_, _ = fmt.Fprintln(c.App.Writer, ReadBuild(c.App.Name)) // the library's printer does not return errors either
}

// VersionCommand returns the command version, which prints the output of --version, also in forms for other programs.
func VersionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version with its commit, and how this processor makes playouts",
		Flags: OutputFlags(),
		Action: Printing(func(c *cli.Context, out Output) error {
			b := ReadBuild(c.App.Name)
			return out.Print(Tabular(b, b.table(), func(w io.Writer) error {
				_, err := fmt.Fprintln(w, b)
				return err
			}))
		}),
	}
}

func (b Build) table() terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("program", "version", "commit", "date", "modified", "go", "system", "playouts")}
	t.Add(b.Program, b.Version, b.Commit, b.Date, b.Modified, b.Go, b.System, b.Playouts)
	return t
}
