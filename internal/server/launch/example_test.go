//go:build unix

package launch_test

import (
	"fmt"
	"os/exec"

	"versus2048/internal/server/launch"
)

func Example() {
	process, err := launch.Start(exec.Command("sh", "-c", "echo no such table >&2; exit 3"))
	if err != nil {
		panic(err)
	}
	<-process.Exited
	fmt.Println(process.Failure())
	// Output: exit status 3: no such table
}
