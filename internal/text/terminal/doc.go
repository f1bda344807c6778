// Package terminal lays out text for terminals: tables that fit a width, lines that wrap, and names with letters that
// are two columns wide. The same tables write themselves as CSV and Markdown. Widths are numbers of columns; 0 stands
// for no limit:
//
//	t := terminal.Table{Columns: []terminal.Column{{Title: "bot", Least: 12}, {Title: "points", Right: true}}}
//	t.Add("先手", "1.5")
//	fmt.Print(t.Text(terminal.WidthOf(os.Stdout)))
package terminal
