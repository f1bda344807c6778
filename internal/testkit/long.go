package testkit

import "testing"

// Skipper is a test, or a script of testscript, which can be skipped.
type Skipper interface{ Skip(args ...any) }

// Long skips a test that takes seconds if go test runs with -short. In .ci/run, a short run may skip no other test,
// and a run of all tests may skip none.
func Long(t Skipper) {
	if test, ok := t.(testing.TB); ok {
		test.Helper()
	}
	if testing.Short() {
		t.Skip("long: go test -short leaves it out")
	}
}

// Shortened returns all cases of a test, or only the first few if go test runs with -short.
func Shortened[T any](t testing.TB, cases []T, few int) []T {
	t.Helper()
	return cases[:Amount(t, len(cases), few)]
}

// Amount returns the number of cases that a test tries: all, or only a few if go test runs with -short. It logs a line
// if there are only a few: .ci/run finds the test by this line, and later runs it without -short.
func Amount(t testing.TB, all, few int) int {
	t.Helper()
	if !testing.Short() {
		return all
	}
	t.Log("long: go test -short shortens it")
	return few
}
