// Module gives the project's module the path by which others import it, everywhere in the tree.
//
//	make module MODULE=example.org/you/versus2048
package main

import (
	"fmt"
	"os"
)

// next is what to do once the module has another path.
const next = "Check the tree and commit it:\n" +
	"  go build ./... && go vet ./... && go test ./internal/policy && bash .ci/run format\n" +
	"Then push it to where %[1]s is found, with a tag such as v1.0.0. Others get it by\n" +
	"  go get %[1]s@latest\n" +
	"and docs/GO.md shows what they do with it.\n"

func main() {
	if len(os.Args) != 2 || os.Args[1] == "" {
		fail("which path is the module to have? make module MODULE=example.org/you/versus2048")
	}
	path := os.Args[1]
	before, files, err := rename(".", path)
	if err != nil {
		fail(err)
	}
	fmt.Printf("The module is %s now, before it was %s: %d files say so.\n", path, before, files)
	fmt.Printf(next, path)
}

func fail(why any) {
	fmt.Fprintf(os.Stderr, "module: %v\n", why)
	os.Exit(1)
}
