package policy_test

import (
	"go/ast"
	"io/fs"
	"testing"
	"testing/fstest"
)

func TestNoSleep(t *testing.T) {
	enforce(t, sleeps, fstest.MapFS{
		"internal/server/wait.go":        text("package server\n\nfunc wait() { time.Sleep(1) }"),
		"internal/server/wait_test.go":   text("package server\n\nfunc TestWait() {\n\ttime.Sleep(1)\n}"),
		"internal/server/bubble_test.go": text("package server\n\nfunc TestWait() { synctest.Wait() }"),
	},
		"internal/server/wait_test.go:4: time.Sleep in a test: use testing/synctest, or wait for the event on a channel",
	)
}

// sleeps rejects tests that wait for time to pass.
func sleeps(t *testing.T, tree fs.FS) []string {
	var violations []string
	for _, file := range sources(t, tree) {
		if !file.isTest() {
			continue
		}
		ast.Inspect(file.File, func(node ast.Node) bool {
			if selector, ok := node.(*ast.SelectorExpr); ok && isTimeSleep(selector) {
				violations = append(violations, file.at(node)+
					": time.Sleep in a test: use testing/synctest, or wait for the event on a channel")
			}
			return true
		})
	}
	return violations
}

func isTimeSleep(selector *ast.SelectorExpr) bool {
	pkg, ok := selector.X.(*ast.Ident)
	return ok && pkg.Name == "time" && selector.Sel.Name == "Sleep"
}
