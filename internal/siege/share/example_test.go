package share_test

import (
	"log"
	"os/exec"

	"versus2048/internal/siege/share"
)

func Example() {
	program := exec.Command("busy")
	if err := program.Start(); err != nil {
		log.Fatal(err)
	}
	limit := share.New(0.2)
	defer limit.Close()
	if err := limit.Add(program.Process.Pid); err != nil {
		log.Fatal(err)
	}
}
