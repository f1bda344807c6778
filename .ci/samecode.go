// samecode compares the Go files of the working tree with those of a commit, without their comments:
//
//	go run .ci/samecode.go main
//
// It lists the files whose code differs or that are new or gone, and ends with status 1 if there are any. So it checks
// a commit that is to change only comments. Comments that the compiler, go test or a linter reads count as code.
package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"log"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run .ci/samecode.go COMMIT")
	}
	commit := os.Args[1]
	before := goFiles(git("ls-tree", "-r", "--name-only", commit))
	files := append(goFiles(git("ls-files", "--cached", "--others", "--exclude-standard")), before...)
	slices.Sort(files)
	files = slices.Compact(files)
	differ := 0
	for _, name := range files {
		now, err := os.ReadFile(name)
		if err != nil || !slices.Contains(before, name) || !slices.Equal(code(now), code([]byte(git("show", commit+":"+name)))) {
			fmt.Println(name)
			differ++
		}
	}
	if differ > 0 {
		log.Fatalf("the code of %d of %d files differs from the code of %s", differ, len(files), commit)
	}
	fmt.Printf("%d files have the code of %s\n", len(files), commit)
}

// goFiles returns the names of Go files in a list of names.
func goFiles(list string) []string {
	return slices.DeleteFunc(strings.Fields(list), func(name string) bool { return !strings.HasSuffix(name, ".go") })
}

// git returns the output of a git command.
func git(args ...string) string {
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		log.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// code returns the tokens of a Go file and those comments that are more than words.
func code(source []byte) []string {
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", -1, len(source)), source, nil, scanner.ScanComments)
	var tokens []string
	for {
		_, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return tokens
		case kind == token.COMMENT && !directive(text):
		case kind == token.SEMICOLON:
			tokens = append(tokens, ";")
		default:
			tokens = append(tokens, kind.String()+text)
		}
	}
}

// directive reports whether a tool reads a comment: the compiler, go test, a linter or a generator.
func directive(comment string) bool {
	for _, start := range []string{"//go:", "//line ", "// #nosec", "//nolint", "// Output:", "// Unordered output:", "// Code generated"} {
		if strings.HasPrefix(comment, start) {
			return true
		}
	}
	return false
}
