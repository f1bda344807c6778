package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Every command in the files of deploy exists, with its flags, and so do the options that arena.default
// suggests.
func TestDeployedCommandsExist(t *testing.T) {
	arena := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/(arena .*)$`)
	options := regexp.MustCompile(`(?m)^# ARENA_OPTIONS=(.*)$`)
	for name, want := range map[string]int{"arena.service": 1, "arena-backup.service": 1, "arena.default": 1} {
		text, err := os.ReadFile(filepath.Join("../../deploy", name))
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, found := range arena.FindAllStringSubmatch(string(text), -1) {
			lines = append(lines, found[1])
		}
		for _, found := range options.FindAllStringSubmatch(string(text), -1) {
			lines = append(lines, "arena serve "+found[1])
		}
		if len(lines) != want {
			t.Errorf("%s has %d commands, want %d", name, len(lines), want)
		}
		for _, line := range lines {
			if err := checkCommand(splitWords(line)); err != nil {
				t.Errorf("%s: %s: %v", name, line, err)
			}
		}
	}
}
