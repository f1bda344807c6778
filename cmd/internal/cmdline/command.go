package cmdline

import (
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/tournament/recipe"
)

// QuietFlag turns the display of progress off.
func QuietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Usage: "show no progress"}
}

// SameCommand returns the command line of this process, quoted for a shell.
func SameCommand() string {
	words := []string{ThisProgram()}
	for _, argument := range os.Args[1:] {
		words = append(words, Quote(argument))
	}
	return strings.Join(words, " ")
}

// ThisProgram returns how this program was started, for commands that it prints.
func ThisProgram() string {
	if strings.Contains(os.Args[0], "go-build") {
		return "go run ./cmd/arena"
	}
	return Quote(os.Args[0])
}

// Quote makes a text one word of a shell.
func Quote(text string) string { return recipe.Quote(text) }
