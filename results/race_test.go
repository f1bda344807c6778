//go:build race

package results

// writeStep is the step from one number of writes that a disk has room for to the next. The race detector
// makes SQLite ten times slower.
const writeStep = 5
