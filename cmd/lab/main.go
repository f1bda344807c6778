// Command lab does research on versus 2048: it counts, solves, proves, repeats experiments and learns.
package main

import (
	"os"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/labcmd"
)

func main() { os.Exit(cmdline.Main(labcmd.App(), os.Args)) }
