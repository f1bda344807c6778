package main

import (
	"os"
	"os/exec"
	"runtime"
)

// openBrowser shows an address in the user's browser, if this machine has a desktop. It does not matter whether that
// succeeds: the address is also printed.
func openBrowser(url string) {
	command := browserCommand(runtime.GOOS, os.Getenv, url)
	if command == nil {
		return
	}
	browser := exec.Command(command[0], command[1:]...) // #nosec G204 -- one of three fixed programs
	if browser.Start() == nil {
		go func() { _ = browser.Wait() }() // its exit status says nothing about the page
	}
}

// browserCommand returns the command that opens an address on a system, nil if it has no desktop.
func browserCommand(system string, env func(string) string, url string) []string {
	switch {
	case system == "darwin":
		return []string{"open", url}
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", url}
	case env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "":
		return []string{"xdg-open", url}
	}
	return nil
}
