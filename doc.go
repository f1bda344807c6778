// Package versus2048 has the version of the project. Its programs show it, and each release is named after it.
//
//	fmt.Println(versus2048.Version())
//
// The library is in the packages below: docs/GO.md lists them.
package versus2048

import (
	_ "embed" // for the file VERSION
	"strings"
)

//go:embed VERSION
var version string

// Version returns the project's version, such as 1.2.0: the content of the file VERSION.
func Version() string { return strings.TrimSpace(version) }
