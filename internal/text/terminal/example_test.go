package terminal_test

import (
	"fmt"
	"os"

	"versus2048/internal/text/terminal"
)

func Example() {
	t := terminal.Table{Columns: []terminal.Column{{Title: "bot", Least: 12}, {Title: "points", Right: true}}}
	t.Add("先手", "1.5")
	fmt.Print(t.Text(terminal.WidthOf(os.Stdout)))
	// Output:
	// bot   points
	// 先手     1.5
}
