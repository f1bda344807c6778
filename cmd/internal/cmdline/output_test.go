package cmdline

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"versus2048/internal/text/terminal"
	"versus2048/tournament/report"
)

// someTable has every kind of cell.
func someTable() terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("bot", "n", "share")}
	t.Add("x|y, \"z\"\nw", 3, report.Figure{Value: 1.0 / 3})
	t.Add("b", 0, report.Figure{Needs: "needs 1 game"})
	t.Add("c", int64(1)<<40, 2.5)
	return t
}

// printed returns the output of a command with OutputFlags and the older --csv.
func printed(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	command := &cli.Command{Name: "show", Flags: append(OutputFlags("svg"), CSVFlag()), Action: func(c *cli.Context) error {
		o, err := ReadOutput(c, "svg")
		if err != nil {
			return err
		}
		return o.Print(Tabular(map[string]int{"n": 3}, someTable(), func(w io.Writer) error {
			_, err := io.WriteString(w, "text in "+o.Format+"\n")
			return err
		}))
	}}
	app := &cli.App{Commands: []*cli.Command{command}, Writer: &out, ErrWriter: io.Discard, ExitErrHandler: func(*cli.Context, error) {}}
	err := app.RunContext(t.Context(), append([]string{"arena", "show"}, args...))
	return out.String(), err
}

func TestOutputFormats(t *testing.T) {
	const (
		asCSV      = "bot,n,share\n\"x|y, \"\"z\"\"\\nw\",3,0.333333\nb,0,\nc,1099511627776,2.5\n"
		asMarkdown = "| bot | n | share |\n|---|---|---|\n| x\\|y, \"z\"\\\\nw | 3 | 0.333333 |\n| b | 0 |  |\n| c | 1099511627776 | 2.5 |\n"
		asJSON     = "{\n  \"n\": 3\n}\n"
	)
	for args, want := range map[string]string{
		"":                       "text in table\n",
		"--format table":         "text in table\n",
		"--format json":          asJSON,
		"--json":                 asJSON,
		"--format json --json":   asJSON,
		"--format csv":           asCSV,
		"--csv":                  asCSV,
		"--format=csv --csv":     asCSV,
		"--format markdown":      asMarkdown,
		"--format svg":           "text in svg\n", // a format of its own
		"--json=false":           "text in table\n",
		"--format csv --json=no": "",
	} {
		got, err := printed(t, strings.Fields(args)...)
		if want == "" {
			if err == nil {
				t.Errorf("%s: no error", args)
			}
		} else if err != nil || got != want {
			t.Errorf("%s: %q (%v), want %q", args, got, err, want)
		}
	}
}

func TestWrongOutputFormats(t *testing.T) {
	for args, want := range map[string]string{
		"--format xml":              `--format "xml": want one of table, json, csv, markdown, svg`,
		"--format xml --json":       `--format "xml": want one of table, json, csv, markdown, svg`,
		"--json --csv":              "--json and --csv: give only one of them",
		"--format csv --json":       "--format csv and --json: give only one of them",
		"--format table --json":     "--format table and --json: give only one of them",
		"--format markdown --csv":   "--format markdown and --csv: give only one of them",
		"--format json --csv":       "--format json and --csv: give only one of them",
		"--format csv --csv --json": "--format csv and --json: give only one of them",
	} {
		if got, err := printed(t, strings.Fields(args)...); err == nil || err.Error() != want || got != "" {
			t.Errorf("%s: prints %q, error %v, want %s", args, got, err, want)
		}
	}
}

// failing is a writer that is full.
type failing struct{}

var errFull = errors.New("full")

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestTableReportsErrorsOfItsWriter(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{"csv": someTable().WriteCSV, "markdown": someTable().WriteMarkdown} {
		if err := write(failing{}); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
