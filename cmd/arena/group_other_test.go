//go:build !unix

package main

import "versus2048/internal/testkit"

// ownGroup has nothing to do where there are no process groups.
func ownGroup(*testkit.Program) {}
