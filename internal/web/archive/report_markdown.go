package archive

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/templates"
)

// WriteMarkdown writes the report in GitHub's Markdown, for a forum. link is as in WriteHTML. It returns w's error.
func (r *Report) WriteMarkdown(w io.Writer, link string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", escaped(r.Event.Name))
	if r.Outcome != "" {
		fmt.Fprintf(&b, "**%s**\n\n", marked(r.Outcome))
	}
	b.WriteString(r.State)
	if link != "" {
		fmt.Fprintf(&b, " [The event's page](%s/events/%d)", link, r.Event.ID)
	}
	b.WriteString("\n\n")
	for _, p := range r.Podium {
		fmt.Fprintf(&b, "- %s: **%s**", p.Place, escaped(p.Name))
		if len(p.Values) > 0 {
			fmt.Fprintf(&b, ", %s %s", r.Columns[0], p.Values[0])
		}
		b.WriteByte('\n')
	}
	r.writeTables(&b)
	r.writeScenes(&b, link)
	b.WriteString("\n## Faults\n\n")
	for _, text := range r.Faults {
		fmt.Fprintf(&b, "- %s\n", marked(text))
	}
	switch {
	case len(r.Faults) > 0:
	case r.Podium == nil:
		b.WriteString("None so far.\n")
	default:
		b.WriteString("None: every finished game was played by the rules to its end.\n")
	}
	b.WriteString("\n## Facts\n\n")
	for _, f := range r.Facts {
		fmt.Fprintf(&b, "- %s: %s\n", f.Label, marked(f.Text))
	}
	r.writeRecord(&b, link)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeTables writes the standings and the crosstable.
func (r *Report) writeTables(b *strings.Builder) {
	b.WriteString("\n## Standings\n\n")
	if r.Podium == nil {
		b.WriteString("No match is decided yet: there are no results to show.\n\n")
	}
	if r.Test != "" {
		fmt.Fprintf(b, "%s\n\n", marked(r.Test))
	}
	t := terminal.Table{Columns: terminal.Columns(append([]string{"place", "bot", "matches"}, r.Columns...)...)}
	for _, p := range r.Places {
		row := []any{p.Place, terminal.Raw(escaped(p.Name)), p.Played}
		for _, v := range p.Values {
			row = append(row, terminal.Raw(v))
		}
		t.Add(row...)
	}
	b.WriteString(t.Markdown())
	writeLeft(b, r.Left)
	if r.Matrix == nil {
		return
	}
	b.WriteString("\n## Crosstable\n\nA column's number is the row of the opponent. A cell has points/matches.\n\n")
	t = terminal.Table{Columns: terminal.Columns("row", "bot")}
	for i := range r.Matrix.Names {
		t.Columns = append(t.Columns, terminal.Column{Title: strconv.Itoa(i + 1)})
	}
	t.Columns = append(t.Columns, terminal.Column{Title: "points"})
	for i, line := range r.Matrix.Rows {
		row := []any{i + 1, terminal.Raw(escaped(line.Name))}
		for _, cell := range line.Cells {
			row = append(row, cellText(&cell))
		}
		t.Add(append(row, drawing.PointsText(line.Points))...)
	}
	b.WriteString(t.Markdown())
	writeLeft(b, r.Matrix.Left)
}

func writeLeft(b *strings.Builder, left int) {
	if left > 0 {
		fmt.Fprintf(b, "\n%s left out.\n", terminal.Count(left, "more bot is", "more bots are"))
	}
}

func cellText(c *drawing.MatrixCell) string {
	switch {
	case c.Own:
		return "x"
	case c.Played == 0:
		return "–"
	}
	return fmt.Sprintf("%s/%d", c.Points, c.Played)
}

// writeScenes writes the best games with their final positions.
func (r *Report) writeScenes(b *strings.Builder, link string) {
	if len(r.Scenes) > 0 {
		b.WriteString("\n## Best games\n")
	}
	for _, s := range r.Scenes {
		game := fmt.Sprintf("Game %d", s.Game)
		if link != "" {
			game = fmt.Sprintf("[%s](%s/games/%d)", game, link, s.Game)
		}
		fmt.Fprintf(b, "\n**%s.** %s %s ended with %s after %s:\n\n", s.Title, marked(s.Caption), game,
			templates.Count(s.Final.Score(), "point"), templates.Count(s.Final.Ply(), "ply", "plies"))
		t := terminal.Table{Columns: make([]terminal.Column, s.Final.Size().Width)}
		for i := range t.Columns {
			t.Columns[i].Right = true
		}
		for _, tiles := range s.Final.Tiles() {
			var row []any
			for _, tile := range tiles {
				if tile == 0 {
					row = append(row, ".")
				} else {
					row = append(row, strconv.Itoa(tile))
				}
			}
			t.Add(row...)
		}
		writeCode(b, t.Text(0))
	}
}

// writeRecord writes the ways to get the record and to repeat the event.
func (r *Report) writeRecord(b *strings.Builder, link string) {
	b.WriteString("\n## The record\n\n")
	if link != "" && r.Over {
		fmt.Fprintf(b, "[The file of the event](%s/events/%d/export) has all its games. ", link, r.Event.ID)
	}
	b.WriteString("On the arena's machine this command writes the event with all its games into a file, for `arena import`:\n\n")
	writeCode(b, fmt.Sprintf("arena export %d event-%[1]d.jsonl.gz\n", r.Event.ID))
	if r.secret {
		b.WriteString("\nAfter the event, the command that plays it once more is here.\n")
		return
	}
	if command := r.Command(link); command != "" {
		b.WriteString("\nThis plays the event once more:\n\n")
		writeCode(b, command+"\n")
		return
	}
	b.WriteString("\nThis file plays the event once more, with `arena event run --config FILE`:\n\n")
	writeCode(b, r.TOML())
}

var ticks = regexp.MustCompile("`+")

// writeCode writes lines of code between fences that are longer than every run of backticks in the code.
func writeCode(b *strings.Builder, code string) {
	fence := "```"
	for _, run := range ticks.FindAllString(code, -1) {
		if len(run) >= len(fence) {
			fence = run + "`"
		}
	}
	fmt.Fprintf(b, "%s\n%s\n%[1]s\n", fence, strings.TrimRight(code, "\n"))
}

// escaped escapes a name as marked does. It also puts the name on one line, and makes control characters visible.
func escaped(name string) string { return marked(plain.Line(name)) }

// marked escapes a text, which may have names of strangers. A page then shows the text as it is: without emphasis,
// links, tags, mentions and the like.
func marked(text string) string {
	return beginning.ReplaceAllString(marks.Replace(strings.TrimSpace(text)), `$1\$2`)
}

// beginning matches the beginning of a line that would be a list or a heading.
var beginning = regexp.MustCompile(`^([0-9]*)([-+=.)])`)

var marks = func() *strings.Replacer {
	pairs := []string{"://", `:\/\/`, "www.", `www\.`}
	for _, mark := range "\\`*_{}[]<>#!|~&@$^" {
		pairs = append(pairs, string(mark), `\`+string(mark))
	}
	return strings.NewReplacer(pairs...)
}()
