package terminal

import (
	"errors"
	"strconv"
	"strings"
	"testing"
)

// number is a figure.
type number float64

func (n number) Absent() bool             { return n < 0 }
func (n number) Text(decimals int) string { return strconv.FormatFloat(float64(n), 'f', decimals, 64) }

// kindsOfCells is a table with every kind of cell.
func kindsOfCells() Table {
	t := Table{Title: "kinds", Aligned: true, Columns: append([]Column{{Title: "bot", Most: 4}, {Name: "made"}}, Numbers("share")...)}
	t.Add("=a|b\n", Shown(2.5, "old"), number(1.0/3))
	t.Add(Raw("`-`"), nil, number(-1))
	t.Add("annette", Shown(number(2), ""), 0.125)
	return t
}

func TestTableForms(t *testing.T) {
	const (
		text     = "bot        share\n=a…n  old   0.33\n`-`            -\nan…e        0.12\n"
		csv      = "bot,made,share\n'=a|b\\n,2.5,0.333333\n`-`,,\nannette,2,0.125\n"
		markdown = "| bot | made | share |\n|---|---|---:|\n| =a\\|b\\\\n | 2.5 | 0.333333 |\n| `-` |  |  |\n| annette | 2 | 0.125 |\n"
		rounded  = "## kinds\n\n| bot | made | share |\n|---|---|---:|\n| =a\\|b\\\\n | 2.5 | 0.33 |\n| `-` |  | - |\n| annette | 2 | 0.12 |\n"
	)
	table := kindsOfCells()
	var forms [5]strings.Builder
	all := Tables{table, table}
	if err := errors.Join(table.WriteText(&forms[0], 0), table.WriteCSV(&forms[1]), table.WriteMarkdown(&forms[2]), all.WriteMarkdown(&forms[3]), all.WriteText(&forms[4], 0)); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{text, csv, markdown, rounded + "\n" + rounded, text + "\n" + text} {
		if got := forms[i].String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A column without a title has its place in the line of titles.
func TestMarkdownWithoutTitle(t *testing.T) {
	table := Table{Columns: Columns("bot", "", "points")}
	table.Add("ann", "x", 3)
	const want = "bot     points\nann  x  3\n"
	if got := Markdown(table.Markdown(), 40); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestDecimal(t *testing.T) {
	for want, v := range map[string]float64{"0": -0.001, "-0.01": -0.006, "10": 10, "0.5": 0.5, "-3": -3} {
		if got := Decimal(v, 2); got != want {
			t.Errorf("%v is written %q, want %q", v, got, want)
		}
	}
}
