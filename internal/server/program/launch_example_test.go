//go:build unix

package program_test

import (
	"fmt"
	"os/exec"

	"versus2048/internal/server/program"
)

func ExampleStartOwn() {
	process, err := program.StartOwn(exec.Command("sh", "-c", "echo no such table >&2; exit 3"))
	if err != nil {
		panic(err)
	}
	<-process.Exited
	fmt.Println(process.Failure())
	// Output: exit status 3: no such table
}
