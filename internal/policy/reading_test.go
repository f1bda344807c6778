package policy_test

import (
	"go/ast"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFilesAreOpenedWithoutWaiting(t *testing.T) {
	enforce(t, waiting, fstest.MapFS{
		"cmd/arena/config.go":                 text("package main\n\nfunc read() { os.Open(path) }"),
		"cmd/arena/config_test.go":            text("package main\n\nfunc read() { os.ReadFile(path) }"),
		"cmd/internal/hosting/certificate.go": text("package hosting\n\nvar pair = tls.LoadX509KeyPair(a, b)"),
		"internal/check/procfs.go":            text("package check\n\nvar content = os.ReadFile(path)"),
		"internal/siege/ladder.go":            text("package siege\n\nvar content = os.ReadFile(path)"),
		"players/ntuple/file.go":              text("package ntuple\n\nvar content = disk.Read(path)"),
		"tournament/recipe/opening_file.go":   text("package recipe\n\nvar content = fs.ReadFile(embedded, path)"),
		"lab/chore/games.go":                  text("package chore\n\nvar content = os.ReadFile(path)"),
		"internal/disk/write.go":              text("package disk\n\nvar content = os.Open(path)"),
	},
		"cmd/arena/config.go:3: waits for ever if it is a named pipe: see internal/disk",
		"cmd/internal/hosting/certificate.go:3: waits for ever if it is a named pipe: see internal/disk",
		"internal/disk/write.go:3: waits for ever if it is a named pipe: see internal/disk",
		"lab/chore/games.go:3: waits for ever if it is a named pipe: see internal/disk",
	)
}

// unnamed lists the sources that open only paths that no user names: folders, and the system's files about processes.
var unnamed = []string{"lab/census/folder.go", "internal/check/procfs.go", "cmd/internal/cmdline/memory.go", "results/backup/workspace.go"}

// tools are the folders of programs that are not released.
var tools = []string{"internal/testkit/", "deploy/release/", "internal/siege/"}

// waiting rejects the ways to open a file that wait until somebody writes to a named pipe.
func waiting(t *testing.T, tree fs.FS) []string {
	var violations []string
	for _, file := range sources(t, tree) {
		ours := func(folder string) bool { return strings.HasPrefix(file.path, folder) }
		if file.isTest() || slices.Contains(unnamed, file.path) || slices.ContainsFunc(tools, ours) {
			continue
		}
		ast.Inspect(file.File, func(node ast.Node) bool {
			if selector, ok := node.(*ast.SelectorExpr); ok && waits(selector) {
				violations = append(violations, file.at(node)+": waits for ever if it is a named pipe: see internal/disk")
			}
			return true
		})
	}
	return violations
}

// waits reports whether a function of a library opens a file to read it.
func waits(function *ast.SelectorExpr) bool {
	pkg, ok := function.X.(*ast.Ident)
	return ok && slices.Contains([]string{"os.Open", "os.ReadFile", "tls.LoadX509KeyPair", "nats.RootCAs"}, pkg.Name+"."+function.Sel.Name)
}
