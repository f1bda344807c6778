package templates_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"versus2048/internal/templates"
)

func Example() {
	folder, err := os.MkdirTemp("", "bot")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	folder = filepath.Join(folder, "mybot")

	python, err := templates.Find("python")
	if err != nil {
		log.Fatal(err)
	}
	if err := python.Write("mybot", folder); err != nil {
		log.Fatal(err)
	}
	fmt.Println(python.Run)
	// Output: python3 bot.py
}
