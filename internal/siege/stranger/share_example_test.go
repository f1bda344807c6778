package stranger_test

import (
	"log"
	"os/exec"

	"versus2048/internal/siege/stranger"
)

func ExampleLimit() {
	program := exec.Command("busy")
	if err := program.Start(); err != nil {
		log.Fatal(err)
	}
	limit := stranger.NewLimit(0.2)
	defer limit.Close()
	if err := limit.Add(program.Process.Pid); err != nil {
		log.Fatal(err)
	}
}
