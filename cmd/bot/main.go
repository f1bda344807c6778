// Command bot connects the project's own bots to an arena.
package main

import (
	"os"

	"versus2048/cmd/internal/botapp"
	"versus2048/cmd/internal/cmdline"
)

func main() { os.Exit(cmdline.Main(botapp.App(), os.Args)) }
