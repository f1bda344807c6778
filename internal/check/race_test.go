//go:build race

package check

// oneOf is one for each of the wrong bots to be tried. The race detector, which is ten times slower, sees the
// same code with every eighth of them.
const oneOf = 8
