package claims

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Table is a table in documents. It is made from the claim's artefact: the JSON output of the claim's last command. All
// figures in the table belong to the claim.
type Table struct {
	Rows    string   `toml:"rows" json:"rows"` // the path of a list: an element is a row
	Pick    []int    `toml:"pick" json:"pick"` // the indices of the elements in the table; none for all
	Columns []Column `toml:"columns" json:"columns"`
}

// Column is a column of a table. Its figure is a number, an object with value, low and high, or a text.
type Column struct {
	Title    string `toml:"title" json:"title"`
	JSON     string `toml:"json" json:"json"` // the path of the figure in an element
	Percent  bool   `toml:"percent" json:"percent,omitempty"`
	Decimals int    `toml:"decimals" json:"decimals,omitempty"`
}

// markdown returns the table of an output. The title of the first column is a link to the claim.
func (t Table) markdown(output, claim string) (string, error) {
	var value any
	if err := json.Unmarshal([]byte(output), &value); err != nil {
		return "", fmt.Errorf("the output is no JSON: %w", err)
	}
	elements, ok := find(value, t.Rows).([]any)
	if !ok {
		return "", fmt.Errorf("the output has no list %s", t.Rows)
	}
	if i := slices.Max(append(t.Pick, 0)); i > 0 && i >= len(elements) {
		return "", fmt.Errorf("pick has the row %d, but the list %s has only %d, counted from 0", i, t.Rows, len(elements))
	}
	var text strings.Builder
	t.writeHead(&text, claim)
	for i, element := range elements {
		if len(t.Pick) > 0 && !slices.Contains(t.Pick, i) {
			continue
		}
		for _, c := range t.Columns {
			cell, err := c.cell(element)
			if err != nil {
				return "", fmt.Errorf("row %d of %s: %w", i, t.Rows, err)
			}
			text.WriteString("| " + cell + " ")
		}
		text.WriteString("|\n")
	}
	return text.String(), nil
}

func (t Table) writeHead(text *strings.Builder, claim string) {
	fmt.Fprintf(text, "| [%s][%s] ", t.Columns[0].Title, claim)
	for _, c := range t.Columns[1:] {
		text.WriteString("| " + c.Title + " ")
	}
	text.WriteString("|\n|---" + strings.Repeat("|---:", len(t.Columns)-1) + "|\n")
}

// cell returns the figure of an element in Markdown: a text becomes code, and a missing figure a dash.
func (c Column) cell(element any) (string, error) {
	value := find(element, c.JSON)
	switch text := value.(type) {
	case nil:
		return "-", nil
	case string:
		return "`" + text + "`", nil
	}
	figure, err := measurement(value, Measurement{Percent: c.Percent, Decimals: c.Decimals})
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.JSON, err)
	}
	return figure.String(), nil
}

// checkTable returns an error if a claim's table cannot be made, or if the artefact has another figure than the claim.
func (l Ledger) checkTable(c Claim) error {
	if c.Table == nil {
		return nil
	}
	_, err := l.table(c)
	if err == nil {
		var kept Measurement
		if kept, err = c.Read.figure(string(l.artefacts[c.Artefact.File]), c.Figure); err == nil && !c.Figure.same(kept) {
			err = fmt.Errorf("%s has the figure %v: write it into the claim, or measure again", c.Artefact.File, kept)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: table: %w", c.path(), err)
	}
	return nil
}

// table returns the table of a claim, by its artefact.
func (l Ledger) table(c Claim) (string, error) {
	return c.Table.markdown(string(l.artefacts[c.Artefact.File]), c.Name)
}

// insertTables returns a document with the claims' tables in place of its own. A table belongs to a claim if the title
// of its first column is a link to the claim.
func (l Ledger) insertTables(document string) (string, error) {
	var text strings.Builder
	inside, replaced := false, false
	for line := range strings.Lines(document) {
		if !strings.HasPrefix(line, "|") {
			inside, replaced = false, false
		} else if !inside {
			inside = true
			if claim := l.claimOfTable(line); claim != nil {
				table, err := l.table(*claim)
				if err != nil {
					return "", err
				}
				text.WriteString(table)
				replaced = true
			}
		}
		if !replaced {
			text.WriteString(line)
		}
	}
	return text.String(), nil
}

// claimOfTable returns the claim that the first title of a document's table links to. line is the table's first line.
// claimOfTable returns nil if there is no such claim, or if the claim has no table.
func (l Ledger) claimOfTable(line string) *Claim {
	first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
	found := reference.FindStringSubmatch(first)
	if found == nil {
		return nil
	}
	i := slices.IndexFunc(l.Claims, func(c Claim) bool { return c.Name == found[1] && c.Table != nil })
	if i < 0 {
		return nil
	}
	return &l.Claims[i]
}
