// Package bom skips the byte order mark with which some editors and shells begin a text. Whoever reads a text that a
// person or another program hands over reads it through this package.
//
//	text := bom.Trim("\ufeff2,0/0,0 D 0 1")
//	file := bom.NewReader(strings.NewReader("\ufeff# Openings"))
//	rest, err := io.ReadAll(file)
//	fmt.Printf("%q %q %v\n", text, rest, err)
package bom
