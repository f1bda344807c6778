//go:build unix

package roster_test

import (
	"fmt"
	"os/exec"

	"versus2048/internal/server/roster"
)

func ExampleStartOwn() {
	process, err := roster.StartOwn(exec.Command("sh", "-c", "echo no such table >&2; exit 3"))
	if err != nil {
		panic(err)
	}
	<-process.Exited
	fmt.Println(process.Failure())
	// Output: exit status 3: no such table
}
