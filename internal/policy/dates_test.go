package policy_test

import (
	"go/ast"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
)

func TestDatesMeasureNothing(t *testing.T) {
	enforce(t, dates, fstest.MapFS{
		"tournament/recorder.go":       text("package tournament\n\nfunc play() { g.Started = time.Now().UTC() }"),
		"internal/server/feed.go":      text("package server\n\nfunc begin() { f.began = time.Now() }\n\nfunc took() { time.Since(f.began) }"),
		"internal/server/wait.go":      text("package server\n\nvar began = time.Now().UTC()\n\nvar then = now.Round(0)"),
		"internal/server/took.go":      text("package server\n\nfunc took() {\n\tg.Finished.Sub(g.Started)\n\ttime.Since(e.Created)\n}"),
		"internal/server/read.go":      text("package server\n\nvar began = time.UnixMilli(n)\n\nvar month = math.Round(0.5)"),
		"internal/server/wait_test.go": text("package server\n\nvar then = now.UTC()"),
	},
		"internal/server/read.go:3: makes a date: a time that is measured has to keep its monotonic reading, which does not jump",
		"internal/server/took.go:4: computes a time from a date on record: the clock of the machine may have jumped",
		"internal/server/took.go:5: computes a time from a date on record: the clock of the machine may have jumped",
		"internal/server/wait.go:3: makes a date: a time that is measured has to keep its monotonic reading, which does not jump",
		"internal/server/wait.go:5: makes a date: a time that is measured has to keep its monotonic reading, which does not jump",
	)
}

// dated lists the files that make dates, which are recorded and shown.
var dated = []string{"tournament/agenda/every.go", "internal/server/news.go", "internal/server/webhook/teller.go", "internal/server/roster/resolve.go", "internal/server/trouble/watch.go", "cmd/arena/prune.go", "deploy/release/dataset_tables.go", "deploy/release/packages/archive.go", "internal/farm/match.go", "results/backup/backup.go", "results/backup/rotation.go", "results/events.go", "results/journal_rows.go", "rules/record/json.go", "tournament/recorder.go", "tournament/executor.go", "internal/web/templates/templates.go", "internal/web/connect.go", "internal/web/archive/report.go", "internal/web/analysis/puzzle.go"}

// dates rejects times without a monotonic reading where no dates are recorded, and times that are
// computed from dates on record.
func dates(t *testing.T, tree fs.FS) []string {
	var violations []string
	for _, file := range sources(t, tree) {
		if file.isTest() {
			continue
		}
		ast.Inspect(file.File, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			if makesDate(call) && !slices.Contains(dated, file.path) {
				violations = append(violations, file.at(node)+": makes a date: a time that is measured has to keep its monotonic reading, which does not jump")
			}
			if measuresDate(call) {
				violations = append(violations, file.at(node)+": computes a time from a date on record: the clock of the machine may have jumped")
			}
			return true
		})
	}
	return violations
}

// makesDate reports whether a call returns a time.Time without a monotonic reading.
func makesDate(call *ast.CallExpr) bool {
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name := function.Sel.Name
	if pkg, ok := function.X.(*ast.Ident); ok && pkg.Name == "time" {
		return slices.Contains([]string{"Date", "Parse", "ParseInLocation", "Unix", "UnixMicro", "UnixMilli"}, name)
	}
	if name == "Round" && len(call.Args) == 1 {
		zero, ok := call.Args[0].(*ast.BasicLit)
		return ok && zero.Value == "0"
	}
	return slices.Contains([]string{"UTC", "Local", "AddDate"}, name)
}

// measuresDate reports whether a call computes a time that has passed from a field with a date.
func measuresDate(call *ast.CallExpr) bool {
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"Sub", "Since", "Until"}, function.Sel.Name) {
		return false
	}
	return slices.ContainsFunc(append([]ast.Expr{function.X}, call.Args...), func(e ast.Expr) bool {
		field, ok := e.(*ast.SelectorExpr)
		return ok && slices.Contains([]string{"Created", "Started", "Finished"}, field.Sel.Name)
	})
}
