// Command lab does research on versus 2048: it counts, solves, proves, repeats experiments and learns.
package main

import (
	"os"

	_ "golang.org/x/crypto/x509roots/fallback" // for machines and containers without certificates of their own

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/labcmd"
)

func main() { os.Exit(cmdline.Main(labcmd.App(), os.Args)) }
