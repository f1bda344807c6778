package policy_test

import (
	"go/ast"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
)

func TestNoSleep(t *testing.T) {
	enforce(t, sleeps, fstest.MapFS{
		"internal/server/wait.go":        text("package server\n\nfunc wait() { time.Sleep(1) }"),
		"internal/server/wait_test.go":   text("package server\n\nfunc TestWait() {\n\ttime.Sleep(1)\n}"),
		"internal/server/short_test.go":  text("package server\n\nvar few = testing.Short()"),
		"internal/server/bubble_test.go": text("package server\n\nfunc TestWait() { synctest.Wait() }"),
	},
		"internal/server/short_test.go:3: testing.Short: use testkit.Long or testkit.Amount, by which .ci/run knows the tests that do less",
		"internal/server/wait_test.go:4: time.Sleep in a test: use testing/synctest, or wait for the event on a channel",
	)
}

// short has the packages that may ask for -short: they log that a test does less. Players may not import testkit.
var short = []string{"internal/testkit", "players/playertest"}

// sleeps rejects tests that wait for time to pass, or that do less with -short without a word.
func sleeps(t *testing.T, tree fs.FS) []string {
	var violations []string
	for _, file := range sources(t, tree) {
		ast.Inspect(file.File, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			switch {
			case !ok:
			case file.isTest() && isOf(selector, "time", "Sleep"):
				violations = append(violations, file.at(node)+
					": time.Sleep in a test: use testing/synctest, or wait for the event on a channel")
			case !slices.Contains(short, file.folder) && isOf(selector, "testing", "Short"):
				violations = append(violations, file.at(node)+
					": testing.Short: use testkit.Long or testkit.Amount, by which .ci/run knows the tests that do less")
			}
			return true
		})
	}
	return violations
}

// isOf reports whether a selector names something of a package.
func isOf(selector *ast.SelectorExpr, pkg, name string) bool {
	from, ok := selector.X.(*ast.Ident)
	return ok && from.Name == pkg && selector.Sel.Name == name
}
