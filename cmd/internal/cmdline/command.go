package cmdline

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/tournament/recipe"
)

// QuietFlag turns the display of progress off.
func QuietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Usage: "show no progress"}
}

// SameCommand returns the command line of this process, quoted for a shell, without --token, which is a secret.
func SameCommand() string { return ThisProgram() + sameArguments(os.Args[1:]) }

// sameArguments returns arguments, each after a space, but without --token and its value.
func sameArguments(arguments []string) (text string) {
	for value := false; len(arguments) > 0; arguments = arguments[1:] {
		name, _, joined := strings.Cut(arguments[0], "=")
		switch secret := name == "--token" || name == "-token"; {
		case value:
			value = false
		case secret:
			value = !joined
		default:
			text += " " + Quote(arguments[0])
		}
	}
	return text
}

// ThisProgram returns the words that start this program, quoted for a shell, for commands in its output.
func ThisProgram() string {
	if strings.Contains(os.Args[0], "go-build") {
		return "go run ./cmd/" + strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	}
	return Quote(os.Args[0])
}

// Quote makes a text one word of a shell.
func Quote(text string) string { return recipe.Quote(text) }
